// Parts of the pages that connect a calendar: the names of providers, and the fields of an account.
import type { App } from '../../src/app.ts'
import { oauthProviders } from '../../src/connections/providers.ts'
import { type Html, html } from './html.ts'

export const providerNames = { google: 'Google', microsoft: 'Microsoft', caldav: 'CalDAV' } as const

/** Where the forms of a page may lead. */
export const formOriginsOf = (app: App): string[] => oauthProviders(app).map(({ origin }) => origin)

export type TypedAccount = { server_url?: string | undefined; username?: string | undefined }

/** With the human's input; a password is never shown again. `wrong`: the field that the last attempt failed for. */
export const caldavFields = (typed: TypedAccount, wrong: string | undefined): Html => {
  const invalid = (name: string) => wrong === name && html` aria-invalid="true"`
  return html`<div class="field"><label for="server_url">Address of the server</label><input id="server_url" name="server_url" type="url" inputmode="url" autocomplete="url" placeholder="https://" required maxlength="2048" value="${typed.server_url ?? ''}"${invalid('server_url')}></div>
<div class="field"><label for="username">User name</label><input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="320" value="${typed.username ?? ''}"></div>
<div class="field"><label for="caldav_password">Password</label><input id="caldav_password" name="password" type="password" autocomplete="off" required maxlength="1024"${invalid('password')}></div>`
}
