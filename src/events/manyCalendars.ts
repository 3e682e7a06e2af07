// A change of events on several calendars, in one statement: it locks the calendars in one order, then the holds that it ends, then
// their groups. It happens only if all of them are as they were read.
import type { App } from '../app.ts'
import { bumpCalendars, lockSeenCalendars, type SeenCalendar } from '../calendars/writes.ts'
import { type Effect, effect } from '../commit/effect.ts'
import { guard, type Step, step } from '../commit/step.ts'
import { publishAll } from '../externalCopies/publish.ts'
import type { GroupRow } from '../holdGroups/queries.ts'
import { lockSeenGroups, rewriteGroups } from '../holdGroups/writes.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { rowsOf, uuids } from '../stores/sql.ts'
import { clearAllTimers } from '../timers/writes.ts'
import type { EventRow } from './columns.ts'
import type { CalendarEvent } from './queries.ts'
import { newEventTimers } from './timers.ts'
import { eventRows, insertEvents } from './writes.ts'

/** The outcome of a hold. */
export type EndedHold = { hold: CalendarEvent; outcome: NonNullable<EventRow['holdOutcome']> }

/** A group as it was read, and as it is from now on. */
export type ChangedGroup = { before: GroupRow; after: GroupRow }

type ManyCalendars = {
  orgId: Uuid
  calendars: readonly SeenCalendar[]
  groups?: readonly ChangedGroup[]
  placed?: readonly EventRow[]
  ended?: readonly EndedHold[]
  /** Holds that stay, with another time at which they expire. */
  renewed?: readonly CalendarEvent[]
  now: Date
}

/**
 * The guard has a row for each calendar: `calendar_id`, its new `revision`, `agent_id`, `default_reminders`, `destination_id`. If all
 * of them were deleted, it has one row without a calendar.
 */
export function changeMany(
  app: App,
  { orgId, calendars, groups = [], placed = [], ended = [], renewed = [], now }: ManyCalendars,
): { steps: Step[]; guard: Fragment; effects: (Effect | undefined)[] } {
  const { sql } = app
  const held = [...ended.map(({ hold }) => hold), ...renewed]
  const locked = lockSeenCalendars(app, orgId, calendars)
  const areLocked = hasAll(sql, locked, calendars.length)
  const lockedHolds = held.length > 0 ? lockHolds(sql, orgId, held, areLocked) : undefined
  const areHeld = lockedHolds ? sql`${areLocked} and ${hasAll(sql, lockedHolds, held.length)}` : areLocked
  const lockedGroups =
    groups.length > 0
      ? lockSeenGroups(
          sql,
          orgId,
          groups.map(({ before }) => before),
          areHeld,
        )
      : undefined
  const isAsSeen = lockedGroups ? sql`${areHeld} and ${hasAll(sql, lockedGroups, groups.length)}` : areHeld
  const changed = step(
    'changed_events',
    sql`
    select ${orgId}::uuid as org_id, m.*
    from ${rowsOf(sql, countedChanges(placed, ended, renewed), countedColumns, 'm')}
    where ${isAsSeen}`,
  )
  const bumped = bumpCalendars(app, changed)
  const confirmed = [...placed.filter(({ status }) => status === 'confirmed'), ...confirmedOf(ended)]
  return {
    steps: [locked, ...[lockedHolds, lockedGroups].filter((one) => one !== undefined), changed, bumped],
    guard: sql`
      select ${orgId}::uuid as org_id, c.*
      from (select 1 as passed where ${isAsSeen}) p
      left join (
        select l.id as calendar_id, b.revision, l.agent_id, l.default_reminders, l.destination_id
        from ${locked} l
        join ${bumped} b on b.id = l.id) c on true`,
    effects: [
      placed.length > 0
        ? insertEvents(app, sql`${eventRows(app, placed)} where exists (select from ${guard})`)
        : undefined,
      ended.length > 0 ? settleHolds(sql, orgId, ended, now) : undefined,
      timersOf(app, placed, confirmed, now),
      clearAllTimers(app, orgId, [
        ...ended.map(({ hold }) => hold.id),
        ...groups.filter(({ after }) => after.status !== 'held').map(({ after }) => after.id),
      ]),
      groups.length > 0
        ? rewriteGroups(
            sql,
            orgId,
            groups.map(({ after }) => after),
          )
        : undefined,
      confirmed.length > 0 ? publishConfirmed(app, orgId, confirmed) : undefined,
    ],
  }
}

