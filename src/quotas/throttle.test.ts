import assert from 'node:assert/strict'
import { ServiceError } from '../errors.ts'
import { newId } from '../shapes/ids.ts'
import type { TestService } from '../testing/harness.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { withoutRedis } from '../testing/withoutRedis.ts'
import { localWindows, openReservations } from './localLimits.ts'
import { refuseExcess, secondsToWait, throttle, throttleAddress } from './throttle.ts'

const test = serviceTest().extend(
  'wait',
  perFile,
  ({ service }) =>
    (one: ReturnType<typeof limit>, subject = 'a', { app }: { app: TestService['app'] } = service) =>
      secondsToWait(app, one, subject),
)

let names = 0
/** Three in any ten seconds; each test counts for itself. */
const limit = () => ({ name: `limit-${names++}`, max: 3, windowMs: 10_000 })
const refused = (seconds: number) => (error: unknown) =>
  error instanceof ServiceError && error.type === 'rate_limit_error' && error.detail.retryAfterSeconds === seconds

test('so many in any stretch of time, whichever process they come to; a subject has its own count', async ({
  second,
  wait,
}) => {
  const narrow = limit()
  assert.deepEqual(await Promise.all([wait(narrow), wait(narrow, 'a', second), wait(narrow)]), [0, 0, 0])
  assert.equal(await wait(narrow, 'a', second), 10)
  assert.equal(await wait(narrow, 'b'), 0)
  assert.equal(await wait(limit(), 'a'), 0)
})

test('the window slides: each call makes room when it is as old as the window', async ({ service, wait }) => {
  const narrow = limit()
  for (const pause of [0, 4_000, 4_000]) {
    await service.clock.advance(pause)
    assert.equal(await wait(narrow), 0)
  }
  assert.equal(await wait(narrow), 2)
  await service.clock.advance(1_999)
  assert.equal(await wait(narrow), 1)
  await service.clock.advance(1)
  assert.equal(await wait(narrow), 0)
  assert.equal(await wait(narrow), 4)
})

test('a refused call is not counted: knocking does not keep the door shut', async ({ service, wait }) => {
  const narrow = limit()
  for (let n = 0; n < 20; n++) await wait(narrow)
  await service.clock.advance(10_000)
  assert.equal(await wait(narrow), 0)
})

test('of many at once exactly as many pass as are allowed', async ({ service, second, wait }) => {
  const narrow = limit()
  const waits = await Promise.all(Array.from({ length: 50 }, (_, n) => wait(narrow, 'a', n % 2 ? service : second)))
  assert.equal(waits.filter((seconds) => seconds === 0).length, 3)
})

test('subjects that ask in one turn get their own answers, also beside one that Redis cannot count', async ({
  service,
  wait,
}) => {
  const narrow = limit()
  const { redis, config } = service.app
  await redis.set(`${config.redisPrefix}:throttle:${narrow.name}:192.0.2.9`, 'not a list')
  const subjects = ['192.0.2.1', '192.0.2.9', 'a@example.com', '192.0.2.1', '2001:db8:0:1', 'a@example.com']
  const waits = await Promise.all([...subjects, ...subjects].map((subject) => wait(narrow, subject)))
  const broken = '192.0.2.9'
  assert.deepEqual(waits.slice(0, 6), [0, 0, 0, 0, 0, 0])
  assert.deepEqual(waits.slice(6), [0, 0, 0, 10, 0, 10])
  // This process counts it for itself.
  assert.deepEqual([await wait(narrow, broken), await wait(narrow, broken)], [0, 10])
})

test('throttled throws what the caller is told', async ({ service }) => {
  const narrow = limit()
  for (let n = 0; n < 3; n++) await throttle(service.app, narrow, 'a')
  await assert.rejects(throttle(service.app, narrow, 'a'), refused(10))
})

test('only failures count where failures are limited, and asking counts nothing', async ({ service }) => {
  const narrow = limit()
  for (let n = 0; n < 10; n++) await refuseExcess(service.app, narrow, 'a')
  for (let n = 0; n < 3; n++) await throttle(service.app, narrow, 'a')
  await assert.rejects(refuseExcess(service.app, narrow, 'a'), refused(10))
  await service.clock.advance(10_000)
  await refuseExcess(service.app, narrow, 'a')
})

test('the addresses of one IPv6 network count as one, those of IPv4 each for itself', async ({ service }) => {
  const narrow = limit()
  const from = (ip: string | null) => throttleAddress(service.app, narrow, ip)
  for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3']) await from(ip)
  await assert.rejects(from('2001:db8::4'), refused(10))
  await from('2001:db8:0:1::1')
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) await from(ip)
  await from(null)
})

test('without Redis each process counts for itself, by the same rule', async ({ service, wait }) => {
  const narrow = limit()
  const { redis } = service.app
  await withoutRedis([redis], async () => {
    const waits = await Promise.all(Array.from({ length: 10 }, () => wait(narrow)))
    assert.deepEqual(waits, [0, 0, 0, 10, 10, 10, 10, 10, 10, 10])
    await service.clock.advance(10_000)
    assert.equal(await wait(narrow), 0)
  })
})

test('local windows slide as the shared ones do, and look without counting', () => {
  const windows = localWindows()
  const rule = { max: 2, windowMs: 1_000 }
  const take = (now: number, count = true) => windows.take('k', rule, now, count)
  assert.deepEqual([take(0, false), take(0), take(400), take(500), take(999, false)], [0, 0, 0, 500, 1])
  assert.deepEqual([take(1_000), take(1_000), take(1_400)], [0, 400, 0])
})

test('a reservation is given back once, however often it is released', () => {
  const held = openReservations()
  const [org, other] = [newId(), newId()]
  const [one, two] = [held.take(org, 'events'), held.take(org, 'events')]
  assert.equal(held.count(org, 'events'), 2)
  one()
  one()
  assert.deepEqual([held.count(org, 'events'), held.count(org, 'proposals'), held.count(other, 'events')], [1, 0, 0])
  two()
  assert.equal(held.count(org, 'events'), 0)
})
