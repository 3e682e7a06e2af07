// The subject of a request, as it is now.
import type { Actor } from '../actors/actor.ts'
import { getAgent } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { getCalendar } from '../calendars/calendars.ts'
import { ServiceError } from '../errors.ts'
import { getOccurrence } from '../events/occurrence.ts'
import type { EventRecord } from '../events/present.ts'
import { getEventInFull } from '../events/read.ts'
import { getEventEvenDeleted } from '../events/trash.ts'
import { getGroup } from '../holdGroups/read.ts'
import { isoTime } from '../shapes/datetimes.ts'
import type { Subject } from './describe.ts'

/** As the API names them. */
export type SubjectIds = {
  eventId?: string | undefined
  occurrenceStart?: string
  groupId?: string | undefined
  agentId?: string | undefined
  calendarId?: string | undefined
  /** The calendar itself, and not something on it. */
  isCalendar?: true
  /** The event is deleted, or the occurrence cancelled, and comes back. */
  isRestored?: true
}

/** A person with a mailed address has no plan and no limits. */
type Reader = Pick<Actor, 'orgId' | 'agentId' | 'guardrails'>

/** Undefined in place of everything that was deleted. */
export async function readSubject(app: App, reader: Reader, ids: SubjectIds): Promise<Subject> {
  const actor = reader as Actor
  const { eventId, groupId, agentId, isCalendar } = ids
  const found = eventId === undefined ? undefined : await ifThere(eventOf(app, actor, eventId, ids))
  const calendarId = found?.event.calendarId ?? ids.calendarId
  const [calendar, occurrence, group, agent] = await Promise.all([
    calendarId === undefined ? undefined : ifThere(getCalendar(app, actor, calendarId)),
    ids.occurrenceStart === undefined || !found
      ? undefined
      : ids.isRestored
        ? occurrenceAt(found.event, ids.occurrenceStart)
        : ifThere(getOccurrence(app, actor, occurrenceOf(found.event.id, ids.occurrenceStart))),
    groupId === undefined ? undefined : ifThere(getGroup(app, actor, groupId)),
    agentId === undefined ? undefined : ifThere(getAgent(app, actor, agentId)),
  ])
  const before = occurrence ?? found?.event ?? group ?? agent ?? (isCalendar ? calendar : undefined)
  return { before: before && { ...before }, calendar, zone: found?.timezone ?? calendar?.timezone ?? 'UTC' }
}

/** In the trash, or there. */
const eventOf = (app: App, actor: Actor, eventId: string, { isRestored, occurrenceStart }: SubjectIds) =>
  isRestored && occurrenceStart === undefined
    ? getEventEvenDeleted(app, actor, eventId)
    : getEventInFull(app, actor, undefined, eventId)

/** As the series gives it. */
function occurrenceAt(series: EventRecord, start: string): EventRecord {
  const lengthMs = Date.parse(series.endTime) - Date.parse(series.startTime)
  return { ...series, startTime: start, endTime: isoTime(new Date(Date.parse(start) + lengthMs)) }
}

const occurrenceOf = (eventId: string, start: string) => ({
  calendarId: undefined,
  eventId,
  occurrenceStart: new Date(start),
})

const ifThere = <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((error) => {
    if (error instanceof ServiceError && error.status < 500) return undefined
    throw error
  })
