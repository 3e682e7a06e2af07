// The sweeper on a set clock: what is rung for, and how far ahead.
import assert from 'node:assert/strict'
import type { App } from '../src/app.ts'
import { dayMs, minuteMs } from '../src/shapes/durations.ts'
import { decodeId, newId } from '../src/shapes/ids.ts'
import { searchedSources, takeSweeps } from '../src/sweeps/sweeps.ts'
import { makeAgent, makeCalendar, makeEvent, makeOrganization, makeWebhook } from '../src/testing/factories.ts'
import { type TestService, testStart } from '../src/testing/harness.ts'
import { openProcess } from '../src/testing/process.ts'
import { makeRedisAccount } from '../src/testing/redisAccount.ts'
import { forgetKeys } from '../src/testing/redisKeys.ts'
import { type Closing, closeAll, eventually, forget, keysOf, sweep } from '../src/testing/sweeping.ts'
import { serviceTest } from '../src/testing/test.ts'
import { queuePrefix } from '../src/wakeups/jobs.ts'
import { sources } from './sweeper.ts'

const test = serviceTest().extend('closing', async ({ service: _ }, { onCleanup }) => {
  const closing: Closing = []
  onCleanup(() => closeAll(closing))
  return closing
})

test.beforeEach(async ({ service }) => {
  await service.clock.set(testStart)
})

/** The seconds that a wake-up waits for in Redis, by the minute of the test. */
async function rungMinutes(service: TestService): Promise<number[]> {
  const keys = await keysOf(service.app)
  return keys
    .map((key) => /fire_(\d+)$/.exec(key)?.[1])
    .filter((second) => second !== undefined)
    .map((second) => (Number(second) - testStart.getTime() / 1000) / 60)
    .sort((a, b) => a - b)
}

// The first one: nothing else is due.
test('only sources that have something due by then are searched, and those whose Redis has lost its memory', async ({
  service,
}) => {
  const { app } = service
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const start = new Date(testStart.getTime() + 400 * dayMs)
  const end = new Date(start.getTime() + minuteMs)
  await makeEvent(service, key, calendar.id, {
    start_time: start.toISOString(),
    end_time: end.toISOString(),
    reminders: [],
  })
  const asked = (incarnation: string) => sources.map(({ name, earliest }) => ({ source: name, incarnation, earliest }))
  const searched = async (until: Date, incarnation = 'one') =>
    [...(await searchedSources(app, asked(incarnation), until))].sort()
  const all = sources.map(({ name }) => name).sort()
  // The first look: the contents of Redis are unknown.
  assert.deepEqual(await searched(testStart), all)
  await takeSweeps(app, asked('one'), start)
  assert.deepEqual(await searched(new Date(start.getTime() - 1)), [])
  assert.deepEqual(await searched(start), ['timers'])
  // Work that the clock alone makes due: from the last wake-up on.
  assert.deepEqual(await searched(new Date(start.getTime() + 5 * minuteMs)), ['measurements', 'timers'])
  assert.deepEqual(await searched(new Date(start.getTime() + 60 * minuteMs)), ['measurements', 'timers', 'upkeep'])
  assert.deepEqual(await searched(testStart, 'two'), all)
  await app.sql`delete from sweeps`
})

test('a timer inside the horizon is rung for when it is set, one beyond it when it comes near', async ({
  service,
  closing,
}) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const at = (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString()
  await makeEvent(service, key, calendar.id, { start_time: at(15), end_time: at(30) })
  await eventually('the reminder', async () => (await rungMinutes(service)).length > 0 || undefined)
  assert.deepEqual(await rungMinutes(service), [5], 'the horizon is ten minutes')
  await service.clock.set(at(4))
  sweep(service.app, closing)
  await eventually('a first sweep', async () => (await service.app.sql`select from sweeps where source = 'timers'`)[0])
  assert.deepEqual(await rungMinutes(service), [5])
  await service.clock.set(at(6))
  await eventually('the start', async () => (await rungMinutes(service)).includes(15) || undefined)
  assert.deepEqual((await rungMinutes(service)).includes(30), false)
})

