// The frame of the pages on which humans connect their calendars: no script, nothing from elsewhere, and no referrer.
import type { App } from '../../src/app.ts'
import type { ServiceError } from '../../src/errors.ts'
import { rootOf } from '../http/root.ts'
import type { RawAnswer } from '../http/route.ts'
import { plainPage } from './document.ts'
import { type Html, html, type Part } from './html.ts'

export const connectHeaders = ['Content-Security-Policy', 'Referrer-Policy', 'Cache-Control'] as const

/** A page with one heading. `formOrigins`: the providers that its forms lead to. */
export const connectPage = (
  app: App,
  status: number,
  heading: string,
  content: Part,
  formOrigins: readonly string[] = [],
): RawAnswer =>
  plainPage(
    status,
    rootOf(app),
    {
      title: heading,
      main: html`<main class="card narrow" id="main">
<header class="intro"><h1>${heading}</h1></header>
${content}
</main>`,
    },
    formOrigins,
  )

export const noticeOf = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p class="notice" role="alert">${message}</p>`

/** The problem, and where to continue. */
export function connectRefusal(app: App, error: ServiceError): RawAnswer {
  const back = html`<p><a class="button" href="${rootOf(app)}/connect">Your connections</a></p>`
  if (error.status === 404) {
    const text =
      'It may have been used, declined or replaced, or it has ended. Ask the person who sent it to you for a new one.'
    return connectPage(app, 404, 'This link does not work', html`<p>${text}</p>`)
  }
  if (error.status === 429) {
    const seconds = error.detail.retryAfterSeconds ?? 60
    return connectPage(
      app,
      429,
      'Too many requests',
      html`<p>Please wait ${seconds} seconds, then go back and try again.</p>`,
    )
  }
  if (error.status >= 500 && error.detail.code !== 'provider_error') {
    return connectPage(
      app,
      error.status,
      'Something went wrong',
      html`<p>That is our fault. Please try again in a moment.</p>`,
    )
  }
  return connectPage(app, error.status, 'That did not work', html`${noticeOf(error.message)}${back}`)
}
