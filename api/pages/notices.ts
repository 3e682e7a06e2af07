// The last pages of a booking: it succeeded or it failed.

import { counted } from '../../src/bookingPages/languages/languages.ts'
import type { ServiceError } from '../../src/errors.ts'
import { webCalendars } from './addTo.ts'
import { factsOf } from './guestBooking.ts'
import { filledIn, type Html, html, type Part } from './html.ts'
import { slotText, tick } from './parts.ts'
import type { Reader, View } from './view.ts'

type Confirmation = { file: string; address: string; isMailed: boolean; invited: readonly string[]; end: Date }

/** `address`: of the page of the booking. It opens in a new tab if the page is shown in a frame. */
export const bookedOf = (
  view: View,
  startMs: number,
  guest: { name: string; email: string },
  { file, address, isMailed, invited, end }: Confirmation,
): Html => {
  const { texts } = view
  return html`<main class="card narrow" id="main" data-view="booked" data-at="${address}">
<header class="intro">
${tick}
<h1>${texts.confirmed}</h1>
<p class="description">${filledIn(texts.seeYou, { name: html`<bdi>${guest.name}</bdi>` })}</p>
${isMailed && html`<p class="muted">${filledIn(texts.mailComes, { email: html`<bdi>${guest.email}</bdi>` })}</p>`}
</header>
${factsOf(
  view,
  [[texts.when, slotText(view, startMs)]],
  [
    [texts.yourEmail, guest.email],
    [texts.invited, invited.join(', ')],
  ],
)}
<div class="actions"><a class="button" href="${file}" download="booking.ics">${texts.addToCalendar}</a>
<a class="button quiet" href="${address}" target="_blank" rel="noopener" data-own-tab>${texts.manage}</a></div>
${webCalendars(view, { start: new Date(startMs), end })}
<p><a href="${view.linkTo({})}">${texts.bookAnother}</a></p>
</main>`
}

type Notice = { title: string; text: string }

/** `path`: where the guest can try again, if that makes sense. */
export function failedOf(error: ServiceError, reader: Reader, path?: string): { title: string; main: Html } {
  return failedWith(
    noticeOf(error, reader),
    path && html`<p><a class="button" href="${path}">${reader.texts.back}</a></p>`,
  )
}

export const failedWith = ({ title, text }: Notice, more?: Part): { title: string; main: Html } => ({
  title,
  main: html`<main class="card narrow" id="main" data-view="failed">
<header class="intro"><h1>${title}</h1>
<p class="description">${text}</p></header>
${more}
</main>`,
})

/** Messages of errors are for programs, so a guest reads other words. */
export function noticeOf({ type, status, detail }: ServiceError, { texts, locale }: Reader): Notice {
  if (status === 404) return { title: texts.unavailableTitle, text: texts.unavailable }
  if (status === 429) {
    return { title: texts.tooManyTitle, text: counted(texts.tooMany, detail.retryAfterSeconds ?? 60, locale) }
  }
  if (type === 'quota_exceeded') return { title: texts.fullTitle, text: texts.full }
  if (status >= 500) return { title: texts.brokenTitle, text: texts.broken }
  if (status === 403) return { title: texts.foreignTitle, text: texts.foreign }
  return { title: texts.failedTitle, text: texts.failed }
}
