import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../ids.ts'
import { byStart, countOccurrences, mergedPage, occurrencesOf, single } from './occurrences.ts'
import type { EventRow } from './queries.ts'

const dayMs = 86_400_000
const at = (text: string) => Date.parse(`2026-03-${text}Z`)

const row = (start: number, more: Partial<EventRow> = {}): EventRow => ({
  orgId: newId(),
  id: newId(),
  calendarId: newId(),
  titleSealed: Buffer.alloc(0),
  descriptionSealed: null,
  startTime: new Date(start),
  endTime: new Date(start + 1_800_000),
  allDay: false,
  status: 'confirmed',
  source: 'internal',
  metadata: {},
  bookingSealed: null,
  reminders: null,
  holdExpiresAt: null,
  holdPriority: 0,
  holdOutcome: null,
  recurrenceRule: null,
  recurrenceExdates: [],
  seriesLastStart: null,
  createdAt: new Date(start),
  updatedAt: new Date(start),
  ...more,
})

const daily = row(at('02T10:00:00'), {
  recurrenceRule: 'FREQ=DAILY;COUNT=6',
  recurrenceExdates: [new Date(at('04T10:00:00'))],
})

test('an occurrence has its own times and its master’s row; a single event is itself', () => {
  const window = { fromMs: at('03T00:00:00'), toMs: at('06T00:00:00') }
  assert.deepEqual(occurrencesOf(daily, window, 10), [
    { row: daily, startMs: at('03T10:00:00'), endMs: at('03T10:30:00'), isOccurrence: true },
    { row: daily, startMs: at('05T10:00:00'), endMs: at('05T10:30:00'), isOccurrence: true },
  ])
  assert.deepEqual(occurrencesOf(daily, window, 1).length, 1)
  const once = row(at('03T09:00:00'))
  assert.deepEqual(occurrencesOf(once, window, 10), [])
  assert.deepEqual(single(once), {
    row: once,
    startMs: at('03T09:00:00'),
    endMs: at('03T09:30:00'),
    isOccurrence: false,
  })
})

test('the window is half-open on the start', () => {
  const counted = (fromMs: number, toMs: number) => {
    const window = { fromMs, toMs }
    assert.equal(occurrencesOf(daily, window, 100).length, countOccurrences([daily], window))
    return countOccurrences([daily], window)
  }
  assert.equal(counted(at('02T10:00:00'), at('02T10:00:00') + 1), 1)
  assert.equal(counted(at('02T10:00:00') + 1, at('03T10:00:00')), 0)
  assert.equal(counted(at('02T10:00:00'), at('03T10:00:00')), 1)
  assert.equal(counted(at('03T10:00:00'), at('03T10:00:00')), 0)
  assert.equal(counted(at('05T00:00:00'), at('03T00:00:00')), 0)
  assert.equal(counted(at('01T00:00:00'), at('31T00:00:00')), 5)
})

test('a merged page is ordered by start, then id, and cut like the whole', () => {
  const window = { fromMs: at('01T00:00:00'), toMs: at('31T00:00:00') }
  const singles = [row(at('02T09:00:00')), row(at('02T10:00:00')), row(at('05T10:00:00')), row(at('20T10:00:00'))]
  const masters = [daily, row(at('03T10:00:00'), { recurrenceRule: 'FREQ=DAILY;INTERVAL=2;COUNT=4' })]
  const whole = mergedPage(singles, masters, window, { limit: 100, offset: 0 })
  assert.equal(whole.length, singles.length + countOccurrences(masters, window))
  assert.deepEqual(whole, whole.toSorted(byStart))
  for (const limit of [1, 2, 3, 7]) {
    const paged = []
    for (let offset = 0; offset < whole.length; offset += limit) {
      paged.push(...mergedPage(singles, masters, window, { limit, offset }))
    }
    assert.deepEqual(paged, whole)
  }
  assert.deepEqual(mergedPage(singles, masters, window, { limit: 5, offset: whole.length }), [])
})

test('a page expands no more than its end needs, however old the series and wide the window', () => {
  const old = row(Date.parse('1976-03-02T10:00:00Z'), { recurrenceRule: 'FREQ=DAILY' })
  const window = { fromMs: at('01T00:00:00'), toMs: at('01T00:00:00') + 366 * dayMs }
  assert.equal(occurrencesOf(old, window, 50).length, 50)
  assert.equal(occurrencesOf(old, window, 50)[0]?.startMs, at('01T10:00:00'))
  assert.equal(countOccurrences([old], window), 366)
})
