import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openRuns } from './runs.ts'

/** A run that the test ends. */
function openRun() {
  const begun: PromiseWithResolvers<number>[] = []
  const ask = openRuns(() => {
    const run = Promise.withResolvers<number>()
    begun.push(run)
    return run.promise
  })
  return { begun, ask }
}

test('whoever asks during a run gets the next one, and shares it with the others', async () => {
  const { begun, ask } = openRun()
  const first = ask()
  const later = [ask(), ask(), ask()]
  assert.equal(begun.length, 1)
  begun[0]!.resolve(1)
  assert.equal(await first, 1)
  await Promise.resolve()
  assert.equal(begun.length, 2)
  begun[1]!.resolve(2)
  assert.deepEqual(await Promise.all(later), [2, 2, 2])
  assert.equal(begun.length, 2)
})

test('a run that fails is over: the next one begins all the same', async () => {
  const { begun, ask } = openRun()
  const first = ask()
  const second = ask()
  begun[0]!.reject(new Error('no'))
  await assert.rejects(first)
  begun[1]!.resolve(2)
  assert.equal(await second, 2)
  const third = ask()
  begun[2]!.resolve(3)
  assert.equal(await third, 3)
})
