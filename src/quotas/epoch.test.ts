import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { openTestService, type TestService } from '../testing/harness.ts'
import { openProcess, type TestProcess } from '../testing/process.ts'
import { makeRedisAccount, type RedisAccount } from '../testing/redisAccount.ts'
import { bumpEpoch, epochKey } from './epoch.ts'

let service: TestService
let account: RedisAccount
/** Of an account that may not set anything, at first. */
let other: TestProcess

beforeAll(async () => {
  service = await openTestService()
  account = await makeRedisAccount(service.app, '~*', '-set')
  other = await openProcess(service, { config: { redisUrl: account.url } })
  const { redis } = other.app
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve))
})
afterAll(async () => {
  await other.close()
  await account.remove()
  await service.close()
})

test('an epoch that could not be changed is changed later, although Redis was never lost', async () => {
  const { app } = service
  // As on a cluster of which one node is away: the connection stays ready all the time.
  const orgIds = [newId(), newId()]
  const epochs = () => Promise.all(orgIds.map((orgId) => app.redis.get(epochKey(app, orgId))))
  await Promise.all(orgIds.map((orgId) => bumpEpoch(other.app, orgId)))
  assert.deepEqual(await epochs(), [null, null])
  await account.change('+set')
  const latest = performance.now() + 10_000
  while ((await epochs()).includes(null)) assert.ok(performance.now() < latest, 'both are changed')
  assert.equal(other.app.redis.status, 'ready')
})
