import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Column, neighbour } from './keys.ts'
import { layOut } from './layout.ts'

const lanes = (parts: { from: number; to: number }[]) =>
  layOut(parts).placed.map(({ from, lane, lanes }) => [from, lane, lanes])

test('what overlaps stands side by side, and what does not has the whole width', () => {
  const parts = [
    { from: 540, to: 600 },
    { from: 570, to: 660 },
    { from: 600, to: 630 },
    { from: 660, to: 690 },
  ]
  assert.deepEqual(lanes(parts), [
    [540, 0, 2],
    [570, 1, 2],
    [600, 0, 2],
    [660, 0, 1],
  ])
  // A tile is never lower than a finger is wide.
  assert.deepEqual(
    lanes([
      { from: 600, to: 605 },
      { from: 610, to: 615 },
    ]),
    [
      [600, 0, 2],
      [610, 1, 2],
    ],
  )
})

test('beyond six side by side the rest is under one button', () => {
  const ten = Array.from({ length: 10 }, () => ({ from: 600, to: 660 }))
  const { placed, more, widest } = layOut([...ten, { from: 615, to: 660 }, { from: 630, to: 660 }])
  assert.deepEqual([placed.length, widest], [6, 7])
  assert.deepEqual(
    more.map(({ at, hidden, lane }) => [at, hidden.length, lane]),
    [
      [600, 5, 6],
      [630, 1, 6],
    ],
  )
  assert.equal(layOut(ten.slice(4)).more.length, 0)
})

test('arrows lead through a column and to the nearest in the next one that has any', () => {
  const column = (...things: [string, number][]): Column => things.map(([key, at]) => ({ key, at }))
  const columns = [column(['a', 540], ['b', 900]), column(), column(['c', 600], ['d', 840])]
  const go = (key: string, pressed: string) => neighbour(columns, key, pressed)
  assert.deepEqual(
    [go('a', 'ArrowDown'), go('b', 'ArrowDown'), go('b', 'ArrowUp'), go('b', 'ArrowRight'), go('c', 'ArrowLeft')],
    ['b', undefined, 'a', 'd', 'a'],
  )
  assert.deepEqual([go('c', 'Home'), go('a', 'End'), go('a', 'x'), go('gone', 'ArrowUp')], ['a', 'd', undefined, 'a'])
})
