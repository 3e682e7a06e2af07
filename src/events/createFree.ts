// Creating an event that is written only if its time is free. Those of a calendar that come at the same moment are judged side by side
// in one round; those that are free and not in each other's way are written by one statement.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { type Spans, wouldMeet } from '../availability/inTheWay.ts'
import type { Judgement, Rules } from '../availability/judge.ts'
import { requireCalendarId, requireLiveCalendar } from '../calendars/calendars.ts'
import { again } from '../commit/decide.ts'
import { inRounds, type Rounds } from '../commit/rounds.ts'
import type { Uuid } from '../shapes/ids.ts'
import { externalSyncOf } from './externalSync.ts'
import { freeEvents, writeNew } from './newEvents.ts'
import { type Planned, planEvent } from './plan.ts'
import { judgeEvent, notFree, type Terms } from './requireFree.ts'
import type { CreateEventBody } from './schema.ts'
import { spansOf } from './wanted.ts'
import type { Written } from './written.ts'

type Asked = {
  actor: Actor
  calendarId: string
  body: CreateEventBody
  terms: Terms & { free: Rules }
  /** Where the calendar is published to, as far as is known. */
  published: { destinationId: Uuid | null }
}

export const createFreeEvent = (
  app: App,
  actor: Actor,
  calendarId: string,
  body: CreateEventBody,
  terms: Terms & { free: Rules },
): Promise<Written> => {
  const published = { destinationId: null }
  return inRounds(app, freeTimes, requireCalendarId(calendarId), { actor, calendarId, body, terms, published })
}

type Read = Planned & Asked & { judgement: Judgement; spans: Spans; now: Date }

/** Whether the calendar may be written to is looked into only before a refusal. */
const freeTimes: Rounds<Asked, Read, Written> = {
  noun: 'calendar',
  read: async (app, key, asked) => {
    const { actor, calendarId, body, terms } = asked
    const now = app.clock.now()
    const planned = planEvent(app, actor, key as Uuid, body, now)
    const judgement = await judgeEvent(app, planned.row, {}, terms.free, now)
    // The calendar got another owner, or was restored, while it was read.
    if (!judgement || (actor.agentId && actor.agentId !== judgement.agentId)) {
      await requireLiveCalendar(app, actor, calendarId)
      return again
    }
    return { ...asked, ...planned, judgement, spans: spansOf(planned.row, terms.free), now }
  },
  refusal: (app, { actor, calendarId, body, terms, row, judgement, now }) =>
    judgement.inTheWay.length === 0
      ? undefined
      : async () => {
          await requireLiveCalendar(app, actor, calendarId)
          return notFree(app, { ...row, title: body.title }, {}, judgement, terms, now)
        },
  /** It was judged by the latest revision, and is in the way of none before it. */
  goesWith: ({ judgement: { revision, apartMs }, spans }, chosen, all) =>
    all.every(({ judgement }) => judgement.revision <= revision) &&
    !chosen.some((other) => wouldMeet(other.spans, spans, apartMs)),
  write: async (app, { actor, calendarId, published, row, event, judgement, now }) => {
    const { destinationId } = published
    const sync = await externalSyncOf(app, destinationId, { row, event }, now)
    const seen = { destinationId, revision: judgement.revision }
    if (await writeNew(app, actor, freeEvents, { row, event, seen, sync })) return { event, sync }
    published.destinationId = (await requireLiveCalendar(app, actor, calendarId)).destinationId
    return again
  },
}
