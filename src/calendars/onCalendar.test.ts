import assert from 'node:assert/strict'
import { again } from '../commit/decide.ts'
import { newId } from '../shapes/ids.ts'
import { serviceTest } from '../testing/test.ts'
import { onCalendar } from './onCalendar.ts'

const test = serviceTest()

test('a decision is made again for as long as somebody else is faster, but not for ever', async ({ service }) => {
  let tries = 0
  const outcome = await onCalendar(service.app, newId(), async () => (++tries < 5 ? again : 'done'))
  assert.deepEqual([outcome, tries], ['done', 5])
  await assert.rejects(
    onCalendar(service.app, newId(), async () => again),
    { type: 'internal_error', status: 503 },
  )
})

test('decisions about one calendar take turns, and decisions about others do not wait', async ({ service }) => {
  const { app } = service
  const [one, another] = [newId(), newId()]
  const order: string[] = []
  const blocked = Promise.withResolvers<void>()
  const first = onCalendar(app, one, async () => {
    await blocked.promise
    order.push('first')
  })
  const next = onCalendar(app, one, async () => order.push('next'))
  await onCalendar(app, another, async () => order.push('other'))
  blocked.resolve()
  await Promise.all([first, next])
  assert.deepEqual(order, ['other', 'first', 'next'])
})
