import assert from 'node:assert/strict'
import fc from 'fast-check'
import { countEvents } from '../events/spending.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { decodeId, newId, type Uuid } from '../shapes/ids.ts'
import { makeOrganization } from '../testing/factories.ts'
import { whileOpen } from '../testing/locks.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { withoutRedis } from '../testing/withoutRedis.ts'
import { countSpentUnits } from '../webhooks/count.ts'
import type { Budget, Counter, Use } from './budget.ts'
import { countUse } from './rollup.ts'

type Sql = Parameters<Counter['rows']>[0]

/** Ids carry real time, so these periods begin in real time as well. */
const periodStart = () => new Date(Date.now() - 20 * dayMs)

/** As many events, made `agoMs` before this moment. */
const addEvents = (sql: Sql, orgId: Uuid, count: number, agoMs: number, source = 'internal') => sql`
  insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, source, metadata, created_at, updated_at)
  select ${orgId}::uuid, uuidv7(${-agoMs} * interval '1 millisecond'), ${orgId}::uuid, '\\x00', at, at + interval '1 hour',
    'confirmed', ${source}, '{}', at, at
  from generate_series(1, ${count}::integer), (select now() - ${agoMs} * interval '1 millisecond' as at) made`

const addDeliveries = (sql: Sql, orgId: Uuid, count: number, agoMs: number) => sql`
  insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, seq, retry_schedule,
    next_retry_at, created_at)
  select ${orgId}::uuid, uuidv7(${-agoMs} * interval '1 millisecond'), ${orgId}::uuid, uuidv7(), 0, 'event.created', 1, '{60}',
    now(), now() - ${agoMs} * interval '1 millisecond'
  from generate_series(1, ${count}::integer)`

const test = serviceTest()
  .extend('use', perFile, ({ service }) => async (budget: Budget): Promise<Use> => {
    const orgId = decodeId('org', (await makeOrganization(service)).id)!
    return { orgId, budget, period: { start: periodStart() } }
  })
  .extend('rollup', perFile, ({ service }) => async ({ orgId }: Use) => {
    const [row] = await service.app.sql<{ used: number; upto: Date; periodStart: Date }[]>`
      select used::integer as used, upto, period_start from usage_rollups where org_id = ${orgId}`
    return row
  })

test('many settled rows are counted once, and what comes after them every time', async ({ service, use, rollup }) => {
  const { app } = service
  const events = await use('events')
  await addEvents(app.sql, events.orgId, 1_500, dayMs)
  await addEvents(app.sql, events.orgId, 700, dayMs, 'external_ical')
  await addEvents(app.sql, events.orgId, 300, minuteMs)
  assert.equal(await countUse(app, countEvents, events), 1_800)
  assert.equal((await rollup(events))?.used, 1_500)
  await addEvents(app.sql, events.orgId, 5, minuteMs)
  assert.equal(await countUse(app, countEvents, events), 1_805)
  // Rows behind the rollup are not read again.
  await app.sql`delete from events where org_id = ${events.orgId} and created_at < now() - interval '1 hour'`
  assert.equal(await countUse(app, countEvents, events), 1_805)
})

test('few settled rows make no rollup', async ({ service, use, rollup }) => {
  const events = await use('events')
  await addEvents(service.app.sql, events.orgId, 999, dayMs)
  assert.equal(await countUse(service.app, countEvents, events), 999)
  assert.equal(await rollup(events), undefined)
})

test('events that commit late, or beside a count, are counted', async ({ service, second, use, rollup }) => {
  const { app } = service
  const events = await use('events')
  await addEvents(app.sql, events.orgId, 1_200, dayMs)
  const during = await whileOpen(app.sql, {
    change: (open) => addEvents(open, events.orgId, 40, 9 * minuteMs),
    waiting: 0,
    work: () => countUse(second.app, countEvents, events),
  })
  assert.equal(during, 1_200)
  assert.equal((await rollup(events))?.used, 1_200)
  assert.equal(await countUse(app, countEvents, events), 1_240)
})

test('a rollup moves forward only, also into the next period', async ({ service, second, use, rollup }) => {
  const { app } = service
  const events = await use('events')
  await addEvents(app.sql, events.orgId, 2_000, 10 * dayMs)
  await addEvents(app.sql, events.orgId, 1_100, 2 * dayMs)
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
  const counts = await Promise.all(
    [1, 9, 5, 1, 9].map((days, nth) => countUse(nth % 2 ? app : second.app, countEvents, events, daysAgo(days))),
  )
  assert.deepEqual(counts, Array(5).fill(3_100))
  assert.equal((await rollup(events))?.used, 3_100)
  const next = { ...events, period: { start: daysAgo(3) } }
  assert.equal(await countUse(app, countEvents, next), 1_100)
  assert.deepEqual((await rollup(events))?.periodStart, next.period.start)
  // A process whose clock is behind still counts in the period that is over.
  assert.equal(await countUse(app, countEvents, events), 3_100)
  assert.deepEqual((await rollup(events))?.periodStart, next.period.start)
})

