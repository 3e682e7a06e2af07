import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeSources } from './freshness.ts'
import { presentAvailability } from './present.ts'
import { openMemory, type Remembered } from './remembered.ts'

const answerOf = (slotCount: number): Remembered => ({
  answer: presentAvailability({
    agentIds: [],
    slots: Array.from({ length: 2 * slotCount }, (_, i) => i * 900_000),
    freshness: judgeSources([], false),
  }),
  revisions: '',
  until: null,
})

test('the least recently used answers go first', () => {
  const memory = openMemory({ entries: 2, bytes: 1_000_000 })
  memory.keep('a', answerOf(1))
  memory.keep('b', answerOf(1))
  assert.ok(memory.recall('a'))
  memory.keep('c', answerOf(1))
  assert.equal(memory.recall('b'), undefined)
  assert.ok(memory.recall('a'))
  assert.ok(memory.recall('c'))
})

test('many large answers push each other out by their size', () => {
  const memory = openMemory({ entries: 1_000, bytes: 100_000 })
  for (let i = 0; i < 20; i++) memory.keep(`large ${i}`, answerOf(80))
  const kept = Array.from({ length: 20 }, (_, i) => memory.recall(`large ${i}`)).filter(Boolean)
  assert.ok(kept.length >= 8 && kept.length <= 10, `${kept.length} kept`)
  assert.ok(memory.recall('large 19'))
})

test('keeping an answer again does not count it twice', () => {
  const memory = openMemory({ entries: 1_000, bytes: 100_000 })
  for (let i = 0; i < 50; i++) memory.keep('same', answerOf(80))
  memory.keep('other', answerOf(80))
  assert.ok(memory.recall('same'))
})

test('an answer that would push out an eighth of all others is not kept', () => {
  const memory = openMemory({ entries: 1_000, bytes: 100_000 })
  memory.keep('small', answerOf(1))
  memory.keep('huge', answerOf(200))
  assert.equal(memory.recall('huge'), undefined)
  assert.ok(memory.recall('small'))
})
