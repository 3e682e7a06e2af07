import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { openMemory, type Remembered } from './remembered.ts'

const takenOf = (stretches: number): Remembered => ({
  scope: { kind: 'agents', orgId: newId(), agentIds: [] },
  taken: { agents: [], all: Array.from({ length: 2 * stretches }, (_, i) => i) },
  revisions: '',
  until: null,
})

test('the least recently used go first', () => {
  const memory = openMemory({ entries: 2, bytes: 1_000_000 })
  memory.keep('a', takenOf(1))
  memory.keep('b', takenOf(1))
  assert.ok(memory.recall('a'))
  memory.keep('c', takenOf(1))
  assert.equal(memory.recall('b'), undefined)
  assert.ok(memory.recall('a'))
  assert.ok(memory.recall('c'))
})

test('large ones push each other out by their size', () => {
  const memory = openMemory({ entries: 1_000, bytes: 100_000 })
  for (let i = 0; i < 20; i++) memory.keep(`large ${i}`, takenOf(600))
  const kept = Array.from({ length: 20 }, (_, i) => memory.recall(`large ${i}`)).filter(Boolean)
  assert.equal(kept.length, 9)
  assert.ok(memory.recall('large 19'))
})

test('keeping one again does not count it twice', () => {
  const memory = openMemory({ entries: 1_000, bytes: 100_000 })
  for (let i = 0; i < 50; i++) memory.keep('same', takenOf(600))
  memory.keep('other', takenOf(600))
  assert.ok(memory.recall('same'))
})

test('what would push out an eighth of all is not kept', () => {
  const memory = openMemory({ entries: 1_000, bytes: 100_000 })
  memory.keep('small', takenOf(1))
  memory.keep('huge', takenOf(800))
  assert.equal(memory.recall('huge'), undefined)
  assert.ok(memory.recall('small'))
})

test('the stretches of single agents count as well', () => {
  const memory = openMemory({ entries: 1_000, bytes: 100_000 })
  const { taken, ...rest } = takenOf(1)
  const busyOfAgents = [takenOf(800).taken.all]
  memory.keep('huge', { ...rest, taken: { ...taken, busyOfAgents } })
  assert.equal(memory.recall('huge'), undefined)
})
