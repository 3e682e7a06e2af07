import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { type App, closeApp, openApp } from '../app.ts'
import { openTestService, type TestService } from '../testing/harness.ts'
import { again, decide } from './decide.ts'

let service: TestService
/** As a second process would have it: the same stores, turns of its own. */
let second: App

beforeAll(async () => {
  service = await openTestService()
  second = openApp(service.app.config, { name: 'second', connections: 2, clock: service.clock })
})
afterAll(async () => {
  await closeApp(second)
  await service.close()
})

test('a decision is made again until nobody was faster', async () => {
  let tries = 0
  const outcome = await decide(service.app, { noun: 'calendar', key: 'a' }, async () => (++tries < 8 ? again : 'done'))
  assert.equal(outcome, 'done')
  assert.equal(tries, 8)
})

test('one that is never in time is refused with 503, and says of what', async () => {
  const never = decide(service.app, { noun: 'calendar', key: 'a' }, async () => again)
  await assert.rejects(never, { status: 503, message: /this calendar.*Nothing was changed/ })
})

test('decisions about one subject take turns in one app, and meet those of another app', async () => {
  const under: string[] = []
  let together = 0
  const work = (name: string) => async () => {
    under.push(name)
    together = Math.max(together, under.length)
    await new Promise((resolve) => setTimeout(resolve, 20))
    under.splice(under.indexOf(name), 1)
  }
  const subject = { noun: 'calendar', key: 'b' }
  await Promise.all([decide(service.app, subject, work('one')), decide(service.app, subject, work('two'))])
  assert.equal(together, 1)
  await Promise.all([decide(service.app, subject, work('one')), decide(second, subject, work('two'))])
  assert.equal(together, 2)
})
