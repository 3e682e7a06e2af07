// The fields of a form: those that every page has, and the questions of its owner.

import { guestsAllowed, maxGuestsLength } from '../../src/bookingPages/additionalGuests.ts'
import { filled } from '../../src/bookingPages/languages/languages.ts'
import { maxAnswerLength, type Question } from '../../src/bookingPages/questions.ts'
import { maxNameLength, maxNotesLength } from '../../src/bookingPages/schema.ts'
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

/** The unchecked input of an earlier attempt. */
export type Typed = { name?: string; email?: string; notes?: string; answers?: Record<string, string>; guests?: string }

export type FormState = {
  typed: Typed
  /** The problem, and its field. */
  problem?: { message: string; field?: string | undefined } | undefined
}

export const fieldsOf = ({ page, texts }: View, { typed, problem }: FormState): Html => html`
${field('name', texts.name, problem, (rest) => html`<input id="name" name="name" type="text" dir="auto" autocomplete="name" required maxlength="${maxNameLength}" value="${typed.name}"${rest}>`)}
${field('email', texts.email, problem, (rest) => html`<input id="email" name="email" type="email" dir="auto" autocomplete="email" required maxlength="320" value="${typed.email}"${rest}>`)}
${guestsField(page, texts, { typed, problem })}${(page.details.questions ?? []).map((asked) => questionField(asked, texts, { typed, problem }))}${field(
  'notes',
  texts.notes,
  problem,
  (rest) => html`<textarea id="notes" name="notes" rows="4" dir="auto" maxlength="${maxNotesLength}"${rest}>
${typed.notes}</textarea>`,
)}`

/** Whether the form shows a field of this name. */
export const hasField = ({ page }: View, name: string): boolean =>
  [
    'name',
    'email',
    'notes',
    ...(guestsAllowed(page.details) > 0 ? ['guests'] : []),
    ...(page.details.questions ?? []).map((asked) => `answers.${asked.name}`),
  ].includes(name)

function guestsField(page: View['page'], texts: View['texts'], { typed, problem }: FormState): Html | undefined {
  const max = guestsAllowed(page.details)
  if (max === 0) return undefined
  const hint = filled(texts.othersHint, { n: String(max) })
  return html`${field(
    'guests',
    texts.others,
    problem,
    (rest) =>
      html`<input id="guests" name="guests" type="text" inputmode="email" dir="auto" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="${maxGuestsLength}" value="${typed.guests}"${rest || html` aria-describedby="guests-hint"`}>`,
    html`<p class="muted hint" id="guests-hint">${hint}</p>`,
  )}
`
}

function questionField(asked: Question, texts: View['texts'], { typed, problem }: FormState): Html {
  const name = `answers.${asked.name}`
  const given = typed.answers?.[asked.name]
  const needed = asked.required && html` required`
  const label = asked.required ? asked.label : filled(texts.optional, { label: asked.label })
  return html`${field(name, label, problem, (rest) => {
    if (asked.kind === 'choice') {
      const options = (asked.options ?? []).map(
        (option) => html`<option value="${option}"${option === given && html` selected`}>${option}</option>`,
      )
      return html`<select id="${name}" name="${name}" dir="auto"${needed}${rest}><option value="">${texts.choose}</option>${options}</select>`
    }
    if (asked.kind === 'long_text') {
      return html`<textarea id="${name}" name="${name}" rows="3" dir="auto" maxlength="${maxAnswerLength.long_text}"${needed}${rest}>
${given}</textarea>`
    }
    return html`<input id="${name}" name="${name}" type="text" dir="auto" maxlength="${maxAnswerLength.text}" value="${given}"${needed}${rest}>`
  })}
`
}

/** A wrong field takes the focus. */
function field(
  name: string,
  label: string,
  problem: FormState['problem'],
  input: (rest: Html | undefined) => Html,
  hint?: Html,
): Html {
  const wrong = problem?.field === name
  const rest = wrong ? html` aria-invalid="true" aria-describedby="${name}-problem" autofocus` : undefined
  return html`<div class="field"><label for="${name}" dir="auto">${label}</label>${input(rest)}${hint}${
    wrong && html`<p class="wrong" id="${name}-problem">${problem?.message}</p>`
  }</div>`
}
