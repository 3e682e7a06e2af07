import assert from 'node:assert/strict'
import { test } from 'vitest'
import { millis, rowOf, type Target, verdictOf } from './figures.ts'
import { markdownTableOf } from './table.ts'

const facts = { bench: 'timers', name: 'due' }

test('a ratio is taken within a round, and the middle one is shown', () => {
  const row = rowOf({ ...facts, target: { atMost: 2 } }, { ours: [3, 100, 8], baseline: [1, 50, 1] }, millis)
  assert.deepEqual([row.ratios, verdictOf(row), row.cpu], [[3, 2, 8], 'missed', undefined])
  assert.match(
    markdownTableOf([row]),
    /\| timers \| due \| 8.00 ms \| 1.00 ms \| 3.00 \| 2.00 … 8.00 \| – .*\| MISSED \|$/,
  )
})

test('a target of processor time is judged by processor time, and not at all where there is none', () => {
  const target = { of: 'cpu', atMost: 0.5 } as const
  const samples = { ours: [{ figure: 9, cpuMs: 1 }], baseline: [{ figure: 3, cpuMs: 4 }] }
  const row = rowOf({ ...facts, target }, samples, millis)
  assert.deepEqual([row.cpu, verdictOf(row)], [{ ours: '1,000 µs', baseline: '4,000 µs', ratios: [0.25] }, 'met'])
  const uncounted = rowOf({ ...facts, target }, { ours: [{ figure: 9 }], baseline: [{ figure: 3, cpuMs: 4 }] }, millis)
  assert.deepEqual([uncounted.cpu, verdictOf(uncounted)], [undefined, undefined])
})

test.each<[Target, string, string]>([
  [{ atLeast: 1.5, aim: 2 }, 'aim met', '≥ 1.5, aim 2'],
  [{ atLeast: 1.5, aim: 2.1 }, 'met', '≥ 1.5, aim 2.1'],
  [{ atMost: 2, aim: 1.9 }, 'met', '≤ 2, aim 1.9'],
  [{ atMost: 1.9, aim: 1 }, 'MISSED', '≤ 1.9, aim 1'],
])('a ratio of 2 for the target %j: %s', (target, verdict, shown) => {
  const row = rowOf({ ...facts, target }, { ours: [4], baseline: [2] }, millis)
  assert.ok(markdownTableOf([row]).endsWith(`| ${shown} | ${verdict} |`))
})
