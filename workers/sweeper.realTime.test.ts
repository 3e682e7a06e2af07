// The sweeper on the real clock: what arrives, and when.
import assert from 'node:assert/strict'
import { decodeId } from '../src/shapes/ids.ts'
import { makeCalendar, makeOrganization, makeWebhook } from '../src/testing/factories.ts'
import type { TestService } from '../src/testing/harness.ts'
import type { Caller } from '../src/testing/http.ts'
import { openProcess } from '../src/testing/process.ts'
import { realTimeTest } from '../src/testing/realTime.ts'
import type { Receiver } from '../src/testing/receiver.ts'
import { makeRedisAccount } from '../src/testing/redisAccount.ts'
import { type Closing, closeAll, eventually, forget, keysOf, sweep, work } from '../src/testing/sweeping.ts'
import { poolNames, queuePrefix } from '../src/wakeups/jobs.ts'
import { openHandlers } from './handlers.ts'
import { openPools } from './pools.ts'
import { openSweeper } from './sweeper.ts'

const test = realTimeTest().extend('closing', async ({ service: _ }, { onCleanup }) => {
  const closing: Closing = []
  onCleanup(() => closeAll(closing))
  return closing
})

test.beforeEach(({ receiver }) => {
  receiver.received.length = 0
})

async function prepare(service: TestService, receiver: Receiver) {
  const { key } = await makeOrganization(service)
  await makeWebhook(service, key, receiver.url, ['event.started'])
  return { key, calendar: await makeCalendar(service, key) }
}

type World = { key: string; calendar: { id: string } }

/** An event that starts on the real clock after this many milliseconds. */
async function startingIn(ms: number, { key, calendar }: World, { call }: { call: Caller }) {
  const start = Date.now() + ms
  const body = {
    title: 'Soon',
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 3_600_000).toISOString(),
  }
  const answer = await call('POST', `/v1/calendars/${calendar.id}/events`, { key, body })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { id: answer.body.id as string, start }
}

const arrivalOf = (receiver: Receiver, id: string) =>
  eventually('event.started', () => receiver.received.find(({ payload }) => payload.event_id === id))

test('an event starts on the real clock: rung for, fired, delivered, on time and once', async ({
  service,
  real,
  receiver,
  closing,
}) => {
  work(real.app, closing)
  const { id, start } = await startingIn(2_000, await prepare(service, receiver), real)
  const { payload } = await arrivalOf(receiver, id)
  assert.ok(Date.now() >= start, 'not before its time')
  assert.equal(payload.start_time, new Date(start).toISOString())
  const left = await service.app.sql`select kind from timers where subject_id = ${decodeId('evt', id)!}`
  assert.deepEqual(
    left.map(({ kind }) => kind),
    ['event_end'],
  )
  assert.equal(receiver.received.length, 1)
})

test('a webhook that is switched on again is sent what waited for its retry at once, without the sweeper', async ({
  service,
  real,
  receiver,
  closing,
}) => {
  work(real.app, closing)
  const { key } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, receiver.url, ['agent.created'])
  receiver.answer = () => 500
  assert.equal((await real.call('POST', '/v1/agents', { key, body: { name: 'One', type: 'ai' } })).status, 201)
  const isSetDown = async () => {
    const [row] = await service.app.sql`select attempts, status from webhook_deliveries
      where subscription_id = ${decodeId('whk', webhook.id)!} and attempts = 1 and next_retry_at > now() + interval '30 s'`
    return row
  }
  await eventually('the failed attempt', isSetDown)
  receiver.answer = () => 200
  for (const active of [false, true]) {
    assert.equal((await real.call('PATCH', `/v1/webhooks/${webhook.id}`, { key, body: { active } })).status, 200)
  }
  await eventually('the second attempt', () => receiver.received[1])
})

test('what Redis forgot the sweeper rings for again', async ({ service, real, receiver, closing }) => {
  const world = await prepare(service, receiver)
  const { id } = await startingIn(2_000, world, real)
  await eventually('a wake-up', async () => (await keysOf(real.app)).some((key) => key.includes('fire_')) || undefined)
  await forget(real.app)
  assert.deepEqual(
    (await keysOf(real.app)).filter((key) => key.includes('fire_')),
    [],
  )
  work(real.app, closing)
  sweep(real.app, closing)
  await arrivalOf(receiver, id)
  // Whole again: new work is rung once, by the bell and the sweeper together.
  const next = await startingIn(2_000, world, real)
  await arrivalOf(receiver, next.id)
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload.event_id),
    [id, next.id],
  )
})

