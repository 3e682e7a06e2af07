import assert from 'node:assert/strict'
import { serviceTest } from '../testing/test.ts'
import { again, decide } from './decide.ts'

const test = serviceTest()

test('a decision is made again until no other change came first', async ({ service }) => {
  let tries = 0
  const outcome = await decide(service.app, { noun: 'calendar', key: 'a' }, async () => (++tries < 8 ? again : 'done'))
  assert.equal(outcome, 'done')
  assert.equal(tries, 8)
})

test('a decision that always comes too late is refused with 503, which names the subject', async ({ service }) => {
  const never = decide(service.app, { noun: 'calendar', key: 'a' }, async () => again)
  await assert.rejects(never, { status: 503, message: /this calendar.*Nothing was changed/ })
})

test('decisions about one subject take turns in one app, and meet those of another app', async ({
  service,
  second,
}) => {
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
  await Promise.all([decide(service.app, subject, work('one')), decide(second.app, subject, work('two'))])
  assert.equal(together, 2)
})
