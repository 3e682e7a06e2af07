// The form that books one slot. After a failed attempt it still has what the guest typed.
import { maxNameLength, maxNotesLength } from '../../src/booking/schema.ts'
import { randomToken } from '../../src/sealing/sealer.ts'
import { type Html, html } from './html.ts'
import { intro, slotText, zoneName } from './parts.ts'
import type { View } from './view.ts'

/** The unchecked input of an earlier attempt. */
export type Typed = { name?: string; email?: string; notes?: string }

type FormState = {
  typed: Typed
  /** What went wrong, and in which field. */
  problem?: { message: string; field?: string }
}

const formParts = ({ typed, problem }: FormState): Html => html`
${field('name', 'Name', problem, (rest) => html`<input id="name" name="name" type="text" dir="auto" autocomplete="name" required maxlength="${maxNameLength}" value="${typed.name}"${rest}>`)}
${field('email', 'E-mail', problem, (rest) => html`<input id="email" name="email" type="email" dir="auto" autocomplete="email" required maxlength="320" value="${typed.email}"${rest}>`)}
${field(
  'notes',
  'Notes (optional)',
  problem,
  (rest) => html`<textarea id="notes" name="notes" rows="4" dir="auto" maxlength="${maxNotesLength}"${rest}>
${typed.notes}</textarea>`,
)}
<input type="hidden" name="attempt" value="${randomToken(16)}">
<div class="trap" aria-hidden="true"><label for="website">Leave this empty</label><input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></div>`

/** A wrong field takes the focus. */
function field(name: string, label: string, problem: FormState['problem'], input: (rest: Html) => Html): Html {
  const wrong = problem?.field === name
  const rest = wrong ? html` aria-invalid="true" aria-describedby="${name}-problem" autofocus` : html``
  return html`<div class="field"><label for="${name}">${label}</label>${input(rest)}${
    wrong && html`<p class="wrong" id="${name}-problem">${problem?.message}</p>`
  }</div>`
}

export function formOf(view: View, startMs: number, state: FormState): Html {
  const { problem } = state
  const elsewhere = problem && !['name', 'email', 'notes'].includes(problem.field ?? '')
  return html`<main class="card narrow" id="main" data-view="form">
${intro(view)}
${elsewhere && html`<p class="notice" role="alert">${problem.message}</p>`}
<section class="chosen" aria-labelledby="chosen">
<h2 id="chosen">Your time</h2>
<p>${slotText(view, startMs)}</p>
<p><a href="${view.linkTo({ day: view.times.dateIn(startMs) })}">Choose another time</a></p>
</section>
<form class="guest" method="post" action="${view.path}" data-guest-form>
<input type="hidden" name="start" value="${new Date(startMs).toISOString()}">
<input type="hidden" name="zone" value="${view.times.zone}">
${formParts(state)}
<button>Book this time</button>
</form>
</main>`
}

/** The slot was taken in the meantime: the same form, with other times to choose from. */
export function takenOf(view: View, startMs: number, others: readonly number[], state: FormState): Html {
  return html`<main class="card narrow" id="main" data-view="taken">
${intro(view)}
<div class="notice" role="alert"><p>${view.times.dayWithYear(startMs)}, ${view.times.time(startMs)} is no longer free. Nothing was booked.</p></div>
${
  others.length === 0
    ? html`<p>There are no other free times at the moment. Please look again later.</p>`
    : html`<form class="guest" method="post" action="${view.path}" data-guest-form>
<fieldset>
<legend>These times are still free</legend>
<div class="others">
${others.map(
  (other, nth) =>
    html`<label class="other"><input type="radio" name="start" value="${new Date(other).toISOString()}" required${
      nth === 0 && html` autofocus`
    }><span>${view.times.shortDay(other)}, ${view.times.time(other)}</span></label>\n`,
)}</div>
<p class="muted">Times are shown in ${zoneName(view.times.zone)}.</p>
</fieldset>
<input type="hidden" name="zone" value="${view.times.zone}">
${formParts(state)}
<button>Book the chosen time</button>
</form>`
}
<p><a href="${view.linkTo({})}">See all times</a></p>
</main>`
}
