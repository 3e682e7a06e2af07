import assert from 'node:assert/strict'
import { test } from 'vitest'
import { gaps, isWithin, merged, slotsWithin } from './intervals.ts'

const window = { fromMs: 100, toMs: 200 }

test('pieces in any order become ascending stretches, apart from each other', () => {
  assert.deepEqual(merged([150, 160, 110, 120, 115, 130, 112, 114], window), [110, 130, 150, 160])
})

test('pieces that touch become one stretch', () => {
  assert.deepEqual(merged([120, 130, 110, 120], window), [110, 130])
})

test('what lies outside the window is cut off or left out, also where it only touches', () => {
  assert.deepEqual(merged([90, 110, 190, 210, 80, 100, 200, 220, 10, 20, 300, 310], window), [100, 110, 190, 200])
  assert.deepEqual(merged([10, 500], window), [100, 200])
  assert.deepEqual(merged([], window), [])
})

test('a piece is within one of the stretches, its edges included, or it is not', () => {
  const stretches = [100, 120, 150, 160]
  const inside = [
    [100, 120],
    [105, 106],
    [150, 151],
    [159, 160],
  ] as const
  const outside = [
    [99, 101],
    [119, 121],
    [120, 150],
    [110, 155],
    [160, 161],
    [10, 20],
    [100, 160],
  ] as const
  for (const [start, end] of inside) assert.ok(isWithin(stretches, start, end), `${start} to ${end}`)
  for (const [start, end] of outside) assert.ok(!isWithin(stretches, start, end), `${start} to ${end}`)
  assert.ok(!isWithin([], 1, 2))
})

test('gaps are what is left of the window', () => {
  assert.deepEqual(gaps([], window), [100, 200])
  assert.deepEqual(gaps([100, 200], window), [])
  assert.deepEqual(gaps([100, 110, 150, 160], window), [110, 150, 160, 200])
  assert.deepEqual(gaps([110, 120, 190, 200], window), [100, 110, 120, 190])
})

test('slots stand back to back in each gap; a rest that is too short is left over', () => {
  assert.deepEqual(slotsWithin([100, 130, 150, 159, 160, 171], 10), [100, 110, 110, 120, 120, 130, 160, 170])
})
