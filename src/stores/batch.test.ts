import assert from 'node:assert/strict'
import { test } from 'vitest'
import { batched } from './batch.ts'
import { lateError } from './failures.ts'

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

test('the next run has begun when the calls of the last one go on', async () => {
  const { runs, run } = openRuns()
  const call = batched<number, number>(1, run)
  const seen: number[] = []
  const results = [1, 2, 3].map((item) => call(item).then(() => seen.push(runs.length)))
  await turn()
  assert.equal(runs.length, 2)
  runs[0]!.finish()
  await results[0]
  assert.deepEqual(seen, [3])
  for (const { finish } of runs) finish()
  await Promise.all(results)
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

test('while Postgres does not answer, the calls of a batch fail together, and do not wait for each other', async () => {
  const away = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const failures: [errors: (Error | undefined)[], runs: number[], failed: number][] = [
    [[lateError(false)], [3], 3],
    // A connection that broke says nothing about the next one.
    [[away()], [3, 1, 1, 1], 0],
    [[away(), undefined, away()], [3, 1, 1], 2],
    [[new Error('bad'), undefined, lateError(true)], [3, 1, 1], 2],
  ]
  for (const [errors, sizes, failed] of failures) {
    const runs: number[] = []
    const call = batched<number, number>(100, async (items) => {
      const error = errors[runs.push(items.length) - 1]
      if (error) throw error
      return items
    })
    const settled = await Promise.allSettled([1, 2, 3].map(call))
    assert.deepEqual(runs, sizes)
    assert.equal(settled.filter(({ status }) => status === 'rejected').length, failed)
  }
})

const gather = { upTo: 3, gatherMs: 60_000 }

test('of runs that gather, one is under way at a time, and another begins beside a late one', async () => {
  const { runs, run } = openRuns()
  const call = batched<number, number>(100, run, { gather })
  const sizes = () => runs.map(({ items }) => items.length)
  const results = [call(1)]
  await turn()
  results.push(...[2, 3, 4, 5].map(call))
  await turn()
  assert.deepEqual(sizes(), [1])
  runs[0]!.finish()
  await results[0]
  await turn()
  assert.deepEqual(sizes(), [1, 4])
  // This run never ends. Calls that wait beside it begin all the same.
  results.push(call(6))
  while (runs.length < 3) await turn()
  assert.deepEqual(sizes(), [1, 4, 1])
  for (const { finish } of runs) finish()
  assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60])
})

test('clients that were answered together are awaited', async () => {
  const { runs, run } = openRuns()
  const call = batched<number, number>(100, run, { gather })
  const first = [1, 2, 3].map(call)
  await turn()
  runs[0]!.finish()
  await Promise.all(first)
  const next = [call(4), call(5)]
  await turn()
  assert.equal(runs.length, 1)
  next.push(call(6))
  await turn()
  assert.deepEqual(runs[1]?.items, [4, 5, 6])
  runs[1]!.finish()
  assert.deepEqual(await Promise.all(next), [40, 50, 60])
})

test('a client that does not come back is awaited for a moment only', async () => {
  const { runs, run } = openRuns()
  const call = batched<number, number>(100, run, { gather: { upTo: 3, gatherMs: 5 } })
  const first = [1, 2].map(call)
  await turn()
  runs[0]!.finish()
  await Promise.all(first)
  const next = call(3)
  while (runs.length < 2) await turn()
  runs[1]!.finish()
  assert.equal(await next, 30)
})

test('nobody is awaited by a client that calls alone, nor where there are many', async () => {
  for (const clients of [1, 4]) {
    const { runs, run } = openRuns()
    const call = batched<number, number>(100, run, { gather })
    const first = Array.from({ length: clients }, (_, nth) => call(nth))
    await turn()
    runs[0]!.finish()
    await Promise.all(first)
    const next = call(9)
    await turn()
    assert.deepEqual(runs[1]?.items, [9])
    runs[1]!.finish()
    assert.equal(await next, 90)
  }
})
