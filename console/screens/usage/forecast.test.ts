import assert from 'node:assert/strict'
import { test } from 'vitest'
import { outlook } from './forecast.ts'

const december = { period_start: '2026-12-01T00:00:00.000Z', period_end: '2026-12-31T00:00:00.000Z' }
const tenth = Date.parse('2026-12-11T00:00:00.000Z')

test('a third of a period with half of the limit leads over it on its twentieth day', () => {
  assert.deepEqual(outlook({ used: 50, limit: 100 }, december, tenth, true), {
    forecast: 150,
    isNear: false,
    overOn: new Date('2026-12-21T00:00:00.000Z'),
  })
})

test('four fifths are near the limit; without a limit nothing is', () => {
  assert.equal(outlook({ used: 80, limit: 100 }, december, tenth, false).isNear, true)
  assert.equal(outlook({ used: 79, limit: 100 }, december, tenth, false).isNear, false)
  // A plan without it has a limit of 0.
  assert.equal(outlook({ used: 0, limit: 0 }, december, tenth, false).isNear, false)
  assert.deepEqual(outlook({ used: 1e9, limit: null }, december, tenth, true), {
    forecast: 3e9,
    isNear: false,
    overOn: undefined,
  })
})

test('a limit that is used up is over now, and a period that has just begun has no forecast', () => {
  assert.deepEqual(outlook({ used: 200, limit: 100 }, december, tenth, true).overOn, new Date(tenth))
  assert.equal(outlook({ used: 5, limit: 100 }, december, Date.parse(december.period_start), true).forecast, undefined)
})
