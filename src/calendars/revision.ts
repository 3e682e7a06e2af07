// A calendar's revision counts its changes. Every change bumps it; who decides by what else is on the calendar writes
// where the revision is still the one it saw, and decides again when it is not. Who decides by less asks for less, so
// that a stream of new events holds nobody up: by one event, or by the holds alone.
import type { App } from '../app.ts'
import { type Effect, effect } from '../changes/effect.ts'
import { guard, type Step, step } from '../changes/step.ts'
import { openTurns } from '../changes/turns.ts'
import { overloaded } from '../errors.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'

type EventStatus = 'confirmed' | 'tentative' | 'cancelled' | 'hold'

/** How a change moves the counts of living events by status. */
type CountChange = Partial<Record<EventStatus, number>>

/**
 * The guard of a change to a calendar's events; returns `revision, default_reminders`. `where` adds what must hold of the
 * calendar, which goes by the name `c`.
 */
export const bumpCalendar = (
  { sql }: App,
  calendar: { orgId: Uuid; calendarId: Uuid },
  counts: CountChange,
  where: Fragment,
): Fragment => sql`
  update calendars c set revision = c.revision + 1,
    confirmed_events = c.confirmed_events + ${counts.confirmed ?? 0}, tentative_events = c.tentative_events + ${counts.tentative ?? 0},
    cancelled_events = c.cancelled_events + ${counts.cancelled ?? 0}, hold_events = c.hold_events + ${counts.hold ?? 0},
    holds_revision = c.holds_revision + ${counts.hold === undefined ? 0 : 1}
  where c.org_id = ${calendar.orgId} and c.id = ${calendar.calendarId} and c.deleted_at is null ${where}
  returning c.revision, c.default_reminders`

/** A calendar, by the name `c`, that can be written to: it lives and its owner is not decommissioned. */
export const isOpen = (sql: App['sql']): Fragment => sql`
  c.deleted_at is null and not exists (
    select from agents a where a.org_id = c.org_id and a.id = c.agent_id and a.status = 'decommissioned')`

/**
 * Of the calendar `c` of a change that sets timers: what they came from still holds, its default reminders, and it can be
 * written to. Other changes of it don't matter. `cap`: only where the change found its place under the plan's cap.
 */
export const asDecided = ({ sql }: App, calendar: { defaultReminders: number[] | null }, cap?: Step): Fragment => sql`
  and c.default_reminders is not distinct from ${calendar.defaultReminders}::integer[] and ${isOpen(sql)}
  ${cap ? sql`and exists (select from ${cap})` : sql``}`

/**
 * Steps of a change with many new events, none of them a hold: `items` has their `org_id, calendar_id, status`. `locked` locks
 * their calendars in one order, so that two such changes never wait for each other; `bumped` counts the events, and returns
 * the `org_id, id, revision, default_reminders` of the calendars that can be written to.
 */
export function bumpCalendars({ sql }: App, items: Step): { locked: Step; bumped: Step } {
  const locked = step(
    'locked',
    sql`
    select c.org_id, c.id
    from calendars c
    where (c.org_id, c.id) in (select org_id, calendar_id from ${items})
      and ${isOpen(sql)}
    order by c.org_id, c.id
    for no key update of c`,
  )
  const bumped = step(
    'bumped',
    sql`
    update calendars c
    set revision = c.revision + 1,
      confirmed_events = c.confirmed_events + n.confirmed,
      tentative_events = c.tentative_events + n.tentative,
      cancelled_events = c.cancelled_events + n.cancelled
    from ${locked} l
    join (
      select
        org_id, calendar_id as id,
        count(*) filter (where status = 'confirmed') as confirmed,
        count(*) filter (where status = 'tentative') as tentative,
        count(*) filter (where status = 'cancelled') as cancelled
      from ${items}
      group by org_id, calendar_id) n using (org_id, id)
    where c.org_id = l.org_id and c.id = l.id
    returning c.org_id, c.id, c.revision, c.default_reminders`,
  )
  return { locked, bumped }
}

