// The answer of a requirement's calendars to a requested time: free, free if lower holds yield, or taken.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Verdict } from '../availability/judge.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import type { SeenCalendar } from '../calendars/writes.ts'
import { again } from '../commit/decide.ts'
import type { CreateGroupBody } from '../holdGroups/schema.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { HoldCalendar } from './queries.ts'
import { judgeEvent } from './requireFree.ts'
import { readRivals } from './rivals.ts'
import { decideHold, type LiveHold } from './rules.ts'
import type { JudgedEvent } from './spans.ts'

/** A calendar that a requirement lists, with the time that is wanted of it. */
export type Asked = JudgedEvent & {
  requirement: number
  /** As it was sent. */
  sent: string
  param: string
}

export type Answered = Asked & {
  answer: 'free' | 'yielding' | 'taken'
  /** Lower holds that would end. */
  yields: readonly LiveHold[]
  calendar: HoldCalendar
  verdict: Verdict | undefined
}

/** Throws for a malformed identifier. */
export const askedOf = ({ orgId }: Actor, body: CreateGroupBody): Asked[] =>
  body.requirements.flatMap(({ calendar_ids, start_time = body.start_time, end_time = body.end_time }, requirement) =>
    calendar_ids.map((sent, place) => {
      const param = `requirements.${requirement}.calendar_ids.${place}`
      const times = { startTime: start_time, endTime: end_time, recurrenceRule: null, recurrenceExdates: [] }
      return { orgId, calendarId: requireCalendarId(sent, param), ...times, requirement, sent, param }
    }),
  )

/** All of one moment: `again` if a calendar changed while they were read. Throws what forbids a write to one of them. */
export async function answersOf(
  app: App,
  actor: Actor,
  asked: readonly Asked[],
  { hold_priority: priority, require_free: mustBeFree }: CreateGroupBody,
  now: Date,
): Promise<Answered[] | typeof again> {
  const judge = (one: Asked) => judgeEvent(app, one, { holdsBelow: priority }, 'availability', now)
  const holds = asked.map((one) => ({ ...one, now }))
  const [calendars, verdicts] = await Promise.all([
    readRivals(app, holds),
    mustBeFree ? Promise.all(asked.map(judge)) : [],
  ])
  const answers: (Answered | typeof again)[] = []
  for (const [nth, one] of asked.entries()) {
    const calendar = calendars[nth]
    const verdict = verdicts[nth]
    const isOpen = calendar && calendar.ownerStatus !== 'decommissioned'
    if (!isOpen || (actor.agentId && actor.agentId !== calendar.agentId)) {
      await requireLiveCalendar(app, actor, one.sent, one.param)
      return again
    }
    const isSeenWhole = !mustBeFree || verdict?.revision === calendar.revision
    answers.push(isSeenWhole ? answerOf(one, calendar, verdict, priority) : again)
  }
  return answers.some((one) => one === again) ? again : (answers as Answered[])
}

function answerOf(one: Asked, calendar: HoldCalendar, verdict: Verdict | undefined, priority: number): Answered {
  const decision = decideHold(priority, calendar.rivals)
  const known = { ...one, calendar, verdict }
  if (decision.kind === 'blocked' || (verdict && verdict.conflicts.length > 0))
    return { ...known, answer: 'taken', yields: [] }
  return { ...known, answer: decision.preempt.length > 0 ? 'yielding' : 'free', yields: decision.preempt }
}

/** The state that the choice depends on: all of it must be unchanged when the group is written. */
export const seenCalendars = (answers: readonly Answered[]): SeenCalendar[] =>
  answers.map(({ calendarId, calendar, verdict }) => ({
    id: calendarId,
    holdsRevision: calendar.holdsRevision,
    revision: verdict?.revision,
    mustBeOpen: true,
  }))

export const ownersOf = (calendars: readonly { agentId: Uuid | null }[]): Uuid | null => {
  const [first, ...others] = new Set(calendars.map(({ agentId }) => agentId))
  return others.length === 0 ? (first ?? null) : null
}
