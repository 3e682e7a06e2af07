// The page behind the mailed link to set a new password. The token is in its address, so it stays out of caches.
import type { App } from '../../src/app.ts'
import type { ServiceError } from '../../src/errors.ts'
import { asksForHtml } from '../http/accept.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer, RefusedCall } from '../http/route.ts'
import { pageAnswer } from './document.ts'
import { type Html, html, type Part } from './html.ts'

const path = '/v1/auth/password/reset'

export const framed = (heading: string, content: Part): Html => html`<main class="card narrow" id="main">
<header class="intro"><p class="host">agent-calendar</p>
<h1>${heading}</h1></header>
${content}
</main>`

export const newPasswordForm = (app: App, token: string, problem?: string): Html => html`${
  problem && html`<p class="notice" role="alert">${problem}</p>`
}<form method="post" action="${rootOf(app)}${path}">
<input type="hidden" name="token" value="${token}">
<div class="field"><label for="password">New password (at least 12 characters)</label><input id="password" name="password" type="password" autocomplete="new-password" required minlength="12" maxlength="128"></div>
<button>Set the password</button>
</form>`

const title = 'Set a new password'

export const resetPage = (app: App, token: string): RawAnswer =>
  pageAnswer(200, rootOf(app), { title, main: framed(title, newPasswordForm(app, token)) })

export const passwordSetPage = (app: App, message: string): RawAnswer => {
  const heading = 'The password is set'
  return pageAnswer(202, rootOf(app), { title: heading, main: framed(heading, html`<p>${message}</p>`) })
}

export const linkUsedUpPage = (app: App, message: string): RawAnswer =>
  pageAnswer(202, rootOf(app), { title, main: framed(title, html`<p class="notice" role="alert">${message}</p>`) })

/** Shows the form again if another password helps, or else what to do instead. */
export async function showResetRefusal(error: ServiceError, { app, headers, body }: RefusedCall) {
  if (!asksForHtml(headers)) return undefined
  const { token } = (body ?? {}) as { token?: unknown }
  const again = error.detail.param === 'password' && typeof token === 'string'
  const content = again
    ? newPasswordForm(app, token, error.message)
    : html`<p class="notice" role="alert">${error.message}</p>`
  return pageAnswer(error.status, rootOf(app), { title, main: framed(title, content) })
}
