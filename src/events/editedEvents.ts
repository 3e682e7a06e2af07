// How events are edited, confirmed, released, deleted and restored: changes of one moment share a statement. Its guard has the events
// that have not changed since they were read, on open calendars with the same reminders and destination as then.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Audited } from '../audit/record.ts'
import { bumpCalendars, isOpen } from '../calendars/writes.ts'
import type { Origin } from '../changeLog/origin.ts'
import { guard } from '../commit/step.ts'
import { publishAll } from '../externalCopies/publish.ts'
import { emittedOf, type Recorded, recordedColumns, recordOf } from '../recording/record.ts'
import { type Alone, type Kind, together } from '../recording/together.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Timer } from '../timers/timers.ts'
import { clearRefitted, type Moment, refitTimers } from '../timers/writes.ts'
import type { Emission } from '../webhooks/emit.ts'
import { detailTypes, type EventRow, plainEditableTypes } from './columns.ts'
import { hasOtherDetails } from './details.ts'
import { overrideEffects, publishedOf, timersWithOverrides } from './overrideEffects.ts'
import type { OverrideChanges } from './overrides.ts'
import type { EventWithCalendar } from './queries.ts'
import { rewriteEvents } from './writes.ts'
import { answerOf, type Written } from './written.ts'

type Edit = {
  before: EventWithCalendar
  row: EventRow
  /** From now on no read finds it. */
  isRemoved?: boolean
  /** Until now no read found it. */
  isRestored?: boolean
  /** All of them, if they change. They include those that are due and have not fired yet. */
  moments?: readonly Timer[] | undefined
  /** Whether its copy is compared anew, and whether its start, end or rule changed. */
  publishes: boolean
  isMoved: boolean
  /** Of the calendar, if the new time was found free. */
  seenRevision?: number | undefined
  /** Of a series. */
  overrides?: OverrideChanges | undefined
  now: Date
}

type Item = Recorded &
  EventRow & {
    /** Null: it was deleted. */
    was: EventRow['status'] | null
    deletedAt: Date | null
    seenVersion: string
    seenReminders: number[] | null
    seenRevision: number | undefined
    destinationId: Uuid | null
    publishes: boolean
    isMoved: boolean
    refits: boolean
    moments: readonly Moment[]
    overrides: OverrideChanges | undefined
  }

const columns = {
  ...recordedColumns,
  ...plainEditableTypes,
  calendarId: 'uuid',
  was: 'text',
  deletedAt: 'timestamptz',
  seenVersion: 'text',
  seenReminders: 'integer[]',
  seenRevision: 'bigint',
  destinationId: 'uuid',
  publishes: 'boolean',
  isMoved: 'boolean',
  refits: 'boolean',
} as const

/** `withDetails`: the edit changes the details. Another one does not send them. */
const kindOf = (withDetails: boolean): Kind<Item> => ({
  columns: withDetails ? { ...columns, ...detailTypes } : columns,
  // Two times of one calendar that were found free may be in each other's way.
  keysOf: ({ id, calendarId, seenRevision }) => (seenRevision === undefined ? [id] : [id, calendarId]),
  decidedBy: ({ sql }, items) => ({
    rows: sql`
      from ${items} i
      join events e on e.org_id = i.org_id and e.id = i.id
      join calendars c on c.org_id = e.org_id and c.id = e.calendar_id
      where ${isOpen(sql, sql`c`)}
        and i.seen_reminders is not distinct from c.default_reminders
        and i.destination_id is not distinct from c.destination_id
        and (i.seen_revision is null or i.seen_revision = c.revision)
        and i.seen_version = e.xmin::text`,
    columns: sql`c.agent_id, case when i.deleted_at is null then i.status end as becomes`,
    // The calendar first, as in every change.
    order: sql`c.org_id, c.id, e.id`,
    locks: sql`c, e`,
  }),
  write(app, admitted, items) {
    const { sql } = app
    const bumped = bumpCalendars(app, admitted)
    const isPublished = items.some(({ destinationId, publishes }) => destinationId !== null && publishes)
    const isMoved = sql`(select g.is_moved from ${guard} g where g.org_id = excluded.org_id and g.id = excluded.event_id)`
    return {
      steps: [bumped],
      guard: sql`select i.*, c.revision from ${admitted} i join ${bumped} c on c.org_id = i.org_id and c.id = i.calendar_id`,
      effects: [
        rewriteEvents(app, sql`${guard} i`, { withDetails }),
        ...overrideEffects(app, items),
        ...timersOf(app, items),
        isPublished ? publishAll(app, publishedOf(app, items), isMoved) : undefined,
      ],
    }
  },
})

const editedEvents = kindOf(false)
const editedDetails = kindOf(true)

const kindOfEdit = ({ before, row }: Edit): Kind<Item> => (hasOtherDetails(before, row) ? editedDetails : editedEvents)

/** A hold has one timer, which none of its later moments replaces. */
function timersOf(app: App, items: readonly Item[]) {
  if (items.some(({ overrides }) => overrides)) return timersWithOverrides(app, items)
  if (!items.some(({ refits }) => refits)) return []
  const moments = items.flatMap((item) => item.moments)
  if (moments.length === 0) return [clearRefitted(app)]
  return refitTimers(app, moments, { mayMove: items.some(({ refits, was }) => refits && was !== 'hold') })
}

/** The record of an edit. */
type Done = Omit<Audited, 'actor'> & { emission: Emission; origin?: Origin; response: unknown; extras?: object }

/** Of one after which the event is there, whatever else it emits. */
export const asUpdate = ({ event, sync, overlaps }: Written): Done => ({
  emission: { type: 'event.updated', payload: { calendar_id: event.calendarId, event } },
  ...{ action: 'event.update', resource: event.id },
  ...{ response: answerOf({ event, sync }), extras: { overlaps } },
})

/** False: the event or its calendar has changed since it was read. */
export const writeEdit = (app: App, actor: Actor, edit: Edit, done: Done, alone?: Alone): Promise<boolean> =>
  together(app, kindOfEdit(edit), { ...changesOf(edit), ...recordOf(app, actor, { id: edit.row.id, ...done }) }, alone)

/** Emissions of an event that happen by themselves, before a request can change it. */
export const writeByItself = (
  app: App,
  actor: Actor,
  edit: Edit,
  emission: Emission,
  origin: Origin,
): Promise<boolean> =>
  together(app, kindOfEdit(edit), {
    ...changesOf(edit),
    ...emittedOf(app, actor, { id: edit.row.id, emission, origin }),
  })

const changesOf = ({
  before,
  row,
  isRemoved,
  isRestored,
  moments,
  publishes,
  isMoved,
  seenRevision,
  overrides,
  now,
}: Edit) => ({
  ...row,
  was: isRestored ? null : before.status,
  deletedAt: isRemoved ? row.updatedAt : null,
  seenVersion: before.version,
  seenReminders: before.defaultReminders,
  seenRevision,
  destinationId: before.destinationId,
  ...{ publishes, isMoved, refits: moments !== undefined },
  moments: momentsOf(row.id, moments ?? [], now),
  overrides,
})

const momentsOf = (subjectId: Uuid, moments: readonly Timer[], now: Date): Moment[] =>
  moments.map((moment) => ({ ...moment, subjectId, isComing: moment.dueAt > now }))
