import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { openHandlers } from '../../workers/handlers.ts'
import { openPools } from '../../workers/pools.ts'
import { openSweeper } from '../../workers/sweeper.ts'
import type { App } from '../app.ts'
import { openTestService, type TestService } from '../testing/harness.ts'
import { openProcess, openRealTime, type TestProcess } from '../testing/process.ts'
import { forgetKeys } from '../testing/redisKeys.ts'

let service: TestService
/** On the real clock. */
let real: TestProcess
let closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  service = await openTestService()
  real = await openRealTime(service)
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})
afterAll(async () => {
  await real.close()
  await service.close()
})

const join = (email: string) => real.call('POST', '/v1/waitlist', { body: { email } })
const sent = async () =>
  (await readdir(real.app.config.mailDir).catch(() => [])).filter((name) => name.endsWith('.eml')).length

async function untilSent(count: number, withinMs = 15_000) {
  const over = performance.now() + withinMs
  while ((await sent()) < count && performance.now() < over) await pause(10)
  assert.equal(await sent(), count)
}

function work(app: App) {
  const pools = openPools(app, ['mail'], openHandlers(app))
  closing.push(pools.close)
}

test('a mail is rung for with the change that it tells of', async () => {
  work(real.app)
  const before = await sent()
  assert.equal((await join('rung@example.com')).status, 201)
  await untilSent(before + 1)
})

test('a mail that nobody was rung for is found by the sweeper', async () => {
  const before = await sent()
  await join('lost@example.com')
  assert.ok((await forgetKeys(real.app.redis, `{${real.app.config.redisPrefix}:mail}*`)) > 0)
  work(real.app)
  const sweeper = openSweeper(real.app, ['mail'], openHandlers(real.app))
  closing.push(sweeper.close)
  await untilSent(before + 1)
})

test('with Redis away the sweeper sends by itself', async () => {
  const before = await sent()
  await join('alone@example.com')
  const cut = await openProcess(service, {
    clock: real.app.clock,
    config: { redisUrl: 'redis://127.0.0.1:1' },
  })
  const sweeper = openSweeper(cut.app, ['mail'], openHandlers(cut.app))
  closing.push(cut.close, sweeper.close)
  await untilSent(before + 1)
})
