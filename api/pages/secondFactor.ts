// The page on which a person who signs in gives a code, on the way to another page. The challenge is in a cookie.
import type { App } from '../../src/app.ts'
import { rootOf } from '../http/root.ts'
import { RawAnswer } from '../http/route.ts'
import { pageAnswer } from './document.ts'
import { html } from './html.ts'
import { framed } from './passwordReset.ts'

export const factorPath = '/v1/auth/signin/factor'

/** `returnTo`: one of our pages; `problem`: why the last code was refused. */
export const factorPage = (app: App, status: number, returnTo: string | undefined, problem?: string): RawAnswer => {
  const title = 'Enter your code'
  const main = html`${problem && html`<p class="notice" role="alert">${problem}</p>`}
<p>Your account has a second factor. Enter the code of your authenticator app, or a recovery code.</p>
<form method="post" action="${rootOf(app)}${factorPath}">
${returnTo && html`<input type="hidden" name="return_to" value="${returnTo}">`}
<div class="field"><label for="code">Code</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required maxlength="100" autofocus></div>
<button>Verify</button>
</form>`
  return pageAnswer(status, rootOf(app), { title, main: framed(title, main) })
}

/** The challenge has ended, so a code does not help. */
export const signInEndedPage = (app: App, status: number, returnTo: string | undefined, problem: string): RawAnswer => {
  const title = 'This sign-in has ended'
  const main = html`<p class="notice" role="alert">${problem}</p>
${returnTo && html`<p><a class="button" href="${rootOf(app)}${returnTo}">Sign in again</a></p>`}`
  return pageAnswer(status, rootOf(app), { title, main: framed(title, main) })
}

/** Where a sign-in on the way to one of our pages waits for its code. */
export const toFactorPage = (app: App, page: string, ...cookies: string[]): RawAnswer =>
  new RawAnswer(303, {
    Location: `${app.config.baseUrl}${factorPath}?return_to=${encodeURIComponent(page)}`,
    'Set-Cookie': cookies,
    'Cache-Control': 'no-store',
  })
