import assert from 'node:assert/strict'
import { serviceTest } from '../testing/test.ts'
import { measureStores } from './gauges.ts'
import { mastersOf } from './redis.ts'

const test = serviceTest()

test('the memory of Redis is that of its fullest node, and its policy is noeviction only if that of every node is', async ({
  service,
}) => {
  const { redis, config, metrics } = service.app
  measureStores(service.app)
  const bytes = 16 * 2 ** 20
  const policies = await Promise.all(mastersOf(redis).map((node) => node.config('GET', 'maxmemory-policy')))
  // Redis makes the large value itself: one that is sent holds up everybody while another test watches all commands.
  await redis.setrange(`${config.redisPrefix}:large`, bytes, 'x')
  await metrics.measurements.refresh()
  await redis.del(`${config.redisPrefix}:large`)
  const read = async (name: 'redisMemoryUsed' | 'redisNoeviction' | 'redisUp') =>
    (await metrics[name].get()).values[0]?.value
  assert.ok((await read('redisMemoryUsed'))! > bytes)
  const keeps = (policies as string[][]).every(([, policy]) => policy === 'noeviction')
  assert.deepEqual([await read('redisNoeviction'), await read('redisUp')], [keeps ? 1 : 0, 1])
})
