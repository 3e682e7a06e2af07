import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hasBegun, newHold, readHeld, release } from '../testing/heldReading.ts'
import { startThread } from './worker.ts'

const deadlineMs = 1_000
const heldReading = { module: import.meta.resolve('../testing/heldReading.ts'), name: readHeld.name, atOnceBelow: 0 }
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Reads in a thread, and calls `meanwhile` when the time limit runs. */
async function readWhile(meanwhile: (hold: Int32Array) => void) {
  const thread = startThread({ deadlineMs, memoryMb: 64 })
  const hold = newHold()
  const reading = thread.read({ reading: heldReading, bytes: new Uint8Array(1), options: hold })
  while (!hasBegun(hold)) await turn()
  // The earlier messages of the thread count now.
  await turn()
  await turn()
  meanwhile(hold)
  const outcome = await reading
  const isOver = thread.isOver()
  await thread.end()
  return { outcome, isOver }
}

test('work that takes too long is given up, and its thread with it', async () => {
  assert.deepEqual(await readWhile(() => undefined), { outcome: { kind: 'given_up', why: 'time' }, isOver: true })
})

test('work that was done in time counts, although the process was held up until after the limit', async () => {
  const { outcome, isOver } = await readWhile((hold) => {
    release(hold)
    Atomics.wait(newHold(), 0, 0, deadlineMs + 1_500)
  })
  assert.deepEqual([outcome, isOver], [{ kind: 'read', value: 'read' }, false])
})
