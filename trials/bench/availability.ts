// When 20 agents with 3 calendars each are all free within 90 days: our answer, with buffers, working hours and 60
// series, against plain SQL that merges the same rows and knows none of these. Then the same question again, with no
// change in between.
import type { Actor } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { crossAgentAvailability } from '../../src/availability/availability.ts'
import { crossAgentQuery } from '../../src/availability/schema.ts'
import { periodAt } from '../../src/plans/period.ts'
import { limitsOf } from '../../src/plans/plans.ts'
import { encodeId, newId, type Uuid } from '../../src/shapes/ids.ts'
import type { Sql } from '../../src/stores/postgres.ts'
import { vacuum } from '../../src/testing/vacuum.ts'
import { median } from '../world/report.ts'
import { interleaved, millis, type Row, rowOf } from './figures.ts'
import type { World } from './world.ts'

/** `warmUps`: questions on each side before the first figure; V8 compiles the code only after some hundred. */
const sizes = [
  { events: 1_000, warmUps: 400, rounds: 31, asked: 15 },
  { events: 10_000, warmUps: 40, rounds: 11, asked: 7 },
  { events: 100_000, warmUps: 4, rounds: 9, asked: 3 },
]
const agentCount = 20
const calendarsEach = 3
const start = Date.parse('2026-03-01T00:00:00Z')
const end = start + 90 * 86_400_000
const weekMs = 7 * 86_400_000

export async function benchAvailability({ app }: World): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await benchSize(app, size)))
  return rows
}

async function benchSize(app: App, { events, warmUps, rounds, asked }: (typeof sizes)[number]): Promise<Row[]> {
  const scene = await setScene(app, events)
  const actor = actorOf(scene.orgId)
  const agents = scene.agentIds.map((id) => encodeId('agt', id)).join(',')
  let moved = 0
  /** Every question is a new one: each begins a millisecond later. */
  const ask = (startMs: number) => {
    const query = { start: new Date(startMs).toISOString(), end: new Date(end).toISOString(), agents }
    return crossAgentAvailability(app, actor, crossAgentQuery.parse(query))
  }
  const plain = await fasterOf(plainMerges(app, scene))
  for (let asks = 0; asks < warmUps; asks++) {
    await ask(start + ++moved)
    await plain()
  }
  const ours = () => medianMs(asked, () => ask(start + ++moved))
  const again = () => medianMs(asked, () => ask(start))
  const baseline = () => medianMs(asked, plain)
  const name = `${events.toLocaleString('en')} events in the window`
  const fresh = await interleaved(rounds, { ours, baseline })
  const repeated = await interleaved(rounds, { ours: again, baseline })
  return [
    rowOf({ bench: 'availability', name, target: { atMost: 1.5 } }, fresh, millis),
    rowOf({ bench: 'availability', name: `${name}, asked again`, target: { atMost: 0.2 } }, repeated, millis),
  ]
}

type Scene = { orgId: Uuid; agentIds: Uuid[]; calendarIds: Uuid[] }

/** Per calendar or over all at once: which is faster depends on the number of rows. */
function plainMerges({ sql }: App, { orgId, calendarIds }: Scene): (() => Promise<unknown>)[] {
  const [from, to, since] = [start, end, start - weekMs].map((ms) => new Date(ms)) as [Date, Date, Date]
  const rows = sql`
    from events where org_id = ${orgId} and calendar_id = any (${calendarIds as never}::uuid[]) and deleted_at is null
      and status in ('confirmed', 'tentative') and start_time > ${since} and start_time < ${to} and end_time > ${from}`
  return [
    async () => sql`select calendar_id, range_agg(tstzrange(start_time, end_time)) ${rows} group by calendar_id`,
    async () => sql`select range_agg(tstzrange(start_time, end_time)) ${rows}`,
  ]
}

async function fasterOf(runs: (() => Promise<unknown>)[]): Promise<() => Promise<unknown>> {
  const times: number[] = []
  for (const run of runs) times.push(await medianMs(7, run))
  return runs[times.indexOf(Math.min(...times))]!
}

async function medianMs(times: number, run: () => Promise<unknown>): Promise<number> {
  const spent: number[] = []
  for (let i = 0; i < times; i++) {
    const startedAt = performance.now()
    await run()
    spent.push(performance.now() - startedAt)
  }
  return median(spent)
}

