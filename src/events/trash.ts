// Reading the trash of a calendar: what was deleted, and whether it can be restored.
import type { Actor } from '../actors/actor.ts'
import { requireMatch } from '../actors/precondition.ts'
import { agentDecommissioned } from '../agents/agents.ts'
import type { App } from '../app.ts'
import { requireCalendar } from '../calendars/calendars.ts'
import { conflict, notFound } from '../errors.ts'
import { decodeId } from '../shapes/ids.ts'
import { type List, listPage, type Page } from '../shapes/lists.ts'
import { mapInSlices } from '../shapes/slices.ts'
import { inBlocks } from '../stores/inBlocks.ts'
import { refuseStrangers } from './find.ts'
import { type DeletedEventRecord, type EventRecord, presentDeleted, presentEvent } from './present.ts'
import { isRestorable, trashSince } from './rules.ts'
import { deletedPage, deletedTotal, eventEvenDeleted, type FoundEvent, purgeDeleted } from './trashQueries.ts'

export async function listDeletedEvents(
  app: App,
  actor: Actor,
  calendarId: string,
  page: Page,
): Promise<List<DeletedEventRecord>> {
  const { id, orgId } = await requireCalendar(app, actor, calendarId)
  const now = app.clock.now()
  const trash = { orgId, calendarId: id, since: trashSince(now) }
  const [rows, [count]] = await Promise.all([deletedPage(app.sql, trash, page), deletedTotal(app.sql, trash)])
  return listPage(await mapInSlices(rows, (row) => presentDeleted(app, row, now)), count?.total ?? 0, page)
}

/** An event that may have been deleted: it is there, or in the trash. */
export async function requireKnownEvent(app: App, actor: Actor, eventId: string): Promise<FoundEvent> {
  const id = decodeId('evt', eventId)
  const [row] = id ? await eventEvenDeleted(app.sql, actor.orgId, id) : []
  if (!row || (row.deletedAt && row.deletedAt < trashSince(app.clock.now()))) throw notFound('event', null, eventId)
  refuseStrangers(actor, row)
  return row
}

/** With the zone of its calendar. */
export async function getEventEvenDeleted(
  app: App,
  actor: Actor,
  eventId: string,
): Promise<{ event: EventRecord; timezone: string }> {
  const row = await requireKnownEvent(app, actor, eventId)
  return { event: presentEvent(app, row, app.clock.now()), timezone: row.timezone }
}

/** One that the caller may bring back. `isDeleted`: the event itself; otherwise an occurrence of one that is there. */
export async function requireRestorable(
  app: App,
  actor: Actor,
  eventId: string,
  { isDeleted }: { isDeleted: boolean },
): Promise<FoundEvent> {
  const row = await requireKnownEvent(app, actor, eventId)
  const now = app.clock.now()
  if (!isDeleted && row.deletedAt) throw notFound('event', null, eventId)
  requireMatch(actor, () => (isInTrash(row) ? presentDeleted(app, row, now) : presentEvent(app, row, now)))
  if (row.source !== 'internal')
    throw notRestorable('This event comes from an external feed. Restore it where it was made.')
  if (isDeleted && !row.deletedAt) throw conflict('This event is not deleted.', 'not_deleted')
  if (row.status === 'hold') throw notRestorable('A hold cannot be restored. Place a new one.')
  if (!isRestorable(row)) throw notRestorable('A booking cannot be restored: its guest was told that it ended.')
  if (row.ownerStatus === 'decommissioned') throw agentDecommissioned()
  return row
}

const isInTrash = (row: FoundEvent): row is FoundEvent & { deletedAt: Date } => row.deletedAt !== null

const notRestorable = (message: string) => conflict(message, 'not_restorable')

/** Removes the rows and texts of events that are in the trash no longer. */
export function purgeTrash({ sql, clock }: App): Promise<void> {
  const before = trashSince(clock.now())
  return inBlocks(1_000, (max) => purgeDeleted(sql, before, max))
}
