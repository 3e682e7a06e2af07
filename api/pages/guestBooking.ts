// The page of a booking: its details, and the forms that cancel or move it. Every change asks first.
import type { Found } from '../../src/bookingPages/bookings.ts'
import type { Texts } from '../../src/bookingPages/languages/texts.ts'
import { callLine } from '../../src/shapes/callLine.ts'
import { webCalendars } from './addTo.ts'
import { contactOf } from './contact.ts'
import { type Html, html, type Part } from './html.ts'
import { linked } from './links.ts'
import { hiddenFields, slotText, tick } from './parts.ts'
import type { View } from './view.ts'

type Shown = { heading?: string; notice?: string | undefined }

export function bookingOf(view: View, found: Found, { heading, notice }: Shown = {}): Html {
  const { texts } = view
  const isCancelled = found.freedom === 'cancelled'
  return html`<main class="card narrow" id="main" data-view="booking" data-at="${view.linkTo({})}">
<header class="intro">
${!isCancelled && tick}
<h1>${heading ?? (isCancelled ? texts.cancelled : texts.confirmed)}</h1>
</header>
${notice && html`<p class="notice" role="alert">${notice}</p>`}
${factsOf(view, [[texts.when, slotText(view, found.start.getTime(), found.end.getTime())]])}
${noteOf(texts, found)}
${found.freedom === 'too_late' && contactOf(view)}
${!isCancelled && actionsOf(view, found)}
</main>`
}

type Fact = [name: string, fact: Part]

/** The details of the booking on each of its pages. */
export function factsOf({ texts, page }: Pick<View, 'texts' | 'page'>, when: Fact[], more: Fact[] = []): Html {
  const { host_name, host_organization, location, conference } = page.details
  const facts: Fact[] = [
    [texts.what, page.title],
    [texts.host, [host_name, host_organization].filter(Boolean).join(', ')],
    ...when,
    [texts.where, location && linked(location)],
    [texts.call, conference && linked(callLine(conference))],
    ...more,
  ]
  return html`<dl class="facts">
${facts.filter(([, fact]) => fact).map(([name, fact]) => html`<div><dt>${name}</dt><dd dir="auto">${fact}</dd></div>\n`)}</dl>`
}

function noteOf(texts: Texts, { freedom, row }: Found): Html | undefined {
  const notes = { cancelled: texts.cancelledText, too_late: texts.tooLate, over: texts.over, free: '', only_cancel: '' }
  const note = freedom === 'only_cancel' && row.moves > 0 ? texts.movedTooOften : notes[freedom]
  return note === '' ? undefined : html`<p class="muted">${note}</p>`
}

const actionsOf = (view: View, { freedom, start, end }: Found): Html => {
  const { texts, path, linkTo } = view
  return html`<div class="actions">
${freedom === 'free' && html`<a class="button" href="${linkTo({ do: 'reschedule' })}">${texts.reschedule}</a>`}
${(freedom === 'free' || freedom === 'only_cancel') && html`<a class="button quiet" href="${linkTo({ do: 'cancel' })}">${texts.cancel}</a>`}
${freedom !== 'over' && html`<a class="button quiet" href="${path}/booking.ics" download="booking.ics">${texts.addToCalendar}</a>`}
</div>
${freedom !== 'over' && webCalendars(view, { start, end })}`
}

const backTo = ({ texts, linkTo }: View): Html => html`<p><a href="${linkTo({})}">${texts.keep}</a></p>`

const formTo = (view: View, verb: 'cancel' | 'reschedule', button: string, fields?: Html): Html =>
  html`<form class="guest" method="post" action="${view.path}/${verb}" data-guest-form data-offline="${view.texts.offline}">
${fields}
<input type="hidden" name="zone" value="${view.times.zone}">
${hiddenFields({ lang: view.language, clock: view.times.clock })}
<button>${button}</button>
</form>`

export const cancelAskOf = (
  view: View,
  found: Found,
): Html => html`<main class="card narrow" id="main" data-view="cancel">
<header class="intro"><h1>${view.texts.cancelAsk}</h1></header>
${factsOf(view, [[view.texts.when, slotText(view, found.start.getTime(), found.end.getTime())]])}
${formTo(view, 'cancel', view.texts.cancelYes)}
${backTo(view)}
</main>`

export const moveAskOf = (view: View, found: Found, startMs: number): Html =>
  html`<main class="card narrow" id="main" data-view="move">
<header class="intro"><h1>${view.texts.rescheduleAsk}</h1></header>
${factsOf(view, [
  [view.texts.newTime, slotText(view, startMs)],
  [view.texts.before, slotText(view, found.start.getTime(), found.end.getTime())],
])}
${formTo(view, 'reschedule', view.texts.moveYes, html`<input type="hidden" name="start" value="${new Date(startMs).toISOString()}">`)}
<p><a href="${view.linkTo({ do: 'reschedule', day: view.times.dateIn(startMs) })}">${view.texts.otherTime}</a></p>
${backTo(view)}
</main>`

/** Stands above the times that a booking can be moved to. */
export const moveHeadOf = (view: View, found: Found): Html => html`<header class="intro">
<h1>${view.texts.chooseNewTime}</h1>
<p class="muted" dir="auto">${view.page.title}</p>
<p>${view.texts.before}: ${slotText(view, found.start.getTime(), found.end.getTime())}</p>
${backTo(view)}
</header>`
