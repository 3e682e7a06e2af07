// P3: changes as a good team would write them by hand. Its tables stand beside ours, in the same database.
import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from '../../src/stores/postgres.ts'
import type { Child } from './child.ts'

type Started = Child<never, never>
type Start = (file: string, options: { env: NodeJS.ProcessEnv }) => Promise<Started>

type P3 = { api: Started; key: string /** A worker, which ends holds. */; startWorker(): Promise<Started> }

const max = 1_000_000_000

/** With one organization and its key. `queue`: the name of its queue. */
export async function openP3(sql: Sql, start: Start, queue: string): Promise<P3> {
  await makeTables(sql)
  const key = `p3_${randomBytes(24).toString('base64url')}`
  const hash = createHash('sha256').update(key).digest('hex')
  await sql`
    with organization as (
      insert into p3_organizations (id, calls_per_second, agents, max_agents, calendars, max_calendars)
      values (uuidv7(), ${max}, 0, ${max}, 0, ${max}) returning id)
    insert into p3_keys (id, org_id, hash) select uuidv7(), id, ${hash} from organization`
  const env = { QUEUE: queue }
  return {
    api: await start('trials/bench/processes/transactionPerChange.ts', { env }),
    key,
    startWorker: () => start('trials/bench/processes/jobPerHold.ts', { env }),
  }
}

async function makeTables(sql: Sql): Promise<void> {
  await sql`drop table if exists p3_organizations, p3_keys, p3_agents, p3_calendars, p3_events, p3_outbox, p3_audit`
  await sql`
    create table p3_organizations (
      id uuid primary key, calls_per_second integer not null, agents integer not null, max_agents integer not null,
      calendars integer not null, max_calendars integer not null)`
  await sql`
    create table p3_keys (id uuid primary key, org_id uuid not null, hash text not null unique, revoked_at timestamptz)`
  await sql`
    create table p3_agents (
      id uuid primary key, org_id uuid not null, name text not null, type text not null, description text,
      status text not null, metadata jsonb not null, created_at timestamptz not null, updated_at timestamptz not null)`
  await sql`create index p3_agents_of on p3_agents (org_id, created_at)`
  await sql`
    create table p3_calendars (
      id uuid primary key, org_id uuid not null, agent_id uuid, name text not null, timezone text not null,
      default_reminders jsonb not null, metadata jsonb not null, created_at timestamptz not null,
      updated_at timestamptz not null)`
  await sql`create index p3_calendars_of on p3_calendars (org_id, created_at)`
  await sql`
    create table p3_events (
      id uuid primary key, org_id uuid not null, calendar_id uuid not null, title text not null, description text,
      start_time timestamptz not null, end_time timestamptz not null, all_day boolean not null, status text not null,
      metadata jsonb not null, reminders jsonb, hold_expires_at timestamptz, hold_priority integer not null,
      created_at timestamptz not null, updated_at timestamptz not null)`
  await sql`create index p3_events_by_start on p3_events (org_id, calendar_id, start_time, id)`
  await sql`create index p3_holds on p3_events (calendar_id, start_time) where status = 'hold'`
  await sql`
    create table p3_outbox (
      id uuid primary key, org_id uuid not null, calendar_id uuid, event_type text not null, payload jsonb not null,
      created_at timestamptz not null)`
  await sql`
    create table p3_audit (
      id uuid primary key, org_id uuid not null, key_id uuid, action text not null, resource_id uuid not null,
      created_at timestamptz not null)`
  await sql`create index p3_audit_of on p3_audit (org_id, created_at)`
}