/** Counts the holds of the guard's rows, `org_id, calendar_id`, as expired. The guard has locked the calendars. */
export const countExpiredHolds = ({ sql }: App): Effect =>
  effect(
    'calendars',
    sql`
    update calendars c
    set revision = c.revision + 1,
      holds_revision = c.holds_revision + 1,
      hold_events = c.hold_events - n.expired,
      cancelled_events = c.cancelled_events + n.expired
    from (select org_id, calendar_id, count(*) as expired from ${guard} group by org_id, calendar_id) n
    where c.org_id = n.org_id and c.id = n.calendar_id`,
  )

/** As `bumpCalendar`, but matches only while nothing changed since `revision` was read. */
export const bumpSeenCalendar = (
  app: App,
  seen: { orgId: Uuid; calendarId: Uuid; revision: number },
  counts: CountChange,
): Fragment => bumpCalendar(app, seen, counts, app.sql`and c.revision = ${seen.revision}`)

/** As `bumpCalendar`, but matches only while no hold came or went since `holdsRevision` was read. */
export const bumpSeenHolds = (
  app: App,
  seen: { orgId: Uuid; calendarId: Uuid; holdsRevision: number },
  counts: CountChange,
): Fragment => bumpCalendar(app, seen, counts, app.sql`and c.holds_revision = ${seen.holdsRevision}`)

/**
 * As `bumpCalendar`, but matches only while the event is as it was read; `version` is that of its row. Both rows are locked
 * and looked at again in their latest version, the calendar first, as by every other change.
 */
export const bumpSeenEvent = (
  app: App,
  seen: { orgId: Uuid; calendarId: Uuid; id: Uuid; version: string },
  counts: CountChange,
  where: Fragment = app.sql``,
): Fragment =>
  bumpCalendar(
    app,
    seen,
    counts,
    app.sql`
      and c.id = (
        select locked.id from calendars locked join events e on e.org_id = locked.org_id and e.calendar_id = locked.id
        where locked.org_id = ${seen.orgId} and locked.id = ${seen.calendarId} and e.id = ${seen.id}
          and e.xmin::text = ${seen.version}
        for no key update of locked, e) ${where}`,
  )

/**
 * For a change whose guard is another row: locks the calendar first, as every change does, and returns the `revision` it
 * will have and its `default_reminders`; nothing when it is gone or its owner is decommissioned.
 */
export const lockCalendar = ({ sql }: App, orgId: Uuid, calendarId: Uuid): Fragment => sql`
  select c.revision + 1 as revision, c.default_reminders from calendars c
  where c.org_id = ${orgId} and c.id = ${calendarId} and ${isOpen(sql)}
  for no key update of c`

/** The effect that goes with `lockCalendar`: one more confirmed event. */
export const countConfirmed = ({ sql }: App, orgId: Uuid, calendarId: Uuid): Fragment => sql`
  update calendars c set revision = c.revision + 1, confirmed_events = c.confirmed_events + 1
  from guard where c.org_id = ${orgId} and c.id = ${calendarId}`

const inTurn = openTurns()
const maxTries = 40

export const stale = Symbol('decided by an old revision')

/** Runs `decide` in this process's queue for the calendar, again for as long as somebody else was faster. */
export const onCalendar = <T>(calendarId: Uuid, decide: () => Promise<T | typeof stale>): Promise<T> =>
  inTurn(calendarId, async () => {
    for (let tries = 0; tries < maxTries; tries++) {
      const outcome = await decide()
      if (outcome !== stale) return outcome
    }
    throw overloaded('Too many changes at once to this calendar. Try again.')
  })

/** What moves one event from one status to another does to the counts; undefined stands for not being there. */
export function countChange(from: EventStatus | undefined, to: EventStatus | undefined): CountChange {
  if (from === to) return {}
  return { ...(from && { [from]: -1 }), ...(to && { [to]: 1 }) }
}
