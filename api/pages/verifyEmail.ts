// The page behind the mailed link of a sign-up. Opening it changes nothing, because mail scanners open links, too.
import { findLink } from '../../src/accounts/verifyEmail.ts'
import type { App } from '../../src/app.ts'
import type { ServiceError } from '../../src/errors.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import { asksForHtml } from '../http/accept.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer, RefusedCall } from '../http/route.ts'
import { pageAnswer } from './document.ts'
import { type Html, html, type Part } from './html.ts'
import { framed, newPasswordForm } from './passwordReset.ts'

const path = '/v1/auth/email/verify'
const title = 'Is this your address?'

const page = (app: App, status: number, heading: string, content: Part): RawAnswer =>
  pageAnswer(status, rootOf(app), { title: heading, main: framed(heading, content) })

const noticeOf = (message: string): Html => html`<p class="notice" role="alert">${message}</p>`

/** `problem`: why the last attempt changed nothing. */
export async function verifyEmailPage(
  app: App,
  { token, signedInAs, problem, status = 200 }: { token: string; signedInAs?: Uuid; problem?: string; status?: number },
): Promise<RawAnswer> {
  const link = await findLink(app, token)
  if (!link) return page(app, status, title, noticeOf('This link does not exist, has expired or was already used.'))
  const begin = html`<p>Somebody signed up with <strong>${link.email}</strong>.</p>${
    problem && html`<p class="notice" role="alert">${problem}</p>`
  }`
  if (signedInAs && signedInAs === link.accountId) {
    return page(
      app,
      status,
      title,
      html`${begin}<p>That was you: this browser is signed in. Nothing changes.</p>
<form method="post" action="${rootOf(app)}${path}">
<input type="hidden" name="token" value="${token}">
<button>Yes, it is mine</button>
</form>`,
    )
  }
  return page(
    app,
    status,
    title,
    html`${begin}
<section class="way"><h2>I signed up</h2>
<p>Enter the password that you chose. Nothing changes.</p>
<form method="post" action="${rootOf(app)}${path}">
<input type="hidden" name="token" value="${token}">
<div class="field"><label for="known">Password</label><input id="known" name="password" type="password" autocomplete="current-password" required maxlength="1000"></div>
<button>Yes, it is mine</button>
</form></section>
<section class="way"><h2>I did not, or I forgot the password</h2>
<p>Set a password of your own. The keys, webhooks and booking pages that were made before are switched off, because they may not be yours; a mail says how many of each.</p>
${newPasswordForm(app, token)}</section>`,
  )
}

export const emailVerifiedPage = (app: App): RawAnswer =>
  page(app, 200, 'Your address is confirmed', html`<p>Thank you. Nothing else has changed.</p>`)

/** Shows the forms again if another password helps, or else the error. */
export async function showVerifyRefusal(error: ServiceError, { app, headers, body }: RefusedCall) {
  if (!asksForHtml(headers)) return undefined
  const { token, password } = (body ?? {}) as { token?: unknown; password?: unknown }
  const again = error.detail.param === 'password' && typeof token === 'string'
  if (!again) return page(app, error.status, title, noticeOf(error.message))
  // No password was sent: the session ended before the form was sent.
  const problem = password === undefined ? undefined : 'This is not the password of the sign-up.'
  return verifyEmailPage(app, { token, ...(problem && { problem }), status: error.status })
}
