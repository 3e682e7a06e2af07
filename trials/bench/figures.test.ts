import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isMet, millis, rowOf } from './figures.ts'
import { markdownTableOf } from './table.ts'

const facts = { bench: 'timers', name: 'due' }

test('a ratio is taken within a round, and the middle one is shown', () => {
  const row = rowOf({ ...facts, target: { atMost: 2 } }, { ours: [3, 100, 8], baseline: [1, 50, 1] }, millis)
  assert.deepEqual([row.ratios, isMet(row), row.cpu], [[3, 2, 8], false, undefined])
  assert.match(
    markdownTableOf([row]),
    /\| timers \| due \| 8.00 ms \| 1.00 ms \| 3.00 \| 2.00 … 8.00 \| – .*\| MISSED \|$/,
  )
})

test('a target of processor time is judged by processor time, and not at all where there is none', () => {
  const target = { of: 'cpu', atMost: 0.5 } as const
  const samples = { ours: [{ figure: 9, cpuMs: 1 }], baseline: [{ figure: 3, cpuMs: 4 }] }
  const row = rowOf({ ...facts, target }, samples, millis)
  assert.deepEqual([row.cpu, isMet(row)], [{ ours: '1,000 µs', baseline: '4,000 µs', ratios: [0.25] }, true])
  const uncounted = rowOf({ ...facts, target }, { ours: [{ figure: 9 }], baseline: [{ figure: 3, cpuMs: 4 }] }, millis)
  assert.deepEqual([uncounted.cpu, isMet(uncounted)], [undefined, undefined])
})
