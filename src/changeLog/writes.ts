// Writes `changes`. A statement draws one number for all its entries, once every row of its guard is there: then it holds its
// locks, so the numbers of one calendar rise in the order of its changes.
import type { App } from '../app.ts'
import { type Effect, ringing } from '../commit/effect.ts'
import { guard } from '../commit/step.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Fragment, Sql } from '../stores/postgres.ts'
import { json, rowsOf } from '../stores/sql.ts'
import type { Cause, Origin } from './origin.ts'
import { changesRing } from './ring.ts'
import { payloadContext } from './sealed.ts'
import { type Happened, isOfCalendar, subjectOf } from './subject.ts'

/** The entry as the caller passes it. */
export type Happening = Happened & {
  /** Of the calendar, if the guard does not return it. Then the owner is the one that the payload names. */
  revision?: number
}

type EntryKey = { orgId: Uuid; changeId: Uuid; position: number; key?: string }

const entryColumns = {
  orgId: 'uuid',
  changeId: 'uuid',
  position: 'smallint',
  key: 'text',
  type: 'text',
  ofCalendar: 'boolean',
  calendarId: 'uuid',
  agentId: 'uuid',
  resourceId: 'uuid',
  revision: 'bigint',
  payload: 'bytea',
} as const

const participantColumns = { ...entryColumns, participantIds: 'uuid[]' } as const

function entryOf(app: App, happening: Happening, entryKey: EntryKey) {
  const { type, payload, revision, participantIds } = happening
  return {
    ...entryKey,
    ...subjectOf(happening),
    type,
    ofCalendar: isOfCalendar(type) && revision === undefined,
    revision,
    participantIds,
    payload: sealPayload(app, entryKey, payload),
  }
}

type Entry = ReturnType<typeof entryOf>

export const sealPayload = (
  { sealer }: App,
  { changeId, position }: Omit<EntryKey, 'orgId'>,
  payload: object,
): Buffer => sealer.seal(payloadContext(changeId, position), JSON.stringify(payload))

/** The entries of one change, in their order. */
export function logChange(
  app: App,
  changeId: Uuid,
  origin: Origin,
  happenings: readonly Happening[],
  name?: string,
): Effect {
  const { sql } = app
  const entries = happenings.map((one, position) => entryOf(app, one, { orgId: origin.orgId, changeId, position }))
  return insertListed(app, entries, origin, sql`cross join (select * from ${guard} limit 1) g`, happenings, name)
}

/** Many small changes in one statement: the entry of each, if the guard returned a row with its `key`. */
export function logPerKey(
  app: App,
  cause: Cause,
  keyed: readonly (Happening & { orgId: Uuid; key: string; changeId: Uuid })[],
): Effect {
  const { sql } = app
  const entries = keyed.map(({ orgId, key, changeId, ...one }) =>
    entryOf(app, one, { orgId, changeId, position: 0, key }),
  )
  return insertListed(app, entries, { cause, actor: null }, sql`join ${guard} g on g.key = m.key`)
}

/** As `logChange`, of a change of several calendars: the guard has a row for each, with its `calendar_id`. */
export function logOverCalendars(app: App, changeId: Uuid, origin: Origin, happenings: readonly Happening[]): Effect {
  const { sql } = app
  const entries = happenings.map((one, position) => entryOf(app, one, { orgId: origin.orgId, changeId, position }))
  const joined = sql`left join ${guard} g on g.calendar_id = m.calendar_id where exists (select from ${guard})`
  return insertListed(app, entries, origin, joined, happenings)
}

/**
 * Many small changes in one statement: an entry for each row of the guard, which has its columns. `emitted`: the emissions, for
 * a dry run.
 */
export const logEach = (app: App, emitted?: readonly Happening[]): Effect =>
  insertEntries(
    app,
    app.sql`
      m.org_id, m.change_id, 0, m.event_type,
      m.calendar_id, m.agent_id, m.id, m.revision,
      m.cause, m.change_actor, m.payload, null::uuid[]
    from ${guard} m`,
    { emitted },
  )

