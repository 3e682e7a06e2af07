// The pace of requests to a provider, over processes, and without Redis.
import assert from 'node:assert/strict'
import { test as plain } from 'vitest'
import { openProcess } from '../testing/process.ts'
import { makeRedisAccount } from '../testing/redisAccount.ts'
import { serviceTest } from '../testing/test.ts'
import { localPace } from './localPace.ts'
import { maxWaitMs, noteLimit, waitForPace } from './providerPace.ts'

const test = serviceTest()

plain('one process alone: a second’s worth at once, then one after the other, and nobody waits for ever', () => {
  const clock = { ms: 0 }
  const take = localPace(2_000, () => clock.ms)
  const waits = Array.from({ length: 45 }, () => take('google', 10))
  assert.deepEqual(waits.slice(0, 11), Array(11).fill(0))
  assert.deepEqual(waits.slice(11, 14), [100, 200, 300])
  assert.deepEqual(waits.slice(30), [2_000, ...Array(14).fill(-1)])
  clock.ms = 2_000
  assert.equal(take('google', 10), 100)
  assert.equal(take('microsoft', 10), 0)
})

/** How many of a thousand requests have a place, as requests a second: a second's worth, and those that wait. */
const pace = async (take: (nth: number) => Promise<number>): Promise<number> => {
  const startedAt = performance.now()
  const waits = await Promise.all(Array.from({ length: 1_000 }, (_, nth) => take(nth)))
  // Permits that became free while they asked count too.
  const seconds = 1 + (maxWaitMs + performance.now() - startedAt) / 1000
  return waits.filter((wait) => wait >= 0).length / seconds
}

const isAbout = (found: number, wanted: number) => assert.ok(found > wanted * 0.6 && found <= wanted + 1, `${found}`)

test('all processes share one pace; a server of a human has none', async ({ service, second }) => {
  const apps = [service.app, second.app]
  isAbout(await pace((nth) => waitForPace(apps[nth % 2]!, 'google')), 120)
  assert.equal(await waitForPace(service.app, 'caldav'), 0)
})

test('when five connections meet a limit the pace is halved, and one that meets it often is one', async ({
  service,
}) => {
  const { app } = service
  const key = `${app.config.redisPrefix}:provider_pace:google`
  const slow = async () => Number(await app.redis.hget(key, 'slow')) > 0
  await app.redis.del(key)
  for (let nth = 0; nth < 10; nth++) await noteLimit(app, 'google', 'Bearer one')
  for (const name of ['two', 'three', 'four']) await noteLimit(app, 'google', `Bearer ${name}`)
  assert.equal(await slow(), false)
  assert.doesNotMatch(JSON.stringify(await app.redis.hgetall(key)), /Bearer|one|two/)
  await noteLimit(app, 'google', 'Bearer five')
  assert.equal(await slow(), true)
  isAbout(await pace(() => waitForPace(app, 'google')), 60)
  // Over after five minutes.
  await app.redis.hset(key, { slow: 1, next: 0 })
  isAbout(await pace(() => waitForPace(app, 'google')), 120)
})

test('a limit that was met over a minute ago counts no more', async ({ service }) => {
  const { app } = service
  const key = `${app.config.redisPrefix}:provider_pace:google`
  await app.redis.del(key)
  await app.redis.hset(key, Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`l:${name}`, 1])))
  await noteLimit(app, 'google', 'Bearer five')
  assert.equal(await app.redis.hget(key, 'slow'), null)
  assert.equal((await app.redis.hkeys(key)).length, 1)
})

test('without Redis each process keeps to a part of the pace', async ({ service, onTestFinished }) => {
  const account = await makeRedisAccount(service.app, '-evalsha', '-eval')
  onTestFinished(account.remove)
  const alone = await openProcess(service, { config: { redisUrl: account.url } })
  onTestFinished(alone.close)
  isAbout(await pace(() => waitForPace(alone.app, 'google')), 30)
})
