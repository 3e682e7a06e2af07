import assert from 'node:assert/strict'
import type { App } from '../app.ts'
import { testStart } from '../testing/harness.ts'
import { openProcess } from '../testing/process.ts'
import { forgetKeys } from '../testing/redisKeys.ts'
import { serviceTest } from '../testing/test.ts'
import { poolNames, queuePrefix } from '../wakeups/jobs.ts'
import { endSweep, redisIncarnation, takeSweeps } from './sweeps.ts'

const test = serviceTest()

const at = (seconds: number) => new Date(testStart.getTime() + seconds * 1_000)

const takeSweep = async (app: App, source: string, until: Date, incarnation: string) =>
  (await takeSweeps(app, [{ source, incarnation }], until)).get(source)

test('a sweep goes on where the last one stopped, each source for itself', async ({ service }) => {
  const { app } = service
  assert.deepEqual(await takeSweep(app, 'a', at(10), 'one'), { from: undefined })
  assert.deepEqual(await takeSweep(app, 'a', at(20), 'one'), { from: at(10) })
  assert.deepEqual(await takeSweep(app, 'b', at(30), 'one'), { from: undefined })
  assert.deepEqual(await takeSweep(app, 'a', at(40), 'one'), { from: at(20) })
})

test('when Redis lost its memory everything inside the horizon is taken again', async ({ service }) => {
  const { app } = service
  await takeSweep(app, 'c', at(10), 'one')
  assert.deepEqual(await takeSweep(app, 'c', at(20), 'two'), { from: undefined })
  assert.deepEqual(await takeSweep(app, 'c', at(30), 'two'), { from: at(20) })
})

test('a source that another process is at is not taken, and nothing of it is moved on', async ({ service }) => {
  const { app } = service
  await takeSweep(app, 'd', at(10), 'one')
  const other = await app.sql.reserve()
  await other`begin`
  await other`select pg_advisory_xact_lock(hashtext('sweep d'))`
  const both = ['d', 'e'].map((source) => ({ source, incarnation: 'one' }))
  assert.deepEqual([...(await takeSweeps(app, both, at(20)))], [['e', { from: undefined }]])
  await other`commit`
  other.release()
  const later = await takeSweeps(app, [...both].reverse(), at(30))
  assert.deepEqual(Object.fromEntries(later), { d: { from: at(10) }, e: { from: at(20) } })
})

test('a sweep that ended early goes on from there, and one that somebody else moved on falls back to it', async ({
  service,
}) => {
  const { app } = service
  await takeSweep(app, 'f', at(10), 'one')
  await endSweep(app, 'f', at(5))
  assert.deepEqual(await takeSweep(app, 'f', at(20), 'one'), { from: at(5) })
  await takeSweep(app, 'f', at(30), 'one')
  await endSweep(app, 'f', at(15))
  assert.deepEqual(await takeSweep(app, 'f', at(40), 'one'), { from: at(15) })
  await endSweep(app, 'f', at(50))
  assert.deepEqual(await takeSweep(app, 'f', at(60), 'one'), { from: at(40) })
})

test('the memory of a queue has one name for all processes, and another one once it was lost', async ({
  service,
  second,
}) => {
  const { app } = service
  const names = (of: App) => Promise.all(poolNames.map((queue) => redisIncarnation(of, queue)))
  const before = await names(app)
  assert.equal(new Set(before).size, poolNames.length)
  assert.ok(before.every(Boolean))
  assert.deepEqual(await names(app), before)
  assert.deepEqual(await names(second.app), before)
  // As when one node of a cluster loses what it knew: the other queues keep theirs.
  await forgetKeys(app.redis, `${queuePrefix(app.config.redisPrefix, 'timers')}*`)
  const later = await names(second.app)
  assert.deepEqual(
    later.map((name, index) => name === before[index]),
    poolNames.map((queue) => queue !== 'timers'),
  )
  assert.ok(later.every(Boolean))
  assert.deepEqual(await names(app), later)
})

test('without Redis there is no name', async ({ service }) => {
  const other = await openProcess(service, { config: { redisUrl: 'redis://127.0.0.1:1' } })
  assert.equal(await redisIncarnation(other.app, 'timers'), undefined)
  await other.close()
})
