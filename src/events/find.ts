// Finds the event that a caller means, and refuses access to others.
import type { Actor } from '../actors/actor.ts'
import { requireListedCalendar } from '../actors/guardrails.ts'
import { requireMatch } from '../actors/precondition.ts'
import { agentDecommissioned } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { forbidden, notFound } from '../errors.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { batched } from '../stores/batch.ts'
import { HoldInGroup } from './holdInGroup.ts'
import { presentEvent } from './present.ts'
import { type EventKey, type EventWithCalendar, eventsByKey } from './queries.ts'
import { isLapsed, isReadOnly } from './rules.ts'

export type { EventWithCalendar as PlacedEvent } from './queries.ts'

const maxTogether = 200
const gather = { upTo: 4, gatherMs: 1 }

/** The events that are asked for in one turn of the event loop share a statement. */
const openEventReads = ({ sql }: App) =>
  batched<EventKey, EventWithCalendar | undefined>(
    maxTogether,
    async (keys) => {
      const rows = new Map((await eventsByKey(sql, keys)).map((row) => [row.id, row]))
      return keys.map(({ orgId, id, calendarId }) => {
        const row = rows.get(id)
        return row?.orgId === orgId && (calendarId === null || calendarId === row.calendarId) ? row : undefined
      })
    },
    { gather },
  )

/** For a caller that has found out by itself whose event it is. Undefined if it, or its calendar, was deleted. */
export const findEvent = (app: App, orgId: Uuid, id: Uuid): Promise<EventWithCalendar | undefined> =>
  app.memory(openEventReads)({ orgId, id, calendarId: null })

/** `calendarId` as the path names it; undefined if the path names only the event. */
export async function requireEvent(
  app: App,
  actor: Actor,
  eventId: string,
  calendarId: string | undefined,
): Promise<EventWithCalendar> {
  const uuid = decodeId('evt', eventId)
  const calendarUuid = calendarId === undefined ? undefined : decodeId('cal', calendarId)
  const isMalformed = calendarId !== undefined && calendarUuid === undefined
  const asked = uuid && !isMalformed ? { orgId: actor.orgId, id: uuid, calendarId: calendarUuid ?? null } : undefined
  const row = asked && (await app.memory(openEventReads)(asked))
  if (!row) {
    if (calendarId !== undefined) await requireCalendar(app, actor, calendarId)
    throw notFound('event', null, eventId)
  }
  refuseStrangers(actor, row)
  return row
}

/** Throws if the key of the caller has no access to the event. */
export function refuseStrangers(actor: Actor, row: Pick<EventWithCalendar, 'agentId' | 'calendarId'>): void {
  if (actor.agentId && actor.agentId !== row.agentId) throw forbidden("This key's agent does not own this calendar.")
  requireListedCalendar(actor, row.calendarId)
}

/**
 * An event that may be changed: not imported, not under a decommissioned agent, no hold of a group. Throws `precondition_failed` if the
 * caller saw another one.
 */
export const requireWritableEvent = (
  app: App,
  actor: Actor,
  eventId: string,
  calendarId: string | undefined,
): Promise<EventWithCalendar> =>
  requireChangeableEvent(app, actor, eventId, calendarId, (row) =>
    requireMatch(actor, () => presentEvent(app, row, app.clock.now())),
  )

/** The same for a caller that may have seen only a part of it. */
export async function requireChangeableEvent(
  app: App,
  actor: Actor,
  eventId: string,
  calendarId: string | undefined,
  compare: (row: EventWithCalendar) => void = () => undefined,
): Promise<EventWithCalendar> {
  const row = await requireEvent(app, actor, eventId, calendarId)
  if (isReadOnly(row)) {
    throw forbidden(
      'This event comes from an external feed and is read-only. Change it where it was made.',
      'external_event_readonly',
    )
  }
  compare(row)
  if (row.ownerStatus === 'decommissioned') throw agentDecommissioned()
  if (row.holdGroupId && row.status === 'hold' && !isLapsed(row, app.clock.now()))
    throw new HoldInGroup(row, row.holdGroupId)
  return row
}
