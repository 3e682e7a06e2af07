import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import type { App } from '../src/app.ts'
import { decodeId, newId } from '../src/shapes/ids.ts'
import { makeAgent, makeCalendar, makeEvent, makeOrganization, makeWebhook } from '../src/testing/factories.ts'
import { openTestService, type TestService, testStart } from '../src/testing/harness.ts'
import { openProcess, openRealTime, type TestProcess } from '../src/testing/process.ts'
import { openReceiver, type Receiver } from '../src/testing/receiver.ts'
import { makeRedisAccount } from '../src/testing/redisAccount.ts'
import { forgetKeys, keysLike } from '../src/testing/redisKeys.ts'
import { shardOf } from '../src/timers/timers.ts'
import { queuePrefix } from '../src/wakeups/bell.ts'
import { type PoolName, poolNames } from '../src/wakeups/jobs.ts'
import { openHandlers } from './handlers.ts'
import { openPools } from './pools.ts'
import { openSweeper, sources } from './sweeper.ts'

let receiver: Receiver
/** On its set clock: what is rung, and how far ahead. */
let service: TestService
/** On the real clock, on a database of its own: what arrives, and when. */
let other: TestService
let real: TestProcess
let closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  receiver = await openReceiver()
  service = await openTestService()
  other = await openTestService()
  real = await openRealTime(other)
})
beforeEach(async () => {
  receiver.received.length = 0
  await service.clock.set(testStart)
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})
afterAll(async () => {
  await real.close()
  await other.close()
  await service.close()
  await receiver.close()
})

const pools: PoolName[] = ['timers', 'deliveries']
function work(app: App) {
  const opened = openPools(app, pools, openHandlers(app))
  closing.push(opened.close)
}
function sweep(app: App) {
  const sweeper = openSweeper(app, pools, openHandlers(app))
  closing.push(sweeper.close)
}

