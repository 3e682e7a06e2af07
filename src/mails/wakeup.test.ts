import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { openHandlers } from '../../workers/handlers.ts'
import { openPools } from '../../workers/pools.ts'
import { openSweeper } from '../../workers/sweeper.ts'
import { openProcess, openRealTime } from '../testing/process.ts'
import { forgetKeys } from '../testing/redisKeys.ts'
import { perFile, serviceTest } from '../testing/test.ts'

const test = serviceTest()
  /** A further process, on the real clock. */
  .extend('real', perFile, async ({ service }, { onCleanup }) => {
    const real = await openRealTime(service)
    onCleanup(real.close)
    return real
  })
  .extend('desk', async ({ real }, { onCleanup }) => {
    const pools: { close(): Promise<void> }[] = []
    onCleanup(async () => {
      for (const { close } of pools) await close()
    })
    const join = (email: string) => real.call('POST', '/v1/waitlist', { body: { email } })
    const sent = async () =>
      (await readdir(real.app.config.mailDir).catch(() => [])).filter((name) => name.endsWith('.eml')).length
    async function untilSent(count: number, withinMs = 15_000) {
      const over = performance.now() + withinMs
      while ((await sent()) < count && performance.now() < over) await pause(10)
      assert.equal(await sent(), count)
    }
    /** Workers of mails, until the test is over. */
    const work = () => pools.push(openPools(real.app, ['mail'], openHandlers(real.app)))
    return { join, sent, untilSent, work }
  })

test('a change that makes a mail wakes a worker, which sends it', async ({ desk }) => {
  desk.work()
  const before = await desk.sent()
  assert.equal((await desk.join('rung@example.com')).status, 201)
  await desk.untilSent(before + 1)
})

test('if no worker was woken, the sweeper finds the mail', async ({ real, desk, onTestFinished }) => {
  const before = await desk.sent()
  await desk.join('lost@example.com')
  assert.ok((await forgetKeys(real.app.redis, `{${real.app.config.redisPrefix}:mail}*`)) > 0)
  desk.work()
  const sweeper = openSweeper(real.app, ['mail'], openHandlers(real.app))
  onTestFinished(sweeper.close)
  await desk.untilSent(before + 1)
})

test('without Redis the sweeper sends the mail itself', async ({ service, real, desk, onTestFinished }) => {
  const before = await desk.sent()
  await desk.join('alone@example.com')
  const cut = await openProcess(service, {
    clock: real.app.clock,
    config: { redisUrl: 'redis://127.0.0.1:1' },
  })
  onTestFinished(cut.close)
  const sweeper = openSweeper(cut.app, ['mail'], openHandlers(cut.app))
  onTestFinished(sweeper.close)
  await desk.untilSent(before + 1)
})
