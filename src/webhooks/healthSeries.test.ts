import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hourMs, minuteMs } from '../shapes/durations.ts'
import { pointsOf } from './healthSeries.ts'
import { countDuration, emptyHistogram } from './histogram.ts'

const fromMs = Date.parse('2026-12-01T09:50:00Z')

function stretch(minutes: number, delivered: number, failed: number, ms: number) {
  const msHistogram = emptyHistogram()
  for (let nth = 0; nth < delivered + failed; nth++) countDuration(msHistogram, ms)
  return { stretch: new Date(fromMs + minutes * minuteMs), attempts: delivered + failed, delivered, msHistogram }
}

test('stretches of a step are added up, and a step without attempts is there', () => {
  const rows = [stretch(0, 3, 1, 5), stretch(50, 2, 0, 400), stretch(120, 0, 1, 10_000)]
  const points = pointsOf(rows, { fromMs, toMs: fromMs + 2 * hourMs, stepMs: hourMs })
  assert.deepEqual(
    points.map(({ at, delivered, failed }) => [at, delivered, failed]),
    [
      ['2026-12-01T09:50:00.000Z', 5, 1],
      ['2026-12-01T10:50:00.000Z', 0, 0],
      ['2026-12-01T11:50:00.000Z', 0, 1],
    ],
  )
  const [first, second, third] = points.map((point) => point.p95_ms)
  assert.ok(first! > 250 && first! <= 400, `${first}`)
  assert.equal(second, null)
  assert.ok(third! > 6_500 && third! <= 10_000, `${third}`)
})
