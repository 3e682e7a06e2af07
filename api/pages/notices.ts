// The last pages of a booking: it succeeded or it failed.

import { counted } from '../../src/booking/languages/languages.ts'
import type { ServiceError } from '../../src/errors.ts'
import { filledIn, type Html, html } from './html.ts'
import { linked } from './links.ts'
import { slotText } from './parts.ts'
import type { Reader, View } from './view.ts'

const tick = html`<svg class="tick" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M15 24.5l6.5 6.5L33.5 18"/></svg>`

/** `file`: the address of the calendar file. */
export const bookedOf = (view: View, startMs: number, guest: { name: string; email: string }, file: string): Html => {
  const { texts, page } = view
  const { host_name, host_organization, location } = page.details
  const host = [host_name, host_organization].filter(Boolean).join(', ')
  return html`<main class="card narrow" id="main" data-view="booked">
<header class="intro">
${tick}
<h1>${texts.confirmed}</h1>
<p class="description">${filledIn(texts.seeYou, { name: html`<bdi>${guest.name}</bdi>` })}</p>
</header>
<dl class="facts">
<div><dt>${texts.what}</dt><dd dir="auto">${page.title}</dd></div>
${host && html`<div><dt>${texts.host}</dt><dd dir="auto">${host}</dd></div>`}
<div><dt>${texts.when}</dt><dd>${slotText(view, startMs)}</dd></div>
${location && html`<div><dt>${texts.where}</dt><dd dir="auto">${linked(location)}</dd></div>`}
<div><dt>${texts.yourEmail}</dt><dd dir="auto">${guest.email}</dd></div>
</dl>
<p><a class="button" href="${file}" download="booking.ics">${texts.addToCalendar}</a></p>
<p class="muted">${texts.addNow}</p>
<p><a href="${view.linkTo({})}">${texts.bookAnother}</a></p>
</main>`
}

type Notice = { title: string; text: string }

/** `path`: where the guest can try again, if that makes sense. */
export function failedOf(error: ServiceError, reader: Reader, path?: string): { title: string; main: Html } {
  const { title, text } = noticeOf(error, reader)
  const main = html`<main class="card narrow" id="main" data-view="failed">
<header class="intro"><h1>${title}</h1>
<p class="description">${text}</p></header>
${path && html`<p><a class="button" href="${path}">${reader.texts.back}</a></p>`}
</main>`
  return { title, main }
}

/** Messages of errors are for programs, so a guest reads other words. */
function noticeOf({ type, status, detail }: ServiceError, { texts, locale }: Reader): Notice {
  if (status === 404) return { title: texts.unavailableTitle, text: texts.unavailable }
  if (status === 429) {
    return { title: texts.tooManyTitle, text: counted(texts.tooMany, detail.retryAfterSeconds ?? 60, locale) }
  }
  if (type === 'quota_exceeded') return { title: texts.fullTitle, text: texts.full }
  if (status >= 500) return { title: texts.brokenTitle, text: texts.broken }
  if (status === 403) return { title: texts.foreignTitle, text: texts.foreign }
  return { title: texts.failedTitle, text: texts.failed }
}
