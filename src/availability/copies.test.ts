import assert from 'node:assert/strict'
import { test } from 'vitest'
import { newId } from '../shapes/ids.ts'
import { openCopies, type RememberedCopy } from './copies.ts'

const window = { fromMs: 100, toMs: 200 }
const copyOf = (busy: readonly number[] = [110, 120]): RememberedCopy => ({ id: newId(), revision: 1, window, busy })

test('a question is told of the copies behind it that know all of its window', () => {
  const copies = openCopies()
  const [some, other] = [copyOf(), copyOf()]
  copies.keep('some', [some])
  copies.keep('both', [some, other])
  assert.deepEqual(copies.behind('some', window), [some])
  assert.deepEqual(copies.behind('both', { fromMs: 120, toMs: 130 }), [some, other])
  assert.deepEqual(copies.behind('both', { fromMs: 99, toMs: 130 }), [])
  assert.deepEqual(copies.behind('both', { fromMs: 120, toMs: 201 }), [])
  assert.deepEqual(copies.behind('another', window), [])
})

test('a later revision takes the place of an earlier one, and sources that are gone are forgotten', () => {
  const copies = openCopies()
  const copy = copyOf()
  copies.keep('some', [copy])
  copies.keep('some', [{ ...copy, revision: 2 }])
  assert.deepEqual(copies.behind('some', window), [{ ...copy, revision: 2 }])
  copies.keep('some', [])
  assert.deepEqual(copies.behind('some', window), [])
})

test('what was kept first goes when there is no more room', () => {
  const copies = openCopies({ questions: 2, numbers: 4 })
  const kept = [copyOf(), copyOf(), copyOf()]
  kept.forEach((copy, nth) => {
    copies.keep(`${nth}`, [copy])
  })
  assert.deepEqual(
    kept.map((_, nth) => copies.behind(`${nth}`, window).length),
    [0, 1, 1],
  )
})
