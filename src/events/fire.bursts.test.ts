// A burst: several processes at one second, organizations beside each other, and a process that dies in the middle.
import assert from 'node:assert/strict'
import { fireDue, timerHandlers } from '../../workers/timers.ts'
import { decodeId } from '../shapes/ids.ts'
import { dueMomentsTest, insertDueMoments } from '../testing/dueMoments.ts'
import { makeCalendar, makeEvent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { whileOpen } from '../testing/locks.ts'
import { at } from '../testing/moments.ts'
import { openProcess } from '../testing/process.ts'
import { type Closing, closeAll, eventually, work } from '../testing/sweeping.ts'
import { wakeSecond } from '../timers/ring.ts'

const test = dueMomentsTest().extend('closing', async ({ service: _ }, { onCleanup }) => {
  const closing: Closing = []
  onCleanup(() => closeAll(closing))
  return closing
})

test.afterEach(async ({ service }) => {
  await service.app.sql`delete from timers`
  await service.app.sql`delete from webhook_deliveries`
})

/** The deliveries of starts as they were written, first to last: their ids are made in the order of time. */
const writtenStarts = ({ app }: TestService) => app.sql<{ orgId: string }[]>`
  select org_id from webhook_deliveries where event_type = 'event.started' order by id`

test('a burst on real queues rings for help, and every moment of it fires exactly once', async ({
  service,
  second,
  insertDue,
  closing,
}) => {
  const ids = await insertDue(3_300)
  work(service.app, closing, ['timers'])
  work(second.app, closing, ['timers'])
  assert.ok(await service.app.bell.ringNow([wakeSecond(Math.floor(service.clock.now().getTime() / 1000))]))
  const left = async () => (await service.app.sql<{ n: number }[]>`select count(*)::integer as n from timers`)[0]!.n
  await eventually('the end of the burst', async () => (await left()) === 0 || undefined, 60_000)
  assert.equal((await writtenStarts(service)).length, ids.length)
  const jobs = async ({ app }: { app: typeof service.app }) =>
    (await app.metrics.jobDuration.get()).values.find(
      ({ metricName, labels }) => metricName?.endsWith('_count') && labels.job === 'fire',
    )?.value ?? 0
  await eventually('help', async () => (await jobs(service)) + (await jobs(second)) > 1 || undefined)
})

test('help with every slice fires what is due, nothing of it twice', async ({ service, second, insertDue }) => {
  const ids = await insertDue(1_700)
  const now = Math.floor(service.clock.now().getTime() / 1000)
  const helpers = [service.app, second.app, service.app, second.app].map((app) => timerHandlers(app))
  await Promise.all(helpers.map(({ fire }, nth) => fire({ second: now, slice: { nth, of: 4 } })))
  assert.equal((await writtenStarts(service)).length, ids.length)
  assert.equal(await fireDue(service.app), 0)
})

test('help with one half of what is due leaves the other half', async ({ service, insertDue }) => {
  await insertDue(64)
  await timerHandlers(service.app).fire({ second: 0, slice: { nth: 1, of: 2 } })
  const left = await service.app.sql<{ digit: number }[]>`
    select get_byte(uuid_send(subject_id), 15) % 2 as digit from timers`
  assert.ok(left.length > 0 && left.length < 64)
  assert.ok(left.every(({ digit }) => digit === 0))
})

test('the single timer of another organization fires in the fourth block of a burst, not after it', async ({
  service,
  insertDue,
}) => {
  await insertDue(4_000)
  const other = await makeOrganization(service, { plan: 'custom' })
  await makeWebhook(service, other.key, 'http://127.0.0.1:9/', ['event.started'])
  const { id } = await makeCalendar(service, other.key)
  await insertDueMoments(service, { organizationId: other.id, calendarId: id }, 1)
  assert.equal(await fireDue(service.app), 4_001)
  const order = await writtenStarts(service)
  const place = order.findIndex(({ orgId }) => orgId === decodeId('org', other.id))
  assert.equal(place, 1_500)
})

test('a worker that is cut off in the middle of its block leaves it whole, and holds up nobody', async ({
  service,
  second,
  insertDue,
}) => {
  const { sql } = service.app
  await insertDue(40)
  await sql`
    create function wait_for_the_test() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(4711);
      return new;
    end $$`
  await sql`
    create trigger waiting before insert on webhook_deliveries for each row
    when (current_setting('application_name') = 'agent-calendar test, another process') execute function wait_for_the_test()`
  await whileOpen(sql, {
    change: (open) => open`select pg_advisory_xact_lock(4711)`,
    work: () => fireDue(second.app),
    meanwhile: async () => {
      await insertDue(5)
      assert.equal(await fireDue(service.app), 5, 'what the other one has not locked')
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      await fireDue(service.app)
    },
  })
  await sql`drop function wait_for_the_test() cascade`
  await fireDue(service.app)
  assert.equal((await writtenStarts(service)).length, 45)
  assert.equal(await fireDue(second.app), 0)
})

test('moments that are due by the clock of the database fire at once, though the process is a second behind or ahead', async ({
  service,
  key,
  desk: { calendar },
}) => {
  for (const skewMs of [-1_000, -1, 1, 1_000]) {
    await service.clock.set(testStart)
    const clock = { now: () => new Date(service.clock.now().getTime() + skewMs) }
    const skewed = await openProcess(service, { clock })
    const daily = { start_time: at(60), end_time: at(90), reminders: [], recurrence_rule: 'FREQ=DAILY;COUNT=5' }
    await makeEvent(service, key, calendar.id, daily)
    await service.clock.set(new Date(Date.parse(at(60)) - 1))
    assert.equal(await fireDue(skewed.app), 0, 'not before its time')
    await service.clock.set(at(60 + 3 * 24 * 60))
    assert.equal(await fireDue(skewed.app), 4 + 3, `starts and ends up to this millisecond, skewed by ${skewMs} ms`)
    await service.app.sql`delete from timers`
    await skewed.close()
  }
})
