// The last pages of a booking: it succeeded or it failed.
import type { ServiceError } from '../../src/errors.ts'
import { type Html, html } from './html.ts'
import { slotText } from './parts.ts'
import type { View } from './view.ts'

const tick = html`<svg class="tick" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M15 24.5l6.5 6.5L33.5 18"/></svg>`

/** `file`: the address of the calendar file. */
export const bookedOf = (view: View, startMs: number, guest: { name: string; email: string }, file: string): Html =>
  html`<main class="card narrow" id="main" data-view="booked">
<header class="intro">
${tick}
<h1>You are booked</h1>
<p class="description">See you then, <bdi>${guest.name}</bdi>.</p>
</header>
<dl class="facts">
<div><dt>What</dt><dd dir="auto">${view.page.title}</dd></div>
<div><dt>When</dt><dd>${slotText(view, startMs)}</dd></div>
<div><dt>Your e-mail</dt><dd dir="auto">${guest.email}</dd></div>
</dl>
<p><a class="button" href="${file}" download="booking.ics">Add to your calendar</a></p>
<p class="muted">Please add it now: you cannot return to this page later.</p>
<p><a href="${view.linkTo({})}">Book another time</a></p>
</main>`

type Notice = { title: string; text: string }

/** `path`: where the guest can try again, if that makes sense. */
export function failedOf(error: ServiceError, path?: string): { title: string; main: Html } {
  const { title, text } = noticeOf(error)
  const main = html`<main class="card narrow" id="main" data-view="failed">
<header class="intro"><h1>${title}</h1>
<p class="description">${text}</p></header>
${path && html`<p><a class="button" href="${path}">Back to the free times</a></p>`}
</main>`
  return { title, main }
}

function noticeOf({ type, status, message, detail }: ServiceError): Notice {
  if (status === 404) {
    return {
      title: 'This page is not available',
      text: 'You cannot book here, or you no longer can. Check the address, or ask the person who gave it to you.',
    }
  }
  if (status === 429) {
    const seconds = detail.retryAfterSeconds ?? 60
    const wait = seconds === 1 ? 'one second' : `${seconds} seconds`
    return { title: 'Too many requests', text: `Please wait ${wait}, then go back and try again.` }
  }
  if (type === 'quota_exceeded') return { title: 'Fully booked for now', text: message }
  if (status >= 500) {
    return { title: 'Something went wrong', text: 'That is our fault, not yours. Please try again in a moment.' }
  }
  if (status === 403)
    return { title: 'This did not come from our page', text: 'Please open the page again and book there.' }
  return { title: 'That did not work', text: message }
}
