import assert from 'node:assert/strict'
import { countEvents } from '../events/spending.ts'
import { periodAt, periodMs } from '../plans/period.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeCalendar, makeEvent, makeOrganization } from '../testing/factories.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { withoutRedis } from '../testing/withoutRedis.ts'
import { counterField, gateKey } from './gateHash.ts'
import { giveBudget, takeBudget } from './spending.ts'

/** An organization that made two events this month, of which Redis knows nothing. */
const test = serviceTest().extend('openBudget', perFile, ({ service }) => async () => {
  const { app, clock } = service
  const { id, key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  for (let n = 0; n < 2; n++) await makeEvent(service, key, calendar.id)
  const orgId = decodeId('org', id)!
  const period = periodAt(clock.now(), clock.now())
  const allowance = { orgId, budget: 'events', period, limit, counter: countEvents } as const
  const hash = gateKey(app, orgId)
  const counter = counterField(allowance)
  await app.redis.hdel(hash, counter)
  return {
    hash,
    counter,
    take: () => takeBudget(app, allowance),
    give: () => giveBudget(app, allowance),
  }
})

const limit = 5

const taken = (answers: boolean[]) => answers.filter(Boolean).length

test('a budget that Redis does not know is counted, then taken to the last unit and no further', async ({
  service,
  openBudget,
}) => {
  const { take, hash, counter } = await openBudget()
  assert.equal(taken(await Promise.all(Array.from({ length: 30 }, take))), limit - 2)
  assert.equal(await take(), false)
  assert.equal(await service.app.redis.hget(hash, counter), String(limit))
  const lifetimeMs = await service.app.redis.pttl(hash)
  assert.ok(lifetimeMs > 0 && lifetimeMs <= periodMs)
})

test('a unit given back can be taken again, once', async ({ openBudget }) => {
  const { take, give } = await openBudget()
  while (await take());
  await give()
  assert.deepEqual([await take(), await take()], [true, false])
})

test('giving back to a counter that was forgotten makes none: it would begin below what is used', async ({
  service,
  openBudget,
}) => {
  const { take, give, hash, counter } = await openBudget()
  await take()
  await service.app.redis.hdel(hash, counter)
  await give()
  assert.equal(await service.app.redis.hexists(hash, counter), 0)
  assert.equal(taken([await take(), await take(), await take(), await take()]), limit - 2)
})

test("without Redis Postgres' count decides", async ({ service, openBudget }) => {
  const { take } = await openBudget()
  const { redis } = service.app
  await withoutRedis([redis], async () => {
    assert.equal(await take(), true)
  })
})
