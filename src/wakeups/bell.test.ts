import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { newId, type Uuid } from '../shapes/ids.ts'
import { openProcess } from '../testing/process.ts'
import { eventually } from '../testing/sweeping.ts'
import { serviceTest } from '../testing/test.ts'
import { type LaneKey, wakeLanes } from './lanes.ts'

const test = serviceTest().extend('process', async ({ service }, { onCleanup }) => {
  const process = await openProcess(service)
  onCleanup(process.close)
  if (process.app.redis.status !== 'ready') await new Promise((resolve) => process.app.redis.once('ready', resolve))
  return process
})

const lane = (): LaneKey => ({ orgId: newId(), subscriptionId: newId() })

test('of wake-ups that follow each other the first is sent at once, and the next ones together', async ({
  service,
  process: { app },
}) => {
  const queue = service.app.bell.queues.get('deliveries')!
  const ring = async (one: LaneKey) => {
    app.bell.ring(wakeLanes([one], app.clock.now()))
    await nextTurn()
  }
  /** Which of these lanes each job names. */
  const jobsOf = async (lanes: readonly LaneKey[]): Promise<number[][]> => {
    const jobs = await queue.getJobs(['waiting'])
    return jobs
      .map(({ data }) =>
        (data.lanes as [Uuid, Uuid][]).map(([, id]) => lanes.findIndex((one) => one.subscriptionId === id)),
      )
      .filter(([first]) => first !== -1)
      .sort()
  }
  const tries: string[] = []
  // A process that is stopped in the middle sends more often.
  while (!tries.includes('[[0],[1,2]]') && tries.length < 50) {
    const lanes = [lane(), lane(), lane()]
    for (const one of lanes) await ring(one)
    const found = await eventually('all lanes', async () => {
      const jobs = await jobsOf(lanes)
      return jobs.flat().length === lanes.length ? jobs : undefined
    })
    assert.deepEqual(found.flat().sort(), [0, 1, 2], 'each lane once')
    tries.push(JSON.stringify(found))
  }
  assert.equal(tries.at(-1), '[[0],[1,2]]', tries.join(' '))
})

test('what waits to be sent is sent when the process ends', async ({ service, process: { app, close } }) => {
  const lanes = [lane(), lane()]
  for (const one of lanes) {
    app.bell.ring(wakeLanes([one], app.clock.now()))
    await nextTurn()
  }
  await close()
  const jobs = await service.app.bell.queues.get('deliveries')!.getJobs(['waiting'])
  const named = jobs.flatMap(({ data }) => (data.lanes as [Uuid, Uuid][]).map(([, id]) => id))
  for (const { subscriptionId } of lanes) assert.ok(named.includes(subscriptionId))
})