test('what one queue alone forgot is rung for again, as when a node of a cluster loses its memory', async ({
  service,
  closing,
}) => {
  const { app } = service
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const at = (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString()
  await makeEvent(service, key, calendar.id, { start_time: at(15), end_time: at(30) })
  await eventually('the reminder', async () => (await rungMinutes(service)).length > 0 || undefined)
  await app.sql`delete from sweeps`
  sweep(app, closing)
  await eventually('a first sweep', async () => (await app.sql`select from sweeps where source = 'upkeep'`)[0])
  const second = testStart.getTime() / 1000 + 5 * 60
  const job = (await keysOf(app)).find((key) => key.endsWith(`fire_${second}`))!
  await app.redis.hset(job, 'mark', 'the first one')
  await forgetKeys(app.redis, `${queuePrefix(app.config.redisPrefix, 'timers')}*`)
  // The sweeper may have rung again before the test looks.
  const isRungAgain = async () => (await app.redis.exists(job)) === 1 && (await app.redis.hexists(job, 'mark')) === 0
  await eventually('the reminder again', async () => (await isRungAgain()) || undefined)
  assert.deepEqual(await rungMinutes(service), [5])
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
async function assertRungAfter(
  { service, closing }: { service: TestService; closing: Closing },
  app: App,
  ...hindrances: Hindrance[]
) {
  await forget(service.app)
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const at = (minutes: number) => new Date(testStart.getTime() + minutes * 60_000).toISOString()
  await makeEvent(service, key, calendar.id, { start_time: at(15), end_time: at(30) })
  await eventually('the reminder', async () => (await rungMinutes(service)).length > 0 || undefined)
  await service.app.sql`delete from sweeps`
  sweep(app, closing)
  await eventually('a first sweep', async () => (await service.app.sql`select from sweeps where source = 'upkeep'`)[0])
  let continueWork: () => Promise<unknown> = () => service.clock.set(at(6))
  for (const begin of hindrances) {
    const end = await begin()
    assert.deepEqual(await rungMinutes(service), [5])
    await continueWork()
    await wholeSweep(app)
    continueWork = end
  }
  const [row] = await service.app.sql`select rung_until from sweeps where source = 'timers'`
  assert.equal(row?.rungUntil.toISOString(), at(16), 'the next sweep would go on from there')
  await continueWork()
  await eventually('the start', async () => (await rungMinutes(service)).includes(15) || undefined)
}

test('what Redis did not take is rung for later, also when another process is at the source in between', async ({
  service,
  closing,
}) => {
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
  await assertRungAfter({ service, closing }, cut.app, refusal, rival)
})

test('what a search that failed was to find is rung for by the next sweep', async ({ service, closing }) => {
  const { sql } = service.app
  const end = async () => void (await sql`alter table if exists timers_out_of_reach rename to timers`)
  await assertRungAfter({ service, closing }, service.app, async () => {
    await sql`alter table timers rename to timers_out_of_reach`
    closing.push(end)
    return end
  })
})

/** Retries of many subscriptions that are due after so many minutes, and each its microseconds later. */
const retriesIn = (
  service: TestService,
  minutes: number,
  count: number,
  microseconds: (nth: number) => number,
  webhook: { id: string },
) => {
  const at = new Date(testStart.getTime() + minutes * 60_000)
  const rows = Array.from({ length: count }, (_, nth) => ({ id: newId(), microseconds: microseconds(nth) }))
  return service.app.sql`
    insert into webhook_deliveries (org_id, id, subscription_id, change_id, position, event_type, seq, attempts,
      retry_schedule, last_attempt_at, next_retry_at, created_at)
    select s.org_id, r.id, r.id, r.id, 0, 'event.created', 1, 1, '{1800}', app_now(),
      ${at}::timestamptz + r.microseconds * interval '1 microsecond', app_now()
    from webhook_subscriptions s, jsonb_to_recordset(${service.app.sql.json(rows)}) as r (id uuid, microseconds integer)
    where s.id = ${decodeId('whk', webhook.id)!}`
}

const rungRetries = async (service: TestService) =>
  (await keysOf(service.app)).filter((key) => /deliver_[^_:]+_\d+$/.test(key)).length

test('a crowd that comes near together is rung for whole, and nobody has to be rescued', async ({
  service,
  receiver,
  closing,
}) => {
  const { app } = service
  const { key } = await makeOrganization(service)
  const webhook = await makeWebhook(service, key, receiver.url, ['event.created'])
  await app.sql`delete from sweeps`
  sweep(app, closing)
  await eventually('a first sweep', async () => (await app.sql`select from sweeps where source = 'deliveries'`)[0])
  // More of one moment, and of one millisecond, than one search is for.
  await retriesIn(service, 15, 1_300, () => 0, webhook)
  await retriesIn(service, 15, 1_300, (nth) => 1_000 + (nth % 1_000), webhook)
  await retriesIn(service, 15, 400, (nth) => nth * 50_000, webhook)
  await service.clock.advance(6 * 60_000)
  await eventually('all of them', async () => (await rungRetries(service)) === 3_000 || undefined)
  const { values } = await app.metrics.sweeperRescues.get()
  assert.equal(values.find(({ labels }) => labels.source === 'deliveries')?.value, 0)
})

test('of a busyOrganizations that is found in parts the next part follows at once', async ({ service, closing }) => {
  const { app } = service
  const parts = 30
  const perPart = 100
  const from = new Date(testStart.getTime() + 5 * 60_000)
  await app.sql`delete from sweeps`
  await app.sql`
    insert into erasures select gen_random_uuid(), at, at
    from (select ${from}::timestamptz + nth * interval '1 ms' as at
      from generate_series(1, ${parts * perPart}::integer) as nth) m`
  sweep(app, closing)
  const rung = async () => (await keysOf(app)).filter((key) => /erase_[^:]+$/.test(key)).length
  // Half of what the periods between the parts alone would take.
  const withinMs = (parts * 2_000) / 2
  await eventually('all parts', async () => (await rung()) === parts * perPart || undefined, withinMs)
  await app.sql`delete from erasures`
})

test('of every source a search that goes on where the last one stopped finds each row of a busyOrganizations', async ({
  service,
}) => {
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

test('while nothing is due, nothing of a sweep is written', async ({ service, closing }) => {
  const { app } = service
  await app.sql`delete from sweeps`
  await app.sql`delete from timers`
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  sweep(app, closing)
  await eventually('a first sweep', async () => (await app.sql`select from sweeps where source = 'timers'`)[0])
  await service.clock.advance(minuteMs)
  await wholeSweep(app)
  const rungUntil = async () => (await app.sql`select rung_until from sweeps where source = 'timers'`)[0]?.rungUntil
  assert.deepEqual(await rungUntil(), new Date(testStart.getTime() + app.config.enqueueHorizonMs))
  const at = (minutes: number) => new Date(testStart.getTime() + minutes * minuteMs).toISOString()
  await makeEvent(service, key, calendar.id, { start_time: at(5), end_time: at(6), reminders: [] })
  await wholeSweep(app)
  assert.deepEqual(await rungUntil(), new Date(service.clock.now().getTime() + app.config.enqueueHorizonMs))
})
