// The form that books one slot. After a failed attempt it keeps the guest's input.
import { filled } from '../../src/bookingPages/languages/languages.ts'
import { randomToken } from '../../src/sealing/sealer.ts'
import { contactOf } from './contact.ts'
import { type FormState, fieldsOf, hasField } from './fields.ts'
import { type Html, html } from './html.ts'
import { hiddenFields, intro, slotText, zoneName } from './parts.ts'
import type { View } from './view.ts'

const formParts = (view: View, state: FormState): Html => html`${fieldsOf(view, state)}
<input type="hidden" name="attempt" value="${randomToken(16)}">
<input type="hidden" name="zone" value="${view.times.zone}">
${hiddenFields({ lang: view.language, clock: view.times.clock })}
<div class="trap" aria-hidden="true"><label for="website">${view.texts.leaveEmpty}</label><input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>
${privacyOf(view)}`

const privacyOf = ({ page: { details }, texts }: View): Html | undefined =>
  details.privacy_url === undefined
    ? undefined
    : html`<p class="muted"><a href="${details.privacy_url}" rel="nofollow noopener noreferrer" target="_blank">${texts.privacy}</a></p>`

/** The script says these while it sends the form. */
const formHead = ({ path, texts }: View): Html =>
  html`<form class="guest" method="post" action="${path}" data-guest-form data-booking="${texts.booking}" data-offline="${texts.offline}">`

export function formOf(view: View, startMs: number, state: FormState): Html {
  const { problem } = state
  const { texts } = view
  const elsewhere = problem && !hasField(view, problem.field ?? '')
  return html`<main class="card narrow" id="main" data-view="form">
${intro(view)}
${elsewhere && html`<p class="notice" role="alert">${problem.message}</p>`}
<section class="chosen" aria-labelledby="chosen">
<h2 id="chosen">${texts.when}</h2>
<p>${slotText(view, startMs)}</p>
<p><a href="${view.linkTo({ day: view.times.dateIn(startMs) })}">${texts.otherTime}</a></p>
</section>
${formHead(view)}
<input type="hidden" name="start" value="${new Date(startMs).toISOString()}">
${formParts(view, state)}
<button>${texts.book}</button>
</form>
</main>`
}

/** The slot was taken in the meantime: the same form, with other times to choose from. */
export function takenOf(view: View, startMs: number, others: readonly number[], state: FormState): Html {
  const { texts, times } = view
  const time = `${times.dayWithYear(startMs)}, ${times.time(startMs)}`
  return html`<main class="card narrow" id="main" data-view="taken">
${intro(view)}
<div class="notice" role="alert" tabindex="-1" autofocus><p>${filled(texts.taken, { time })}</p></div>
${
  others.length === 0
    ? html`<p>${texts.noOthers}</p>`
    : html`${formHead(view)}
<fieldset>
<legend>${texts.stillFree}</legend>
<div class="others">
${others.map(
  (other) =>
    html`<label class="other"><input type="radio" name="start" value="${new Date(other).toISOString()}" required><span>${times.shortDay(other)}, ${times.time(other)}</span></label>\n`,
)}</div>
<p class="muted">${filled(texts.shownIn, { zone: `${zoneName(times.zone)} (${times.zoneName(others[0]!)})` })}</p>
</fieldset>
${formParts(view, state)}
<button>${texts.bookChosen}</button>
</form>`
}
${contactOf(view)}
<p><a href="${view.linkTo({})}">${texts.seeAll}</a></p>
</main>`
}