const hasAll = (sql: Sql, rows: Step, count: number): Fragment => sql`(select count(*) from ${rows}) = ${count}`

const lockHolds = (sql: Sql, orgId: Uuid, holds: readonly CalendarEvent[], condition: Fragment): Step =>
  step(
    'locked_holds',
    sql`
    select e.id
    from events e
    where e.org_id = ${orgId} and e.id = any (${uuids(
      sql,
      holds.map(({ id }) => id),
    )})
      and e.status = 'hold' and e.deleted_at is null and ${condition}
    order by e.id
    for no key update of e`,
  )

const countedColumns = { calendarId: 'uuid', was: 'text', becomes: 'text' } as const

const countedChanges = (
  placed: readonly EventRow[],
  ended: readonly EndedHold[],
  renewed: readonly CalendarEvent[],
): { calendarId: Uuid; was: string | null; becomes: string }[] => [
  ...placed.map(({ calendarId, status }) => ({ calendarId, was: null, becomes: status })),
  ...ended.map(({ hold, outcome }) => ({ calendarId: hold.calendarId, was: 'hold', becomes: statusAfter(outcome) })),
  ...renewed.map(({ calendarId }) => ({ calendarId, was: 'hold', becomes: 'hold' })),
]

const statusAfter = (outcome: EndedHold['outcome']) => (outcome === 'confirmed' ? 'confirmed' : 'cancelled')

/** A hold as it is once it has ended. */
export const afterEnd = ({ hold, outcome }: EndedHold, now: Date): CalendarEvent => ({
  ...hold,
  status: statusAfter(outcome),
  holdOutcome: outcome,
  updatedAt: now,
})

const confirmedOf = (ended: readonly EndedHold[]): EventRow[] =>
  ended.filter(({ outcome }) => outcome === 'confirmed').map(({ hold }) => ({ ...hold, status: 'confirmed' }))

const endedColumns = { id: 'uuid', status: 'text', outcome: 'text' } as const

const settleHolds = (sql: Sql, orgId: Uuid, ended: readonly EndedHold[], now: Date): Effect => {
  const rows = ended.map(({ hold, outcome }) => ({ id: hold.id, status: statusAfter(outcome), outcome }))
  return effect(
    'settled_holds',
    sql`
    update events e
    set status = m.status,
      hold_outcome = m.outcome,
      sequence = e.sequence + 1,
      updated_at = ${now}
    from ${rowsOf(sql, rows, endedColumns, 'm')}
    where e.org_id = ${orgId} and e.id = m.id and exists (select from ${guard})`,
  )
}

const timedColumns = {
  orgId: 'uuid',
  id: 'uuid',
  calendarId: 'uuid',
  startTime: 'timestamptz',
  endTime: 'timestamptz',
  status: 'text',
  reminders: 'integer[]',
  holdExpiresAt: 'timestamptz',
  recurrenceRule: 'text',
} as const

/** A hold of a group has no timer of its own: the group has one. */
function timersOf(
  app: App,
  placed: readonly EventRow[],
  confirmed: readonly EventRow[],
  now: Date,
): Effect | undefined {
  const { sql } = app
  const holds = placed.filter(({ status, holdGroupId }) => status === 'hold' && holdGroupId === null)
  const timed = [...holds, ...confirmed]
  if (timed.length === 0) return undefined
  return newEventTimers(
    app,
    sql`(
      select
        m.*, g.revision, g.default_reminders, ${now}::timestamptz as created_at,
        ${currentTraceparent()}::text as traceparent
      from ${rowsOf(sql, timed, timedColumns, 'm')}
      join ${guard} g on g.calendar_id = m.calendar_id) e`,
  )
}

const publishConfirmed = (app: App, orgId: Uuid, confirmed: readonly EventRow[]): Effect => {
  const { sql } = app
  const rows = rowsOf(sql, confirmed, { id: 'uuid', calendarId: 'uuid' }, 'm')
  return publishAll(
    app,
    sql`(
      select ${orgId}::uuid as org_id, m.id, m.calendar_id, g.destination_id
      from ${rows}
      join ${guard} g on g.calendar_id = m.calendar_id) e`,
    sql`true`,
  )
}
