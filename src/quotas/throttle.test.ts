import assert from 'node:assert/strict'
import { once } from 'node:events'
import { ServiceError } from '../errors.ts'
import { newId } from '../shapes/ids.ts'
import type { TestService } from '../testing/harness.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { localWindows, openReservations } from './localLimits.ts'
import { refuseExcess, secondsToWait, throttled, throttledAddress } from './throttle.ts'

const test = serviceTest().extend(
  'wait',
  perFile,
  ({ service }) =>
    (throttle: ReturnType<typeof limit>, subject = 'a', { app }: { app: TestService['app'] } = service) =>
      secondsToWait(app, throttle, subject),
)

let names = 0
/** Three in any ten seconds; each test counts for itself. */
const limit = () => ({ name: `limit-${names++}`, most: 3, windowMs: 10_000 })
const refused = (seconds: number) => (error: unknown) =>
  error instanceof ServiceError && error.type === 'rate_limit_error' && error.detail.retryAfterSeconds === seconds

test('so many in any stretch of time, whichever process they come to; a subject has its own count', async ({
  second,
  wait,
}) => {
  const throttle = limit()
  assert.deepEqual(await Promise.all([wait(throttle), wait(throttle, 'a', second), wait(throttle)]), [0, 0, 0])
  assert.equal(await wait(throttle, 'a', second), 10)
  assert.equal(await wait(throttle, 'b'), 0)
  assert.equal(await wait(limit(), 'a'), 0)
})

test('the window slides: each call makes room when it is as old as the window', async ({ service, wait }) => {
  const throttle = limit()
  for (const pause of [0, 4_000, 4_000]) {
    await service.clock.advance(pause)
    assert.equal(await wait(throttle), 0)
  }
  assert.equal(await wait(throttle), 2)
  await service.clock.advance(1_999)
  assert.equal(await wait(throttle), 1)
  await service.clock.advance(1)
  assert.equal(await wait(throttle), 0)
  assert.equal(await wait(throttle), 4)
})

test('a refused call is not counted: knocking does not keep the door shut', async ({ service, wait }) => {
  const throttle = limit()
  for (let n = 0; n < 20; n++) await wait(throttle)
  await service.clock.advance(10_000)
  assert.equal(await wait(throttle), 0)
})

test('of many at once exactly as many pass as are allowed', async ({ service, second, wait }) => {
  const throttle = limit()
  const waits = await Promise.all(Array.from({ length: 50 }, (_, n) => wait(throttle, 'a', n % 2 ? service : second)))
  assert.equal(waits.filter((seconds) => seconds === 0).length, 3)
})

test('throttled throws what the caller is told', async ({ service }) => {
  const throttle = limit()
  for (let n = 0; n < 3; n++) await throttled(service.app, throttle, 'a')
  await assert.rejects(throttled(service.app, throttle, 'a'), refused(10))
})

test('only failures count where failures are limited, and asking counts nothing', async ({ service }) => {
  const throttle = limit()
  for (let n = 0; n < 10; n++) await refuseExcess(service.app, throttle, 'a')
  for (let n = 0; n < 3; n++) await throttled(service.app, throttle, 'a')
  await assert.rejects(refuseExcess(service.app, throttle, 'a'), refused(10))
  await service.clock.advance(10_000)
  await refuseExcess(service.app, throttle, 'a')
})

test('the addresses of one IPv6 network count as one, those of IPv4 each for itself', async ({ service }) => {
  const throttle = limit()
  const from = (ip: string | null) => throttledAddress(service.app, throttle, ip)
  for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3']) await from(ip)
  await assert.rejects(from('2001:db8::4'), refused(10))
  await from('2001:db8:0:1::1')
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) await from(ip)
  await from(null)
})

test('without Redis each process counts for itself, by the same rule', async ({ service, wait }) => {
  const throttle = limit()
  const { redis } = service.app
  const ended = once(redis, 'end')
  redis.disconnect()
  await ended
  try {
    const waits = await Promise.all(Array.from({ length: 10 }, () => wait(throttle)))
    assert.deepEqual(waits, [0, 0, 0, 10, 10, 10, 10, 10, 10, 10])
    await service.clock.advance(10_000)
    assert.equal(await wait(throttle), 0)
  } finally {
    await redis.connect()
  }
})

test('local windows slide as the shared ones do, and look without counting', () => {
  const windows = localWindows()
  const rule = { most: 2, windowMs: 1_000 }
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
