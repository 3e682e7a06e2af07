// Creating an event that is written only if its time is free. Those of a calendar that come at the same moment are judged side by side
// in one round; those that are free and not in each other's way are written by one statement.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { type Spans, wouldMeet } from '../availability/conflictingPieces.ts'
import type { Rules, Verdict } from '../availability/judge.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { again } from '../commit/decide.ts'
import { inRounds, type Rounds } from '../commit/rounds.ts'
import type { Uuid } from '../shapes/ids.ts'
import { externalSyncOf } from './externalSync.ts'
import { freeEvents, writeNew } from './newEvents.ts'
import { type Planned, planEvent } from './plan.ts'
import { judgeEvent, notFree, type Requirement } from './requireFree.ts'
import type { CreateEventBody } from './schema.ts'
import { spansOf } from './spans.ts'
import type { Written } from './written.ts'

type Creation = {
  actor: Actor
  calendarId: string
  body: CreateEventBody
  requirement: Requirement & { free: Rules }
  /** Where the calendar is published to, as far as is known. */
  published: { destinationId: Uuid | null }
}

export const createFreeEvent = (
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  requirement: Requirement & { free: Rules },
): Promise<Written> => {
  const published = { destinationId: null }
  return inRounds(app, freeTimes, requireCalendarId(calendarId), { actor, calendarId, body, requirement, published })
}

type Read = Planned & Creation & { verdict: Verdict; spans: Spans; now: Date }

/** Whether the calendar may be written to is looked into only before a refusal. */
const freeTimes: Rounds<Creation, Read, Written> = {
  noun: 'calendar',
  read: async (app, key, creation) => {
    const { actor, calendarId, body, requirement } = creation
    const now = app.clock.now()
    const planned = planEvent(app, actor, key as Uuid, body, now)
    const verdict = await judgeEvent(app, planned.row, {}, requirement.free, now)
    // The calendar got another owner, or was restored, while it was read.
    if (!verdict || (actor.agentId && actor.agentId !== verdict.agentId)) {
      await requireLiveCalendar(app, actor, calendarId)
      return again
    }
    return { ...creation, ...planned, verdict, spans: spansOf(planned.row, requirement.free), now }
  },
  refusal: (app, { actor, calendarId, body, requirement, row, verdict, now }) =>
    verdict.conflicts.length === 0
      ? undefined
      : async () => {
          await requireLiveCalendar(app, actor, calendarId)
          return notFree(app, { ...row, title: body.title }, {}, verdict, requirement, now)
        },
  /** It was judged by the latest revision, and is in the way of none before it. */
  goesWith: ({ verdict: { revision, apartMs, isWithinLimits }, spans }, chosen, all) =>
    all.every(({ verdict }) => verdict.revision <= revision) &&
    !chosen.some((other) => wouldMeet(other.spans, spans, apartMs)) &&
    isWithinLimits([...chosen.flatMap((other) => other.spans), ...spans]),
  write: async (app, { actor, calendarId, published, row, event, verdict, now }) => {
    const { destinationId } = published
    const sync = await externalSyncOf(app, destinationId, { row, event }, now)
    const seen = { destinationId, revision: verdict.revision }
    if (await writeNew(app, actor, freeEvents, { row, event, seen, sync })) return { event, sync }
    published.destinationId = (await requireLiveCalendar(app, actor, calendarId)).destinationId
    return again
  },
}
