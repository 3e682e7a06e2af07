import assert from 'node:assert/strict'
import type { Cluster, Redis } from 'ioredis'
import { afterAll, test } from 'vitest'
import { openLog } from '../observability/log.ts'
import { defineScript, mastersOf, onLost, openRedis, type RedisClient } from './redis.ts'

const log = openLog('silent', 'test')
const opened: RedisClient[] = []
const open = (url: string) => {
  const client = openRedis(url, log, 'impatient')
  opened.push(client)
  return client
}
async function openReady() {
  const redis = open(process.env.TEST_REDIS_URL!)
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve))
  return redis
}
afterAll(() => {
  for (const client of opened) client.disconnect()
})

test('sentinels are asked with a password of their own, where one is given', () => {
  const { options } = open('redis+sentinel://user:pass%20word@a:1,b/calendar?sentinel_password=other') as Redis
  assert.deepEqual(options.sentinels, [
    { host: 'a', port: 1 },
    { host: 'b', port: 26379 },
  ])
  assert.deepEqual(
    [options.name, options.username, options.password, options.sentinelPassword],
    ['calendar', 'user', 'pass word', 'other'],
  )
  const plain = (open('redis+sentinel://a:1') as Redis).options
  assert.deepEqual([plain.name, plain.password ?? null, plain.sentinelPassword ?? null], ['mymaster', null, null])
})

test('TLS is asked for by a parameter where the scheme cannot say it', () => {
  const options = (url: string) => (open(url) as Cluster).options.redisOptions
  assert.deepEqual(options('redis+cluster://:secret@a:1,b:2?tls=true')?.tls, {})
  assert.equal(options('redis+cluster://:secret@a:1,b:2')?.tls, undefined)
  assert.equal(options('redis+cluster://:secret@a:1,b:2')?.password, 'secret')
  const { tls, enableTLSForSentinelMode } = (open('redis+sentinel://a:1/m?tls=true') as Redis).options
  assert.deepEqual([tls, enableTLSForSentinelMode], [{}, true])
})

test('a script never takes the name of something that the client has', async () => {
  const redis = (await openReady()) as unknown as Record<string, unknown> & RedisClient
  for (const name of ['slots', 'set', 'options', 'multi']) {
    const before = redis[name]
    const script = defineScript(redis, name, 'return ARGV[1]')
    assert.equal(redis[name], before, name)
    assert.equal(await script(['key'], [name]), name)
  }
})

test('the loss of Redis is told, of a cluster that of each node', async () => {
  const redis = await openReady()
  let losses = 0
  let stop = () => {}
  const loseOne = async () => {
    const [node] = mastersOf(redis)
    if (node!.status !== 'ready') await node!.ping()
    const ended = new Promise((resolve) => node!.once('end', resolve))
    node!.disconnect()
    await ended
  }
  await new Promise<void>((resolve) => {
    stop = onLost(redis, () => {
      losses += 1
      resolve()
    })
    void loseOne()
  })
  stop()
  const told = losses
  redis.disconnect()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(losses, told)
})
