import assert from 'node:assert/strict'
import { test } from 'vitest'
import { moment, span, word } from './times.ts'

const berlin = { timezone: 'Europe/Berlin', clock: '24' } as const

test('a moment reads in the chosen zone and clock', () => {
  assert.equal(moment('2026-12-01T09:00:00.000Z', berlin), 'Tuesday 1 December 2026, 10:00')
  assert.equal(moment('2026-12-01T23:30:00.000Z', berlin), 'Wednesday 2 December 2026, 00:30')
  assert.equal(moment('2026-12-01T21:05:00.000Z', { timezone: 'UTC', clock: '12' }), 'Tuesday 1 December 2026, 9:05 pm')
})

test('a stretch says the day of its end only if it is another one', () => {
  const start = '2026-12-01T09:00:00.000Z'
  assert.equal(span(start, '2026-12-01T09:30:00.000Z', berlin), 'Tuesday 1 December 2026, 10:00–10:30')
  assert.equal(
    span(start, '2026-12-02T09:00:00.000Z', berlin),
    'Tuesday 1 December 2026, 10:00– Wednesday 2 December 2026, 10:00',
  )
})

test('a state is a word with a capital', () => {
  assert.deepEqual(['paused', 'all_blocked'].map(word), ['Paused', 'All blocked'])
})
