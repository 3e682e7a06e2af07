import assert from 'node:assert/strict'
import { test } from 'vitest'
import { batchedPerKey } from './keyedBatch.ts'

test('calls with one key share a run, those with another do not wait for it', async () => {
  const runs: [string, number[]][] = []
  const held = Promise.withResolvers<void>()
  const call = batchedPerKey<number, string>(100, async (key, items) => {
    runs.push([key, items])
    if (key === 'held') await held.promise
    return items.map((item) => `${key} ${item}`)
  })
  const waiting = [call('held', 1), call('held', 2)]
  assert.deepEqual(await Promise.all([call('other', 3), call('other', 4)]), ['other 3', 'other 4'])
  held.resolve()
  assert.deepEqual(await Promise.all(waiting), ['held 1', 'held 2'])
  assert.deepEqual(runs, [
    ['held', [1, 2]],
    ['other', [3, 4]],
  ])
})

test('more keys than are remembered are served too', async () => {
  const call = batchedPerKey<number, number>(100, async (_key, items) => items)
  const keys = Array.from({ length: 3_000 }, (_, nth) => nth)
  assert.deepEqual(await Promise.all(keys.map((nth) => call(`key ${nth}`, nth))), keys)
  assert.equal(await call('key 0', 7), 7)
})
