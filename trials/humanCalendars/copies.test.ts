import assert from 'node:assert/strict'
import { test } from 'vitest'
import { compareCopies } from './copies.ts'

test('what is missing, there twice, not wanted or at another time is told apart', () => {
  const wanted = new Map([
    ['kept', 1],
    ['missing', 2],
    ['twice', 3],
    ['moved', 4],
  ])
  const copies = [
    { title: 'kept', startMs: 1 },
    { title: 'twice', startMs: 3 },
    { title: 'twice', startMs: 3 },
    { title: 'moved', startMs: 5 },
    { title: 'cancelled', startMs: 6 },
  ]
  const expected = { lost: ['missing'], double: ['twice'], orphaned: ['cancelled'], outdated: ['moved'] }
  assert.deepEqual(compareCopies(wanted, copies), expected)
})
