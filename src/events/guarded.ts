// The refusals of a key's guardrails for an event, decided before anything of it is read or written.
import type { Actor } from '../actors/actor.ts'
import { requireListedCalendar } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { guarded } from '../errors.ts'
import { refuseTimes } from '../guardrails/rules.ts'
import { holdsToday } from '../quotas/keyDays.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Recurring } from '../timers/series.ts'
import { liveHolds } from './queries.ts'
import type { CreateEventBody } from './schema.ts'
import { spansOf } from './spans.ts'

/** Throws if the guardrails of the caller's key forbid an event at this time. */
export function requireAllowedTimes({ guardrails }: Actor, event: Recurring, now: Date): void {
  if (!guardrails) return
  const refusal = refuseTimes(guardrails, spansOf(event, 'availability'), now)
  if (refusal) throw guarded(refusal.guardrail, refusal.message)
}

/** The rule of the event was accepted. */
export const requireAllowedNew = (actor: Actor, body: CreateEventBody, now: Date): void => {
  const { start_time: startTime, end_time: endTime, recurrence_rule: recurrenceRule = null } = body
  const { recurrence_timezone: recurrenceTimezone = null, recurrence_rdates: recurrenceRdates = [] } = body
  const repeating = { recurrenceRule, recurrenceExdates: [], recurrenceTimezone, recurrenceRdates }
  requireAllowedTimes(actor, { startTime, endTime, ...repeating }, now)
}

type Prioritized = Pick<CreateEventBody, 'hold_priority'>

export function requireAllowedPriority({ guardrails }: Actor, { hold_priority: priority = 0 }: Prioritized): void {
  const max = guardrails?.max_hold_priority
  if (max === undefined || priority <= max) return
  throw guarded('max_hold_priority', `The guardrails of this key allow a hold_priority of at most ${max}.`)
}

type AskedTime = Recurring & { calendarId: Uuid }

/** The same for a group: each time on each calendar that it asks for. */
export function requireAllowedGroup(actor: Actor, asked: readonly AskedTime[], body: Prioritized, now: Date): void {
  if (!actor.guardrails) return
  for (const one of asked) {
    requireListedCalendar(actor, one.calendarId)
    requireAllowedTimes(actor, one, now)
  }
  requireAllowedPriority(actor, body)
}

/**
 * How many holds the key has placed today, if its guardrails limit how many are active: a change at that number was decided by the
 * latest one. Throws if no more may be.
 */
export async function requireFewHolds(app: App, actor: Actor, now: Date, more = 1): Promise<number | undefined> {
  const max = actor.guardrails?.max_live_holds
  if (max === undefined || !actor.agentId) return undefined
  // Before the holds are counted: one that is placed in between makes the number another one.
  const placed = await holdsToday(app, actor)
  const [row] = await liveHolds(app.sql, actor.orgId, actor.agentId, now)
  if ((row?.count ?? 0) + more <= max) return placed
  throw guarded('max_live_holds', `The guardrails of this key allow at most ${max} active holds.`)
}

/** Whether its guardrails make every time be free that the key takes. */
export const mustBeFree = ({ guardrails }: Actor): boolean => guardrails?.require_free === true
