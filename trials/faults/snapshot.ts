// The rows of the organizations under test, all at one instant.
import type postgres from 'postgres'
import { readConfig } from '../../src/config.ts'
import { openSealer, type Sealer } from '../../src/sealing/sealer.ts'
import { decodeId, encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { openPayload, type SealedPayload } from '../../src/webhooks/payload.ts'

/** Not an edited occurrence, which is a part of its series. */
export type EventFact = {
  id: string
  status: 'confirmed' | 'tentative' | 'cancelled' | 'hold'
  /** Its moments are those of its occurrences. */
  isSeries: boolean
  /** Of a group of holds, which ends as one. */
  isMember: boolean
  outcome: string | null
  startTime: Date
  endTime: Date
  reminders: number[]
  holdExpiresAt: Date | null
  updatedAt: Date
  deletedAt: Date | null
}

export type DeliveryFact = {
  id: string
  subscriptionId: string
  changeId: string
  position: number
  type: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  createdAt: Date
  nextRetryAt: Date | null
  // biome-ignore lint/suspicious/noExplicitAny: a payload is looked into field by field
  payload: any
}

/** An entry of the change feed. */
export type ChangeFact = {
  orgId: string
  changeId: string
  position: number
  type: string
  calendarId: string | null
  /** As the API shows it, if it is an event, a group of holds or an approval. */
  resourceId: string
  revision: number | null
}

type TimerFact = { eventId: string; kind: string; dueAt: Date }

export type Snapshot = {
  at: Date
  events: Map<string, EventFact>
  /** Number of audit entries, by `<event id> <action>`. */
  audits: Map<string, number>
  timers: TimerFact[]
  deliveries: DeliveryFact[]
  /** In the order of the feed. */
  changes: ChangeFact[]
  /** How many Postgres has ended since it was started. */
  deadlocks: number
  /** Calendars whose stored counts differ from their events. */
  miscounted: string[]
}

export async function readSnapshot(sql: postgres.Sql, sealer: Sealer): Promise<Snapshot> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const [clock] = await tx<{ at: Date }[]>`select now() as at`
    const events = await tx<(EventFact & { id: Uuid })[]>`
      select id, status, hold_outcome as outcome, start_time as "startTime", end_time as "endTime",
        array_to_json(coalesce(reminders, (select default_reminders from calendars c where c.id = calendar_id), '{10}')) as reminders,
        hold_expires_at as "holdExpiresAt",
        updated_at as "updatedAt", deleted_at as "deletedAt", recurrence_rule is not null as "isSeries",
        hold_group_id is not null as "isMember"
      from events
      where series_id is null`
    const audits = await tx<{ key: string; count: number }[]>`
      select resource || ' ' || action as key, count(*)::integer as count from audit_entries
      where action like 'event.%' group by 1`
    const timers = await tx<
      (TimerFact & { eventId: Uuid })[]
    >`select t.subject_id as "eventId", t.kind, t.due_at as "dueAt"
      from timers t left join events e on e.org_id = t.org_id and e.id = t.subject_id
      where t.kind in ('hold_expiry', 'event_start', 'event_end', 'event_reminder')
        and (e.id is null or (e.series_id is null and e.recurrence_rule is null))`
    const deliveries = await tx<(DeliveryFact & { id: Uuid; subscriptionId: Uuid; changeId: Uuid } & SealedPayload)[]>`
      select d.id, d.subscription_id as "subscriptionId", d.change_id as "changeId", d.position, d.event_type as type, d.status,
        d.attempts, d.created_at as "createdAt", d.next_retry_at as "nextRetryAt",
        c.payload_sealed as "payloadSealed",
        case when c.starts_at is not null then jsonb_build_object('event', c.resource_id, 'calendar', c.calendar_id,
          'start', c.starts_at, 'end', c.ends_at, 'reminder', c.reminder_minutes) end as moment
      from webhook_deliveries d
      left join changes c on (c.org_id, c.seq, c.change_id, c.position) = (d.org_id, d.seq, d.change_id, d.position)
      order by d.id`
    const changes = await tx<(ChangeFact & { orgId: Uuid; resourceId: Uuid })[]>`
      select org_id as "orgId", change_id as "changeId", position, type, calendar_id as "calendarId",
        resource_id as "resourceId", revision::float8
      from changes order by seq, change_id, position`
    const [stats] = await tx<{ deadlocks: number }[]>`
      select deadlocks::integer from pg_stat_database where datname = current_database()`
    const miscounted = await tx<{ id: Uuid }[]>`
      select c.id from calendars c left join events e on e.org_id = c.org_id and e.calendar_id = c.id
        and e.deleted_at is null and e.source = 'internal' and e.series_id is null
      group by c.org_id, c.id
      having (c.confirmed_events, c.tentative_events, c.cancelled_events, c.hold_events) is distinct from (
        count(*) filter (where e.status = 'confirmed')::integer, count(*) filter (where e.status = 'tentative')::integer,
        count(*) filter (where e.status = 'cancelled')::integer, count(*) filter (where e.status = 'hold')::integer)`
    return {
      at: clock!.at,
      events: new Map(events.map((event) => [encodeId('evt', event.id), { ...event, id: encodeId('evt', event.id) }])),
      audits: new Map(audits.map(({ key, count }) => [key, count])),
      timers: timers.map((timer) => ({ ...timer, eventId: encodeId('evt', timer.eventId) })),
      deliveries: deliveries.map((row) => ({
        ...row,
        id: encodeId('whd', row.id),
        subscriptionId: encodeId('whk', row.subscriptionId),
        payload: JSON.parse(openPayload({ sealer }, row)),
      })),
      changes: changes.map((entry) => ({
        ...entry,
        orgId: encodeId('org', entry.orgId),
        resourceId: shownId(entry),
      })),
      deadlocks: stats!.deadlocks,
      miscounted: miscounted.map(({ id }) => encodeId('cal', id)),
    }
  })
}

const prefixes = { event: 'evt', hold_group: 'hgr', approval: 'apr' } as const
const isKnown = (noun: string): noun is keyof typeof prefixes => noun in prefixes

function shownId({ type, resourceId }: { type: string; resourceId: Uuid }): string {
  const [noun] = type.split('.') as [string]
  return isKnown(noun) ? encodeId(prefixes[noun], resourceId) : resourceId
}

export function sealerOf(encryptionKeys: string): Sealer {
  const needed = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', ADMIN_TOKEN: 'x'.repeat(16) }
  const config = readConfig({ ...needed, SESSION_SECRETS: 'x'.repeat(32), ENCRYPTION_KEYS: encryptionKeys })
  return openSealer(config.encryptionKeys)
}

/** The due and pending work for the webhooks at this moment. */
export async function stillDue(sql: postgres.Sql, webhookIds: readonly string[]): Promise<number> {
  const ids = `{${webhookIds.map((id) => decodeId('whk', id)!)}}`
  const [row] = await sql<{ due: number }[]>`
    select ((select count(*) from timers where due_at <= now())
      + (select count(*) from webhook_replays where next_run_at is not null)
      + (select count(*) from webhook_deliveries where status = 'pending' and subscription_id = any(${ids}::uuid[])))::integer as due`
  return row!.due
}
