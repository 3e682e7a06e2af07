import assert from 'node:assert/strict'
import { test } from 'vitest'
import { batched } from './batch.ts'

/** Runs that finish only when told to. */
function openRuns() {
  const runs: { items: number[]; finish: () => void }[] = []
  const run = (items: number[]) =>
    new Promise<number[]>((resolve) => {
      runs.push({ items, finish: () => resolve(items.map((item) => item * 10)) })
    })
  return { runs, run }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('calls of one turn share one run, and each gets the result of its own item', async () => {
  const runs: number[][] = []
  const double = batched<number, number>(100, async (items) => {
    runs.push(items)
    return items.map((item) => item * 2)
  })
  assert.deepEqual(await Promise.all([3, 1, 2].map(double)), [6, 2, 4])
  assert.deepEqual(runs, [[3, 1, 2]])
})

test('a run takes so many items at most', async () => {
  const runs: number[][] = []
  const same = batched<number, number>(2, async (items) => {
    runs.push(items)
    return items
  })
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(same)), [1, 2, 3, 4, 5])
  assert.deepEqual(runs, [[1, 2], [3, 4], [5]])
})

test('while two runs are under way the next one grows', async () => {
  const { runs, run } = openRuns()
  const call = batched<number, number>(100, run)
  const results = [call(1)]
  await turn()
  results.push(call(2))
  await turn()
  for (const item of [3, 4, 5]) {
    results.push(call(item))
    await turn()
  }
  assert.deepEqual(
    runs.map(({ items }) => items),
    [[1], [2]],
  )
  runs[0]!.finish()
  await results[0]
  await turn()
  assert.deepEqual(runs[2]?.items, [3, 4, 5])
  for (const { finish } of runs) finish()
  assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50])
})

test('a bad item fails alone, with its own error, and the others get their results', async () => {
  const runs: number[][] = []
  const call = batched<number, number>(100, async (items) => {
    runs.push(items)
    if (items.includes(13)) throw new Error(`13 among ${items.length}`)
    return items
  })
  const settled = await Promise.allSettled([1, 13, 2].map(call))
  assert.deepEqual(
    settled.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
    [1, '13 among 1', 2],
  )
  assert.deepEqual(runs, [[1, 13, 2], [1], [13], [2]])
  assert.equal(await call(4), 4)
})

test('beside a run of many items none begins until it is over, or late', async () => {
  const { runs, run } = openRuns()
  const call = batched<number, number>(100, run, { maxBeside: 2 })
  const sizes = () => runs.map(({ items }) => items.length)
  const results = [1, 2].map(call)
  await turn()
  results.push(...[3, 4, 5].map(call))
  await turn()
  assert.deepEqual(sizes(), [2])
  runs[0]!.finish()
  await results[0]
  await turn()
  assert.deepEqual(sizes(), [2, 3])
  // Nobody finishes this one. What waits beside it begins all the same.
  results.push(call(6))
  while (runs.length < 3) await turn()
  assert.deepEqual(sizes(), [2, 3, 1])
  for (const { finish } of runs) finish()
  assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60])
})

test('beside a run of few items another begins', async () => {
  const { runs, run } = openRuns()
  const call = batched<number, number>(100, run, { maxBeside: 2 })
  const results = [call(1)]
  await turn()
  results.push(...[2, 3].map(call))
  await turn()
  assert.equal(runs.length, 2)
  for (const { finish } of runs) finish()
  assert.deepEqual(await Promise.all(results), [10, 20, 30])
})
