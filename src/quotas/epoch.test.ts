import assert from 'node:assert/strict'
import { newId } from '../shapes/ids.ts'
import { openProcess } from '../testing/process.ts'
import { makeRedisAccount } from '../testing/redisAccount.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { bumpEpoch } from './epoch.ts'
import { gateKey } from './gateHash.ts'

const test = serviceTest()
  .extend('account', perFile, async ({ service }, { onCleanup }) => {
    const account = await makeRedisAccount(service.app, '~*', '-hset')
    onCleanup(account.remove)
    return account
  })
  /** By an account of Redis that may not set anything, at first. */
  .override('second', perFile, async ({ service, account }, { onCleanup }) => {
    const second = await openProcess(service, { config: { redisUrl: account.url } })
    onCleanup(second.close)
    const { redis } = second.app
    if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve))
    return second
  })

test('an epoch that could not be changed is changed later, although Redis was never lost', async ({
  service,
  account,
  second,
}) => {
  const { app } = service
  // As on a cluster of which one node is away: the connection stays ready all the time.
  const orgIds = [newId(), newId()]
  const epochs = () => Promise.all(orgIds.map((orgId) => app.redis.hget(gateKey(app, orgId), 'epoch')))
  await Promise.all(orgIds.map((orgId) => bumpEpoch(second.app, orgId)))
  assert.deepEqual(await epochs(), [null, null])
  await account.change('+hset')
  const latest = performance.now() + 10_000
  while ((await epochs()).includes(null)) assert.ok(performance.now() < latest, 'both are changed')
  assert.equal(second.app.redis.status, 'ready')
})