async function setScene({ sql }: App, events: number): Promise<Scene> {
  const agentIds = Array.from({ length: agentCount }, newId)
  const calendarIds = Array.from({ length: agentCount * calendarsEach }, newId)
  const scene = { orgId: newId(), agentIds, calendarIds }
  await makeCalendars(sql, scene)
  await makeEvents(sql, scene, events)
  await makeSeries(sql, scene)
  await vacuum(sql, 'events', 'calendars', 'agents', 'availability_rules')
  return scene
}

/** With buffers and working hours. */
async function makeCalendars(sql: Sql, { orgId, agentIds, calendarIds }: Scene): Promise<void> {
  const calendars = sql`unnest(${calendarIds as never}::uuid[]) with ordinality as c (id, nth)`
  await sql`
    insert into organizations (id, name, email, plan, signup_source, created_at, updated_at)
    values (${orgId}, 'Bench', 'bench@example.com', 'pro', 'admin', now(), now())`
  await sql`
    insert into agents (org_id, id, name, type, status, metadata, created_at, updated_at)
    select ${orgId}, id, 'Agent', 'ai', 'active', '{}', now(), now() from unnest(${agentIds as never}::uuid[]) as a (id)`
  await sql`
    insert into calendars (org_id, id, agent_id, name, timezone, metadata, feed_token_hash, feed_token_sealed, created_at, updated_at)
    select ${orgId}, id, (${agentIds as never}::uuid[])[1 + (nth - 1) / ${calendarsEach}::integer], 'Calendar', 'UTC', '{}',
      sha256(id::text::bytea), '', now(), now() from ${calendars}`
  await sql`
    insert into availability_rules (org_id, calendar_id, id, buffer_before_minutes, buffer_after_minutes, working_hours,
      timezone, created_at, updated_at)
    select ${orgId}, id, gen_random_uuid(), nth % 4 * 5, 10,
      jsonb_object_agg(day, jsonb_build_object('start', '0' || 7 + nth % 3 || ':00', 'end', '18:30')),
      (array['America/New_York', 'Europe/Berlin', 'Asia/Kolkata'])[1 + nth % 3], now(), now()
    from ${calendars}, unnest(array['mon', 'tue', 'wed', 'thu', 'fri']) as day group by id, nth`
}

/** This many within the window, and as many again before and after it. */
async function makeEvents(sql: Sql, { orgId, calendarIds }: Scene, events: number): Promise<void> {
  await sql`select setseed(0.5)`
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
    select ${orgId}, gen_random_uuid(), (${calendarIds as never}::uuid[])[1 + n % ${calendarIds.length}::integer], sha256(n::text::bytea),
      at, at + ceil(random() * 8) * interval '15 minutes',
      case when random() < 0.8 then 'confirmed' else 'tentative' end, '{}', now(), now()
    from (
      select n, ${new Date(start)}::timestamptz
        + (floor(random() * 90 * 288) + case when n <= ${events}::integer then 0 when n % 2 = 0 then 90 * 288 else -90 * 288 end)
          * interval '5 minutes' as at
      from generate_series(1, ${events}::integer * 2) as n) as placed
    order by random()`
}

/** One for each calendar. */
async function makeSeries(sql: Sql, { orgId, calendarIds }: Scene): Promise<void> {
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, recurrence_rule,
      recurrence_exdates, created_at, updated_at)
    select ${orgId}, gen_random_uuid(), id, '', '2021-01-04T09:00Z', '2021-01-04T09:30Z', 'confirmed', '{}',
      'FREQ=WEEKLY;BYDAY=MO,WE', array['2026-03-04T09:00Z']::timestamptz[], now(), now() from unnest(${calendarIds as never}::uuid[]) as c (id)`
}

const actorOf = (orgId: Uuid): Actor => ({
  orgId,
  plan: 'pro',
  limits: limitsOf('pro', {}),
  period: periodAt(new Date(0), new Date(0)),
  keyPrefix: null,
  request: {
    id: '',
    method: 'GET',
    path: '/v1/availability',
    ip: null,
    userAgent: null,
    startedAt: new Date(),
    successStatus: 200,
  },
})