test('a count succeeds where no rollup can be written', async ({ service, use }) => {
  const { app } = service
  const events = await use('events')
  await addEvents(app.sql, events.orgId, 1_500, dayMs)
  await app.sql`alter table usage_rollups add constraint nothing_is_written check (false) not valid`
  try {
    assert.equal(await countUse(app, countEvents, events), 1_500)
  } finally {
    await app.sql`alter table usage_rollups drop constraint nothing_is_written`
  }
})

test('without Redis the gate counts from the rollup and stops at the limit', async ({ service, rollup }) => {
  const { app, call, clock } = service
  const { id, key } = await makeOrganization(service, { plan: 'custom', limits: { events: 1_502 } })
  const orgId = decodeId('org', id)!
  const agent = await call('POST', '/v1/agents', { key, body: { name: 'A', type: 'ai' } })
  const calendar = await call('POST', `/v1/agents/${agent.body.id}/calendars`, {
    key,
    body: { name: 'C', timezone: 'UTC' },
  })
  await addEvents(app.sql, orgId, 1_500, minuteMs)
  await app.sql`update events set created_at = ${clock.now()}, id = uuidv7('-1 day') where org_id = ${orgId}`
  await withoutRedis([app.redis], async () => {
    const body = { title: 'E', start_time: '2030-01-01T10:00:00Z', end_time: '2030-01-01T11:00:00Z' }
    const statuses: number[] = []
    for (let nth = 0; nth < 4; nth++) {
      statuses.push((await call('POST', `/v1/calendars/${calendar.body.id}/events`, { key, body })).status)
    }
    assert.deepEqual(statuses, [201, 201, 429, 429])
    assert.equal((await rollup({ orgId } as Use))?.used, 1_500)
  })
})

/** The use by the words of the contract: attempts that have taken a unit, counted row by row. */
const plainCharged = async (sql: Sql, orgId: Uuid) => {
  const [row] = await sql<{ used: number }[]>`
    select count(*)::integer as used
    from webhook_deliveries
    where org_id = ${orgId} and attempts > 0
      and (attempts > 1 or status <> 'pending' or next_retry_at is null or next_retry_at > last_attempt_at + interval '20 seconds')`
  return row!.used
}

/** Of the deliveries that are in the state `where`, about one in `nth` changes. */
const changes = {
  claim: [
    "status = 'pending' and attempts = 0",
    "attempts = 1, last_attempt_at = now(), next_retry_at = now() + interval '15 s'",
  ],
  deliver: ["status = 'pending' and attempts = 1", "status = 'delivered', next_retry_at = null"],
  retry: ["status = 'pending' and attempts = 1", "next_retry_at = now() + interval '1 minute'"],
  lose: ["status = 'pending' and attempts = 1", 'attempts = 2'],
  park: ["status = 'pending'", 'next_retry_at = null'],
  refuse: [
    "status = 'pending' and attempts = 1",
    "status = 'failed', attempts = 0, last_attempt_at = null, next_retry_at = null",
  ],
  resend: ["status <> 'pending'", "status = 'pending', next_retry_at = now()"],
} as const

const making = fc.record({
  kind: fc.constant('make' as const),
  count: fc.integer({ min: 1, max: 900 }),
  lateMinutes: fc.integer({ min: 0, max: 10 }),
})
const changing = fc.record({
  kind: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  nth: fc.integer({ min: 1, max: 3 }),
})
const counting = fc.record({ kind: fc.constant('count' as const), elsewhere: fc.boolean() })

const step = fc.oneof(
  { weight: 2, arbitrary: making },
  { weight: 5, arbitrary: changing },
  { weight: 2, arbitrary: counting },
)

test('charged deliveries are as many as the rows say, whatever becomes of them', async ({ service, second, use }) => {
  const { sql } = service.app
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      const deliveries = await use('webhook_deliveries')
      const { orgId } = deliveries
      let agoMinutes = 600
      for (const one of steps) {
        agoMinutes -= 12
        if (one.kind === 'make') {
          await addDeliveries(sql, orgId, one.count, (agoMinutes + one.lateMinutes) * minuteMs)
        } else if (one.kind === 'count') {
          const settledUntil = new Date(Date.now() - (agoMinutes + 11) * minuteMs)
          const { app } = one.elsewhere ? second : service
          assert.equal(await countUse(app, countSpentUnits, deliveries, settledUntil), await plainCharged(sql, orgId))
        } else {
          const [where, set] = changes[one.kind]
          await sql.unsafe(`update webhook_deliveries set ${set}
            where org_id = '${orgId}' and ${where} and abs(hashtext(id::text || '${newId()}')) % ${one.nth} = 0`)
        }
      }
      assert.equal(await countUse(service.app, countSpentUnits, deliveries), await plainCharged(sql, orgId))
    }),
    { numRuns: 25 },
  )
})
