// Signing in on the way to a connection. It names no one: a person who has only the address of a link learns nothing from it.
import type { App } from '../../src/app.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer } from '../http/route.ts'
import { connectPage, noticeOf } from './connectFrame.ts'
import { type Html, html } from './html.ts'

/** `path`: the page that the human opened, such as `/connect`. */
export const signInPage = (app: App, status: number, path: string, problem?: string): RawAnswer =>
  connectPage(
    app,
    status,
    'Sign in to connect your calendar',
    html`<p>Only you can connect your calendar, so please sign in first.</p>
${noticeOf(problem)}
${waysToSignIn(app, path)}
<form class="way" method="post" action="${rootOf(app)}/connect/password">
<h2>No password yet, or forgotten?</h2>
<div class="field"><label for="forgot">E-mail address</label><input id="forgot" name="email" type="email" autocomplete="username" required maxlength="320"></div>
<button class="quiet">Mail me a link to set one</button>
</form>`,
  )

/** With a password or through a provider, then back to the page `path`. */
export const waysToSignIn = (
  app: App,
  path: string,
): Html => html`<form method="post" action="${rootOf(app)}${path}/signin">
<div class="field"><label for="email">E-mail address</label><input id="email" name="email" type="email" autocomplete="username" required maxlength="320"></div>
${passwordField}
<button>Sign in</button>
</form>
${identityProviders(app, 'Sign in', { return_to: path })}`

export const passwordField = html`<div class="field"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1000"></div>`

/** `verb`: done by following a link. `query`: of each link. Undefined where no provider is set up. */
export function identityProviders(
  app: App,
  verb: string,
  query: Record<string, string>,
  note?: Html,
): Html | undefined {
  const names = Object.keys(app.config.oidcProviders)
  if (names.length === 0) return undefined
  const search = new URLSearchParams(query).toString()
  const link = (name: string) =>
    html`<p><a class="button" href="${rootOf(app)}/v1/auth/oauth/${name}?${search}">${verb} with ${name}</a></p>`
  return html`<section class="way"><h2>Or</h2>${names.map(link)}${note}</section>`
}

/** Another person is signed in in this browser. */
export const signedInElsewherePage = (app: App, path: string): RawAnswer =>
  connectPage(
    app,
    403,
    'You are signed in to another organization',
    html`<p>This link is for somebody else. If it is yours, sign out and sign in to the organization that sent it.</p>
<form method="post" action="${rootOf(app)}${path}/signout"><button>Sign out</button></form>`,
  )

export const passwordMailPage = (app: App): RawAnswer =>
  connectPage(
    app,
    202,
    'Check your mail',
    html`<p>If there is an account with this address, we have sent a link to set a password. Then open this page again.</p>`,
  )
