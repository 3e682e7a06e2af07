import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { CalendarRead, Failed, ReadTask } from './provider.ts'
import { readEach } from './readEach.ts'

type Category = Failed['category']

/** A read of calendars that answer these, one after another; undefined: one that is read. */
async function reading(...answers: (Category | undefined)[]) {
  const told: [number, string][] = []
  let asked = 0
  const failed = (category: Category): Failed => ({ kind: 'failed', category, message: '' })
  const read = { kind: 'read' } as CalendarRead
  const outcome = await readEach(
    answers.map(() => ({}) as ReadTask),
    1,
    async (nth, result) => void told.push([nth, result.kind === 'read' ? 'read' : result.category]),
    async () => {
      const answer = answers[asked++]
      return answer === undefined ? read : failed(answer)
    },
  )
  return { told, asked, end: outcome.kind === 'failed' ? outcome.category : outcome.kind }
}

test('a calendar that fails leaves the others alone', async () => {
  for (const category of ['provider_error', 'unreachable', 'malformed', 'forbidden'] as const) {
    const { told, end } = await reading(category, undefined, undefined)
    assert.equal(end, 'done')
    assert.deepEqual(told.sort(), [
      [0, category],
      [1, 'read'],
      [2, 'read'],
    ])
  }
})

test('a server that fails for every calendar fails for the account', async () => {
  const { told, asked, end } = await reading('provider_error', 'provider_error', 'provider_error')
  assert.deepEqual([told, asked, end], [[], 3, 'provider_error'])
})

test('a server that does not answer twice, or wants fewer requests, is not asked for more', async () => {
  assert.deepEqual(await reading('unreachable', 'unreachable', undefined), { told: [], asked: 2, end: 'unreachable' })
  assert.deepEqual(await reading('rate_limited', undefined), { told: [], asked: 1, end: 'rate_limited' })
})
