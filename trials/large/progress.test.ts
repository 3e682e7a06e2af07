import assert from 'node:assert/strict'
import { test } from 'vitest'
import { gigabytes, neededBytes } from './disk.ts'
import { durationOf, openStage, progressLine } from './progress.ts'

test('a line says how much is done and how long the rest takes', () => {
  assert.equal(progressLine('events', 500, 2_000, 60_000), '  events: 500 of 2,000 (25 %), 3 min left')
  assert.equal(progressLine('events', 0, 2_000, 60_000), '  events: 0 of 2,000 (0 %)')
  assert.equal(progressLine('events', 1_999, 2_000, 60_000), '  events: 1,999 of 2,000 (99 %), 0 s left')
})

test('a duration is as exact as people need it', () => {
  assert.deepEqual([400, 99_000, 100_000, 7_400_000].map(durationOf), ['0 s', '99 s', '2 min', '2 h 3 min'])
})

test('a short stage prints one line, at its end', () => {
  const lines: string[] = []
  const stage = openStage('agents', 3, (line) => lines.push(line))
  stage.add(1)
  stage.add(2)
  stage.end()
  assert.deepEqual(lines, ['  agents: 3 in 0 s'])
})

test('more agents need more disk, and the two installations are counted together', () => {
  const need = (large: number, small: number) => neededBytes({ large, small })
  assert.ok(need(1_000_000, 10_000) > 3 * need(10_000, 10_000))
  assert.ok(need(1_000_000, 10_000) < need(1_000_000, 20_000))
  assert.ok(need(1_000_000, 10_000) > 25e9)
  assert.equal(gigabytes(1_234_000_000), '1.2 GB')
  assert.equal(gigabytes(43_210_000_000), '43 GB')
})
