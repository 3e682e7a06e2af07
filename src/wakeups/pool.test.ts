import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { openRedis } from '../stores/redis.ts'
import { openTestService, type TestService } from '../testing/harness.ts'
import { openRealTime, type TestProcess } from '../testing/process.ts'
import { wakeUpkeep } from './jobs.ts'
import { openPool } from './pool.ts'

let service: TestService
let real: TestProcess

beforeAll(async () => {
  service = await openTestService()
  real = await openRealTime(service)
})
afterAll(async () => {
  await real.close()
  await service.close()
})

test('a worker with nothing to do takes up a job at its moment, not at a whole second of waiting', async () => {
  const { config, log, metrics, bell } = real.app
  const connection = openRedis(config.redisUrl, log, 'patient')
  let taken: (atMs: number) => void = () => undefined
  const handlers = {
    purge: async () => taken(Date.now()),
    measure: async () => undefined,
    erase: async () => undefined,
  }
  const pool = openPool(
    'upkeep',
    { connection, redisPrefix: config.redisPrefix, concurrency: 1, log, metrics },
    handlers,
  )
  const latenesses: number[] = []
  for (let nth = 0; nth < 3; nth++) {
    const dueAt = new Date(Date.now() + 250)
    const at = new Promise<number>((resolve) => {
      taken = resolve
    })
    await bell.ring([{ ...wakeUpkeep(nth), dueAt }])
    latenesses.push((await at) - dueAt.getTime())
  }
  await pool.close(1_000)
  connection.disconnect()
  assert.ok(Math.min(...latenesses) >= 0, `never before: ${latenesses}`)
  // Waiting by whole seconds would be 750 ms late each time; one of three is on time on the slowest of days.
  assert.ok(Math.min(...latenesses) < 500, `${latenesses} ms late`)
})