/**
 * Moments of events, each a change of its own, in the order of their times. The guard has `org_id, calendar_id, agent_id, subject_id,
 * kind, due_at, type, title_sealed, start_time, end_time, reminder_minutes`.
 */
export const logMoments = (app: App): Effect =>
  insertEntries(
    app,
    app.sql`
      m.org_id, uuidv7(), 0, m.type,
      m.calendar_id, m.agent_id, m.subject_id, null::bigint,
      'timer', null::jsonb, m.title_sealed, null::uuid[],
      m.start_time, m.end_time, m.reminder_minutes
    from (select * from ${guard} order by due_at, kind, subject_id) m`,
    { moreColumns: app.sql`, starts_at, ends_at, reminder_minutes` },
  )

/** `joined`: brings the row of the guard that an entry belongs to, under the alias `g`. */
function insertListed(
  app: App,
  entries: readonly Entry[],
  { cause, actor }: Pick<Origin, 'cause' | 'actor'>,
  joined: Fragment,
  emitted?: readonly Happening[],
  name?: string,
): Effect {
  const { sql } = app
  const isGuarded = entries.some(({ ofCalendar }) => ofCalendar)
  const hasParticipants = entries.some(({ participantIds }) => participantIds)
  const columns = hasParticipants ? participantColumns : entryColumns
  const ownerAndRevision = isGuarded
    ? sql`
      case when m.of_calendar then g.agent_id else m.agent_id end,
      m.resource_id,
      case when m.of_calendar then g.revision else m.revision end,`
    : sql`m.agent_id, m.resource_id, m.revision,`
  return insertEntries(
    app,
    sql`
      m.org_id, m.change_id, m.position, m.type, m.calendar_id, ${ownerAndRevision}
      ${cause}::text, ${actor && json(sql, actor)}::jsonb, m.payload,
      ${hasParticipants ? sql`m.participant_ids` : sql`null::uuid[]`}
    from ${rowsOf(sql, entries, columns, 'm')} ${joined}`,
    { emitted, name },
  )
}

/** From the columns and the `from` clause of a query; `moreColumns` names further columns. */
const insertEntries = (
  { sql, clock }: App,
  entries: Fragment,
  {
    emitted,
    moreColumns = sql``,
    name,
  }: { emitted?: readonly Happening[] | undefined; moreColumns?: Fragment; name?: string | undefined } = {},
): Effect =>
  ringing(
    changesRing,
    sql`
    insert into changes (
      seq, created_at,
      org_id, change_id, position, type,
      calendar_id, agent_id, resource_id, revision,
      cause, actor, payload_sealed, participant_ids ${moreColumns})
    select
      (select nextval('changes_seq') from ${guard} having count(*) > 0), ${clock.now()}::timestamptz,
      ${entries}
    returning org_id, seq, change_id, position, type, calendar_id, agent_id, participant_ids`,
    emitted,
    name,
  )

/** Up to `max` entries of changes before this one, of days that had no partition. */
export const deleteStray = (sql: Sql, before: Uuid, max: number) => sql`
  delete from changes_default
  where ctid = any (array(select ctid from changes_default where change_id < ${before} limit ${max}))`

/** Up to `max` entries of an organization. */
export const deleteChanges = (sql: Sql, orgId: Uuid, max: number) => sql`
  delete from changes
  where (org_id, seq, change_id, position) in (
    select org_id, seq, change_id, position
    from changes
    where org_id = ${orgId}
    limit ${max})`

/** A dump brings the numbers of transactions of another cluster along: those that are not used here yet would hide its entries. */
export const settleTransactions = (sql: Sql) => sql`
  update changes
  set xid = '3'
  where xid >= pg_snapshot_xmax(pg_current_snapshot())`
