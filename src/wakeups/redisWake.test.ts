import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { newId } from '../shapes/ids.ts'
import { openProcess } from '../testing/process.ts'
import { eventually } from '../testing/sweeping.ts'
import { serviceTest } from '../testing/test.ts'
import { wakeSecond } from '../timers/ring.ts'
import { queuePrefix } from './jobs.ts'
import { wakeLane } from './lanes.ts'

const test = serviceTest()

test('Redis gets a command when a moment that was rung for is due, and no more for many than for one', async ({
  service: { app, clock },
  service,
  onTestFinished,
}) => {
  const process = await openProcess(service)
  const { bell } = process.app
  const watching = await new Redis(app.config.redisUrl).monitor()
  onTestFinished(async () => {
    watching.disconnect()
    await process.close()
  })
  const nudged: string[] = []
  watching.on('monitor', (_at: string, [command, key]: string[]) => {
    if (command === 'exists' && key?.startsWith(`{${app.config.redisPrefix}:`)) nudged.push(key)
  })
  const second = Math.floor(clock.now().getTime() / 1000) + 1
  const dueAt = new Date(second * 1000)
  const lanes = Array.from({ length: 50 }, () => ({ orgId: newId(), subscriptionId: newId() }))
  const wakeups = [wakeSecond(second), ...lanes.map((lane) => wakeLane(lane, dueAt))]
  assert.ok(await eventually('Redis', async () => (await bell.ringNow(wakeups)) || undefined))
  const [timers, deliveries] = [
    queuePrefix(app.config.redisPrefix, 'timers'),
    queuePrefix(app.config.redisPrefix, 'deliveries'),
  ]
  await eventually('all nudges', async () => nudged.length >= 4 || undefined)
  assert.deepEqual(nudged.toSorted(), [deliveries, deliveries, timers, timers])
  // A process that has ended is no longer there to do it.
  assert.ok(await bell.ringNow([wakeSecond(second + 1)]))
  await process.close()
  await pause(2_100)
  assert.equal(nudged.length, 4)
})