test('with Redis out of reach the sweeper fires and delivers by itself', async ({
  service,
  real,
  receiver,
  closing,
}) => {
  const world = await prepare(service, receiver)
  const cut = await openProcess(service, { clock: real.app.clock, config: { redisUrl: 'redis://127.0.0.1:1' } })
  closing.push(cut.close)
  sweep(cut.app, closing)
  const { id, start } = await startingIn(2_000, world, cut)
  await arrivalOf(receiver, id)
  assert.ok(Date.now() >= start)
  const [delivery] = await eventually('the record', async () => {
    const rows = await service.app.sql`select status, attempts from webhook_deliveries where status = 'delivered'
      and org_id = (select org_id from events where id = ${decodeId('evt', id)!})`
    return rows.length > 0 ? rows : undefined
  })
  assert.deepEqual({ ...delivery }, { status: 'delivered', attempts: 1 })
})

test('several sweepers, with Redis and without, tell every moment once', async ({
  service,
  real,
  receiver,
  closing,
}) => {
  const world = await prepare(service, receiver)
  const cut = await openProcess(service, { clock: real.app.clock, config: { redisUrl: 'redis://127.0.0.1:1' } })
  closing.push(cut.close)
  work(real.app, closing)
  sweep(real.app, closing)
  sweep(real.app, closing)
  sweep(cut.app, closing)
  const events = await Promise.all(Array.from({ length: 30 }, (_, n) => startingIn(3_000 + n * 20, world, real)))
  const ids = events.map(({ id }) => id)
  await eventually('all of them', () => receiver.received.length >= ids.length || undefined)
  await eventually('no timer that is due', async () => {
    const [row] = await service.app.sql`select count(*)::integer as n from timers where due_at <= now()`
    return row?.n === 0 || undefined
  })
  assert.deepEqual(receiver.received.map(({ payload }) => payload.event_id).sort(), ids.sort())
})

test('a source that fails keeps none of the others waiting', async ({ real, closing }) => {
  const { sql } = real.app
  await sql`delete from sweeps`
  await sql`alter table webhook_deliveries rename to elsewhere`
  try {
    sweep(real.app, closing)
    const others = ['timers', 'mails', 'ical', 'connections', 'erasures', 'measurements', 'upkeep']
    await eventually('all the others', async () => {
      const rows = await sql<{ source: string }[]>`select source from sweeps`
      return new Set(rows.map(({ source }) => source)).isSupersetOf(new Set(others)) || undefined
    })
    await eventually('a failed run', async () => {
      const { values } = await real.app.metrics.sweeperRuns.get()
      return values.find(({ labels, value }) => labels.outcome === 'failed' && value > 0)
    })
  } finally {
    await sql`alter table elsewhere rename to webhook_deliveries`
  }
})

test('with one queue out of reach the sweeper does its work, and what follows takes the usual way', async ({
  service,
  real,
  receiver,
  closing,
}) => {
  const world = await prepare(service, receiver)
  const { redisPrefix } = service.app.config
  const within = poolNames.filter((queue) => queue !== 'timers').map((queue) => `~${queuePrefix(redisPrefix, queue)}*`)
  const account = await makeRedisAccount(service.app, `~${redisPrefix}:*`, ...within)
  closing.push(account.remove)
  const cut = await openProcess(service, { clock: real.app.clock, config: { redisUrl: account.url } })
  closing.push(cut.close)
  if (cut.app.redis.status !== 'ready') await new Promise((resolve) => cut.app.redis.once('ready', resolve))
  const deliveries = openPools(cut.app, ['deliveries'], openHandlers(cut.app))
  const sweeper = openSweeper(cut.app, ['timers'], openHandlers(cut.app))
  closing.push(deliveries.close, sweeper.close)
  const { id, start } = await startingIn(2_000, world, cut)
  await arrivalOf(receiver, id)
  assert.ok(Date.now() >= start)
  const { values } = await cut.app.metrics.sweeperRuns.get()
  const runs = Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
  assert.deepEqual([runs.without_redis, runs.failed, runs.done! > 0], [0, 0, true])
})
