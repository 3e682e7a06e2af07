// What the guardrails of a key forbid about an event, decided before anything of it is read or written.
import type { Actor } from '../actors/actor.ts'
import { guarded } from '../errors.ts'
import { refuseTimes } from '../guardrails/rules.ts'
import type { Recurring } from '../timers/series.ts'
import type { CreateEventBody } from './schema.ts'
import { spansOf } from './wanted.ts'

/** Throws if the guardrails of the caller's key forbid an event at this time. */
export function requireAllowedTimes({ guardrails }: Actor, event: Recurring, now: Date): void {
  if (!guardrails) return
  const refusal = refuseTimes(guardrails, spansOf(event, 'availability'), now)
  if (refusal) throw guarded(refusal.guardrail, refusal.message)
}

/** The rule of the event was accepted. */
export const requireAllowedNew = (actor: Actor, body: CreateEventBody, now: Date): void => {
  const { start_time: startTime, end_time: endTime, recurrence_rule: recurrenceRule = null } = body
  requireAllowedTimes(actor, { startTime, endTime, recurrenceRule, recurrenceExdates: [] }, now)
}

export function requireAllowedPriority({ guardrails }: Actor, { hold_priority: priority = 0 }: CreateEventBody): void {
  const max = guardrails?.max_hold_priority
  if (max === undefined || priority <= max) return
  throw guarded('max_hold_priority', `The guardrails of this key allow a hold_priority of at most ${max}.`)
}

/** Whether its guardrails make every time be free that the key takes. */
export const mustBeFree = ({ guardrails }: Actor): boolean => guardrails?.require_free === true
