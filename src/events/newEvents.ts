// How new events are written: those of one moment share a statement. Its guard has the events whose calendar can be written to
// and has not changed in the fields that they were decided by.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { bumpCalendars, isOpen } from '../calendars/writes.ts'
import { guard } from '../commit/step.ts'
import { publishAll } from '../externalCopies/publish.ts'
import { type Recorded, recordedColumns, recordOf } from '../recording/record.ts'
import { type Alone, type Kind, together } from '../recording/together.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { detailTypes, type EventRow, noDetails, plainTypes, singleRest, singleTypes } from './columns.ts'
import { hasDetails } from './details.ts'
import type { ExternalSync } from './externalSync.ts'
import type { Planned } from './plan.ts'
import { comingMoments, newEventTimers } from './timers.ts'
import { insertEvents } from './writes.ts'
import { answerOf, type Extras } from './written.ts'

/** The fields of the calendar that the decision depends on: each one that is set is compared. */
type Seen = {
  /** Where it is published to. */
  destinationId: Uuid | null
  revision?: number
  holdsRevision?: number
  defaultReminders?: number[] | null
}

type Item = Recorded &
  EventRow & { destinationId: Uuid | null; seenRevision?: number; seenHolds?: number; seenReminders?: number[] | null }

const common = { ...recordedColumns, destinationId: 'uuid' } as const

type Differences = {
  columns: Kind<Item>['columns']
  /** The columns of an event that such events have in common. */
  rest?: Fragment
  /** Compares the calendar `c` with the item `i`. */
  isAsSeen?(sql: Sql): Fragment
}

const kindOf = ({ columns, rest, isAsSeen }: Differences, { isPlain }: { isPlain: boolean }): Kind<Item> => ({
  columns: isPlain ? columns : { ...columns, ...detailTypes },
  // Two holds of a key were decided by one number of its active holds.
  keysOf: ({ id, counted }) => (counted?.seenHolds == null ? [id] : [id, counted.keyId]),
  decidedBy: ({ sql }, items) => ({
    rows: sql`
      from ${items} i
      join calendars c on c.org_id = i.org_id and c.id = i.calendar_id
      where ${isOpen(sql, sql`c`)}
        and (i.actor_agent_id is null or i.actor_agent_id = c.agent_id)
        and i.destination_id is not distinct from c.destination_id
        ${isAsSeen ? sql`and ${isAsSeen(sql)}` : sql``}`,
    columns: sql`${rest ? sql`${rest},` : sql``} ${isPlain ? sql`${noDetails},` : sql``} c.agent_id, c.default_reminders, null::text as was, i.status as becomes`,
    order: sql`c.org_id, c.id`,
    locks: sql`c`,
  }),
  write(app, admitted, items) {
    const { sql } = app
    const bumped = bumpCalendars(app, admitted)
    const published = items.some(({ destinationId, status }) => destinationId !== null && status !== 'hold')
    return {
      steps: [bumped],
      guard: sql`select i.*, c.revision from ${admitted} i join ${bumped} c on c.org_id = i.org_id and c.id = i.calendar_id`,
      effects: [
        insertEvents(app, sql`${guard} i`),
        newEventTimers(app, sql`${guard} e`, items.flatMap(momentsOf)),
        published ? publishAll(app, sql`(select * from ${guard} where status <> 'hold') e`, sql`true`) : undefined,
      ],
    }
  },
})

const momentsOf = ({ seenReminders: defaultReminders = null, ...row }: Item) =>
  comingMoments({ ...row, defaultReminders }, row.createdAt)

const isAtRevision = (sql: Sql) => sql`(i.seen_revision is null or i.seen_revision = c.revision)`

/** One kind for events without details, whose statement does not send any, and one for the others. */
type Kinds = Record<'plain' | 'detailed', Kind<Item>>

const kindsOf = (differences: Differences): Kinds => ({
  plain: kindOf(differences, { isPlain: true }),
  detailed: kindOf(differences, { isPlain: false }),
})

/** They happen once and are no holds. Nothing was read for them. */
export const plainEvents = kindsOf({ columns: { ...common, ...singleTypes }, rest: singleRest })

/** Such events whose time was found free. */
export const freeEvents = kindsOf({
  columns: { ...common, ...singleTypes, seenRevision: 'bigint' },
  rest: singleRest,
  isAsSeen: isAtRevision,
})

/** They end no other hold, so those that have gone since they were decided do not matter. */
export const newHolds = kindsOf({
  columns: { ...common, ...plainTypes, seenRevision: 'bigint', seenHolds: 'bigint' },
  isAsSeen: (sql) => sql`i.seen_holds = c.holds_revision and ${isAtRevision(sql)}`,
})

export const newSeries = kindsOf({
  columns: { ...common, ...plainTypes, seenRevision: 'bigint', seenReminders: 'integer[]' },
  isAsSeen: (sql) => sql`i.seen_reminders is not distinct from c.default_reminders and ${isAtRevision(sql)}`,
})

/** `seenHolds`: how many holds the key had placed today, where that decides. */
export type New = Planned & { seen: Seen; sync: ExternalSync; extras?: Extras; seenHolds?: number | undefined }

/** False: the calendar is gone, or something of `seen` has changed, or the actor may not write to it. */
export const writeNew = (
  app: App,
  actor: Actor,
  kinds: Kinds,
  { row, event, seen, sync, extras, seenHolds: placed }: New,
  alone?: Alone,
): Promise<boolean> => {
  const type = row.status === 'hold' ? 'event.hold_created' : 'event.created'
  const recorded = recordOf(app, actor, {
    id: row.id,
    emission: { type, payload: { calendar_id: event.calendarId, event } },
    ...{ action: 'event.create', resource: event.id },
    ...{ response: answerOf({ event, sync }), made: [event.id], extras, seenHolds: placed },
  })
  const { destinationId, revision: seenRevision, holdsRevision: seenHolds, defaultReminders: seenReminders } = seen
  const kind = hasDetails(row) ? kinds.detailed : kinds.plain
  return together(app, kind, { ...row, ...recorded, destinationId, seenRevision, seenHolds, seenReminders }, alone)
}