/** Looks every few milliseconds, as long as this may take at the very worst. */
async function eventually<T>(what: string, look: () => Promise<T | undefined> | T | undefined, withinMs = 15_000) {
  const over = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() > over) assert.fail(`${what}: not within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function prepare() {
  const { key } = await makeOrganization(other)
  await makeWebhook(other, key, receiver.url, ['event.started'])
  return { key, calendar: await makeCalendar(other, key) }
}

/** An event that starts on the real clock after so many milliseconds. */
async function startingIn(ms: number, { key, calendar }: { key: string; calendar: { id: string } }, { call } = real) {
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

const arrivalOf = (id: string) =>
  eventually('event.started', () => receiver.received.find(({ payload }) => payload.event_id === id))

/** Everything that Redis keeps for this one installation. */
const keysOf = ({ redis, config }: App) => keysLike(redis, `*${config.redisPrefix}*`)
const forget = ({ redis, config }: App) => forgetKeys(redis, `*${config.redisPrefix}*`)

test('an event starts on the real clock: rung for, fired, delivered, on time and once', async () => {
  work(real.app)
  const { id, start } = await startingIn(2_000, await prepare())
  const { payload } = await arrivalOf(id)
  assert.ok(Date.now() >= start, 'not before its time')
  assert.equal(payload.start_time, new Date(start).toISOString())
  const left = await other.app.sql`select kind from timers where subject_id = ${decodeId('evt', id)!}`
  assert.deepEqual(
    left.map(({ kind }) => kind),
    ['event_end'],
  )
  assert.equal(receiver.received.length, 1)
})

test('a webhook that is switched on again is sent what waited for its retry at once, without the sweeper', async () => {
  work(real.app)
  const { key } = await makeOrganization(other)
  const webhook = await makeWebhook(other, key, receiver.url, ['agent.created'])
  receiver.answer = () => 500
  assert.equal((await real.call('POST', '/v1/agents', { key, body: { name: 'One', type: 'ai' } })).status, 201)
  const isSetDown = async () => {
    const [row] = await other.app.sql`select attempts, status from webhook_deliveries
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

test('what Redis forgot the sweeper rings for again', async () => {
  const world = await prepare()
  const { id } = await startingIn(2_000, world)
  await eventually('a wake-up', async () => (await keysOf(real.app)).some((key) => key.includes('fire_')) || undefined)
  await forget(real.app)
  assert.deepEqual(
    (await keysOf(real.app)).filter((key) => key.includes('fire_')),
    [],
  )
  work(real.app)
  sweep(real.app)
  await arrivalOf(id)
  // Whole again: what comes now is told once, by the bell and the sweeper together.
  const next = await startingIn(2_000, world)
  await arrivalOf(next.id)
  assert.deepEqual(
    receiver.received.map(({ payload }) => payload.event_id),
    [id, next.id],
  )
})

test('with Redis out of reach the sweeper fires and delivers by itself', async () => {
  const world = await prepare()
  const cut = await openProcess(other, { clock: real.app.clock, config: { redisUrl: 'redis://127.0.0.1:1' } })
  closing.push(cut.close)
  sweep(cut.app)
  const { id, start } = await startingIn(2_000, world, cut)
  await arrivalOf(id)
  assert.ok(Date.now() >= start)
  const [delivery] = await eventually('the record', async () => {
    const rows = await other.app.sql`select status, attempts from webhook_deliveries where status = 'delivered'
      and org_id = (select org_id from events where id = ${decodeId('evt', id)!})`
    return rows.length > 0 ? rows : undefined
  })
  assert.deepEqual({ ...delivery }, { status: 'delivered', attempts: 1 })
})

test('several sweepers, with Redis and without, tell every moment once', async () => {
  const world = await prepare()
  const cut = await openProcess(other, { clock: real.app.clock, config: { redisUrl: 'redis://127.0.0.1:1' } })
  closing.push(cut.close)
  work(real.app)
  sweep(real.app)
  sweep(real.app)
  sweep(cut.app)
  const events = await Promise.all(Array.from({ length: 30 }, (_, n) => startingIn(3_000 + n * 20, world)))
  const ids = events.map(({ id }) => id)
  await eventually('all of them', () => receiver.received.length >= ids.length || undefined)
  await eventually('no timer that is due', async () => {
    const [row] = await other.app.sql`select count(*)::integer as n from timers where due_at <= now()`
    return row?.n === 0 || undefined
  })
  assert.deepEqual(receiver.received.map(({ payload }) => payload.event_id).sort(), ids.sort())
})

/** The seconds that a wake-up waits for in Redis, by the minute of the test. */
async function rungMinutes(eventId: string): Promise<number[]> {
  const shard = shardOf(decodeId('evt', eventId)!)
  const keys = await keysOf(service.app)
  return keys
    .map((key) => new RegExp(`fire_(\\d+)_${shard}$`).exec(key)?.[1])
    .filter((second) => second !== undefined)
    .map((second) => (Number(second) - testStart.getTime() / 1000) / 60)
    .sort((a, b) => a - b)
}

test('a timer inside the horizon is rung for when it is set, one beyond it when it comes near', async () => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const at = (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString()
  const event = await makeEvent(service, key, calendar.id, { start_time: at(15), end_time: at(30) })
  await eventually('the reminder', async () => (await rungMinutes(event.id)).length > 0 || undefined)
  assert.deepEqual(await rungMinutes(event.id), [5], 'the horizon is ten minutes')
  await service.clock.set(at(4))
  sweep(service.app)
  await eventually('a first sweep', async () => (await service.app.sql`select from sweeps where source = 'timers'`)[0])
  assert.deepEqual(await rungMinutes(event.id), [5])
  await service.clock.set(at(6))
  await eventually('the start', async () => (await rungMinutes(event.id)).includes(15) || undefined)
  assert.deepEqual((await rungMinutes(event.id)).includes(30), false)
})

test('what one queue alone forgot is rung for again, as when a node of a cluster loses its memory', async () => {
  const { app } = service
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const at = (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString()
  const event = await makeEvent(service, key, calendar.id, { start_time: at(15), end_time: at(30) })
  await eventually('the reminder', async () => (await rungMinutes(event.id)).length > 0 || undefined)
  await app.sql`delete from sweeps`
  sweep(app)
  await eventually('a first sweep', async () => (await app.sql`select from sweeps where source = 'upkeep'`)[0])
  await forgetKeys(app.redis, `${queuePrefix(app.config.redisPrefix, 'timers')}*`)
  assert.deepEqual(await rungMinutes(event.id), [])
  await eventually('the reminder again', async () => (await rungMinutes(event.id)).length > 0 || undefined)
  assert.deepEqual(await rungMinutes(event.id), [5])
})

/** When a sweep is over that began after this was asked. */
async function wholeSweep({ metrics }: App) {
  const ended = async () => (await metrics.sweeperRuns.get()).values.reduce((sum, { value }) => sum + value, 0)
  const before = await ended()
  // The first one to end may have begun earlier.
  await eventually('a whole sweep', async () => (await ended()) > before + 1 || undefined)
}

/** Begins, and returns how it ends. */
type Hindrance = () => Promise<() => Promise<unknown>>

/** Rung for as soon as a sweep can: what those took that were hindered, up to their horizon. One hindrance follows another. */
async function assertRungAfter(app: App, ...hindrances: Hindrance[]) {
  await forget(service.app)
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const at = (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString()
  const event = await makeEvent(service, key, calendar.id, { start_time: at(15), end_time: at(30) })
  await eventually('the reminder', async () => (await rungMinutes(event.id)).length > 0 || undefined)
  await service.app.sql`delete from sweeps`
  sweep(app)
  await eventually('a first sweep', async () => (await service.app.sql`select from sweeps where source = 'upkeep'`)[0])
  let goOn: () => Promise<unknown> = () => service.clock.set(at(6))
  for (const begin of hindrances) {
    const end = await begin()
    assert.deepEqual(await rungMinutes(event.id), [5])
    await goOn()
    await wholeSweep(app)
    goOn = end
  }
  const [row] = await service.app.sql`select rung_until from sweeps where source = 'timers'`
  assert.equal(row?.rungUntil.toISOString(), at(16), 'the next sweep would go on from there')
  await goOn()
  await eventually('the start', async () => (await rungMinutes(event.id)).includes(15) || undefined)
}

test('what Redis did not take is rung for later, also when another process is at the source in between', async () => {
  const account = await makeRedisAccount(service.app, '~*')
  closing.push(account.remove)
  const cut = await openProcess(service, { config: { redisUrl: account.url } })
  closing.push(cut.close)
  if (cut.app.redis.status !== 'ready') await new Promise((resolve) => cut.app.redis.once('ready', resolve))
  // Redis stays within reach: it is asked, and takes no jobs.
  const refusal = async () => {
    await account.change('-@scripting')
    return () => account.change('+@scripting')
  }
  const rival = async () => {
    const other = await service.app.sql.reserve()
    closing.push(async () => {
      await other`rollback`
      other.release()
    })
    await other`begin`
    await other`select pg_advisory_xact_lock(hashtext('sweep timers'))`
    return () => other`commit`
  }
  await assertRungAfter(cut.app, refusal, rival)
})

test('what a search that failed was to find is rung for by the next sweep', async () => {
  const { sql } = service.app
  const end = async () => void (await sql`alter table if exists timers_out_of_reach rename to timers`)
  await assertRungAfter(service.app, async () => {
    await sql`alter table timers rename to timers_out_of_reach`
    closing.push(end)
    return end
  })
})

/** Retries of one subscription that are due after so many minutes, and each its microseconds later. */
const retriesIn = (minutes: number, count: number, microseconds: (nth: number) => number, webhook: { id: string }) => {
  const at = new Date(testStart.getTime() + minutes * 60_000)
  const rows = Array.from({ length: count }, (_, nth) => ({ id: newId(), microseconds: microseconds(nth) }))
  return service.app.sql`
    insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, payload_sealed, attempts,
      retry_schedule, last_attempt_at, next_retry_at, created_at)
    select s.org_id, r.id, s.id, r.id, 0, 'event.created', '', 1, '{1800}', app_now(),
      ${at}::timestamptz + r.microseconds * interval '1 microsecond', app_now()
    from webhook_subscriptions s, jsonb_to_recordset(${service.app.sql.json(rows)}) as r (id uuid, microseconds integer)
    where s.id = ${decodeId('whk', webhook.id)!}`
}

const rungRetries = async () => (await keysOf(service.app)).filter((key) => /deliver_[^_]+_1_\d+$/.test(key)).length

test('a source that fails keeps none of the others waiting', async () => {
  const { sql } = real.app
  await sql`delete from sweeps`
  await sql`alter table webhook_deliveries rename to elsewhere`
  try {
    sweep(real.app)
    const swept = await eventually('all the others', async () => {
      const rows = await sql`select source from sweeps order by source`
      return rows.length >= 6 ? rows.map(({ source }) => source) : undefined
    })
    assert.ok(new Set(swept).isSupersetOf(new Set(['timers', 'mails', 'ical', 'erasures', 'measurements', 'upkeep'])))
    await eventually('a failed run', async () => {
      const { values } = await real.app.metrics.sweeperRuns.get()
      return values.find(({ labels, value }) => labels.outcome === 'failed' && value > 0)
    })
  } finally {
    await sql`alter table elsewhere rename to webhook_deliveries`
  }
})

test('a crowd that comes near together is rung for whole, and nobody has to be rescued', async () => {
  const { app } = service
  const { key } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, receiver.url, ['event.created'])
  await app.sql`delete from sweeps`
  sweep(app)
  await eventually('a first sweep', async () => (await app.sql`select from sweeps where source = 'deliveries'`)[0])
  // More of one moment, and of one millisecond, than one search is for.
  await retriesIn(15, 1_300, () => 0, webhook)
  await retriesIn(15, 1_300, (nth) => 1_000 + (nth % 1_000), webhook)
  await retriesIn(15, 400, (nth) => nth * 50_000, webhook)
  await service.clock.advance(6 * 60_000)
  await eventually('all of them', async () => (await rungRetries()) === 3_000 || undefined)
  const { values } = await app.metrics.sweeperRescues.get()
  assert.equal(values.find(({ labels }) => labels.source === 'deliveries')?.value, 0)
})

test('of a crowd that is found in parts the next part follows at once', async () => {
  const { app } = service
  const parts = 30
  const perPart = 100
  const from = new Date(testStart.getTime() + 5 * 60_000)
  await app.sql`delete from sweeps`
  await app.sql`
    insert into erasures select gen_random_uuid(), at, at
    from (select ${from}::timestamptz + nth * interval '1 ms' as at
      from generate_series(1, ${parts * perPart}::integer) as nth) m`
  sweep(app)
  const rung = async () => (await keysOf(app)).filter((key) => /erase_[^:]+$/.test(key)).length
  // Half of what the periods between the parts alone would take.
  const withinMs = (parts * 2_000) / 2
  await eventually('all parts', async () => (await rung()) === parts * perPart || undefined, withinMs)
  await app.sql`delete from erasures`
})

test('of every source a search that goes on where the last one stopped finds each row of a crowd', async () => {
  const { sql } = service.app
  const { key, id } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const orgId = decodeId('org', id)!
  const from = new Date(testStart.getTime() + 60_000)
  const until = new Date(from.getTime() + 60_000)
  // The first half at one moment, the others a quarter of a millisecond apart.
  const moments = (count: number) => sql`
    select gen_random_uuid() as id, ${from}::timestamptz + interval '1 second'
      + greatest(0, nth - ${count / 2}::integer) * interval '250 microseconds' as at
    from generate_series(1, ${count}::integer) as nth`
  const crowds = { mails: 1_200, erasures: 240, ical: 12_000 }
  await sql`
    insert into mails (org_id, id, kind, content_sealed, next_attempt_at, created_at)
    select ${orgId}, id, 'waitlist', '', at, at from (${moments(crowds.mails)}) m`
  await sql`insert into erasures select id, at, at from (${moments(crowds.erasures)}) m`
  await sql`
    insert into ical_subscriptions (org_id, id, agent_id, calendar_id, url_sealed, digest_key_sealed, next_sync_at,
      created_at, updated_at)
    select c.org_id, m.id, c.agent_id, c.id, '', '', m.at, m.at, m.at
    from calendars c, (${moments(crowds.ical)}) m where c.id = ${decodeId('cal', calendar.id)!}`
  for (const [name, count] of Object.entries(crowds)) {
    const source = sources.find((one) => one.name === name)!
    const found = new Set<string>()
    let searches = 0
    for (let at = from; at < until; searches++) {
      const coming = await source.coming(service.app, at, until)
      assert.ok(coming.until > at, name)
      for (const wakeup of coming.wakeups) found.add(wakeup.id)
      at = coming.until
    }
    assert.deepEqual([found.size, searches > 1], [count, true], name)
  }
  for (const table of ['mails', 'erasures', 'ical_subscriptions']) await sql`delete from ${sql(table)}`
})

test('with one queue out of reach the sweeper does its work, and what follows takes the usual way', async () => {
  const world = await prepare()
  const { redisPrefix } = other.app.config
  const within = poolNames.filter((queue) => queue !== 'timers').map((queue) => `~${queuePrefix(redisPrefix, queue)}*`)
  const account = await makeRedisAccount(other.app, `~${redisPrefix}:*`, ...within)
  closing.push(account.remove)
  const cut = await openProcess(other, { clock: real.app.clock, config: { redisUrl: account.url } })
  closing.push(cut.close)
  if (cut.app.redis.status !== 'ready') await new Promise((resolve) => cut.app.redis.once('ready', resolve))
  const deliveries = openPools(cut.app, ['deliveries'], openHandlers(cut.app))
  const sweeper = openSweeper(cut.app, ['timers'], openHandlers(cut.app))
  closing.push(deliveries.close, sweeper.close)
  const { id, start } = await startingIn(2_000, world, cut)
  await arrivalOf(id)
  assert.ok(Date.now() >= start)
  const { values } = await cut.app.metrics.sweeperRuns.get()
  const runs = Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
  assert.deepEqual([runs.without_redis, runs.failed, runs.done! > 0], [0, 0, true])
})
