import assert from 'node:assert/strict'
import { test } from 'vitest'
import { occurrencesBetween } from '../recurrence/expand.ts'
import { dayMs } from '../shapes/durations.ts'
import { newId } from '../shapes/ids.ts'
import { seriesOf } from '../timers/series.ts'
import type { ListedSeries, ListedSingle, ListKey } from './listQueries.ts'
import { byStartAndId, type Window } from './occurrences.ts'
import { type Item, itemOf, openTimeline, pageOf, stretchOf } from './timeline.ts'

const at = (text: string) => Date.parse(`2026-03-${text}Z`)

const series = (start: number, rule: string, cancelled: number[] = []): ListedSeries => ({
  id: newId(),
  startTime: new Date(start),
  endTime: new Date(start + 1_800_000),
  recurrenceRule: rule,
  recurrenceExdates: cancelled.map((ms) => new Date(ms)),
  ...{ recurrenceTimezone: null, recurrenceRdates: [], recurrenceSkippedMs: 0, overriddenStarts: [] },
})
const singleAt = (start: number): ListKey => ({ id: newId(), startTime: new Date(start) })

/** An occurrence of a series that was moved by itself. */
const editedOf = (one: ListedSeries, original: number, start: number): ListedSingle => ({
  ...singleAt(start),
  ...{ seriesId: one.id, originalStart: new Date(original) },
})

const keyOf = ({ id, startTime }: ListKey) => ({ id, startMs: startTime.getTime() })

/** The questions to Postgres: events by day, and a stretch of them in the order of lists. */
function openStore(
  window: Window,
  singles: readonly ListKey[],
  all: readonly ListedSeries[],
  edited: readonly ListedSingle[] = [],
) {
  const isIn = ({ startTime }: ListKey, { fromMs, toMs }: Window) => +startTime >= fromMs && +startTime < toMs
  const stored = [...singles, ...all].toSorted((a, b) => byStartAndId(keyOf(a), keyOf(b)))
  const dayOf = ({ startTime }: ListKey) => Math.floor((+startTime - window.fromMs) / dayMs)
  const days = Map.groupBy(
    stored.filter((one) => isIn(one, window)),
    dayOf,
  )
  const perDay = [...days].map(([day, { length: events }]) => ({
    ...{ day: new Date(window.fromMs + day * dayMs), events, overrides: null },
  }))
  let maxRead = 0
  return {
    maxRead: () => maxRead,
    timeline: () => openTimeline(window, perDay, all, edited),
    async page(page: { limit: number; offset: number }): Promise<Item[]> {
      const timeline = await openTimeline(window, perDay, all, edited)
      const stretch = stretchOf(timeline, page)
      if (!stretch) return []
      const { offset, limit } = stretch.stored
      maxRead = Math.max(maxRead, limit)
      const places = stored.filter((one) => isIn(one, stretch.days)).slice(offset, offset + limit)
      return pageOf(timeline, stretch, places)
    },
  }
}

/** The whole list, item by item. */
function wholeOf(
  window: Window,
  singles: readonly ListKey[],
  all: readonly ListedSeries[],
  edited: readonly ListedSingle[] = [],
): Item[] {
  const isIn = (ms: number) => ms >= window.fromMs && ms < window.toMs
  const once = singles.map((one) => ({ ...keyOf(one), isOccurrence: false })).filter(({ startMs }) => isIn(startMs))
  const often = all.flatMap((one) =>
    occurrencesBetween(seriesOf(one)!, window.fromMs, window.toMs).map((startMs) => ({
      id: one.id,
      startMs,
      isOccurrence: true,
    })),
  )
  return [...once, ...often, ...edited.map(itemOf).filter(({ startMs }) => isIn(startMs))].toSorted(byStartAndId)
}

const march: Window = { fromMs: at('01T06:00:00'), toMs: at('31T06:00:00') }

test('every page is cut out of the whole list, wherever it begins', async () => {
  const ten = at('02T10:00:00')
  const cases: [string, ListKey[], ListedSeries[]][] = [
    ['nothing', [], []],
    ['singles', [singleAt(ten), singleAt(ten), singleAt(at('05T10:00:00')), singleAt(at('30T10:00:00'))], []],
    ['series', [], [series(ten, 'FREQ=DAILY', [ten]), series(at('01T10:00:00'), 'FREQ=WEEKLY')]],
    [
      'both, on the same starts, one series begun long ago',
      [...Array(12)].map((_, nth) => singleAt(at(`0${1 + (nth % 4)}T10:00:00`))),
      [
        series(ten, 'FREQ=DAILY;COUNT=6'),
        series(ten, 'FREQ=DAILY', [ten]),
        series(at('01T10:00:00') - 900 * dayMs, 'FREQ=DAILY'),
      ],
    ],
    [
      'a day that holds nearly all, with series that begin on it and after the page',
      [...Array(30)].map((_, nth) => singleAt(ten + (nth % 3))),
      [...Array(9)].map((_, nth) =>
        series(ten + (nth % 3), nth % 2 ? 'FREQ=DAILY' : 'FREQ=DAILY;COUNT=2', nth % 4 ? [] : [ten + (nth % 3)]),
      ),
    ],
  ]
  for (const [name, singles, all] of cases) {
    const whole = wholeOf(march, singles, all)
    const store = openStore(march, singles, all)
    assert.equal((await store.timeline()).total, whole.length, name)
    for (const limit of [1, 2, 3, 7, 200]) {
      for (let offset = 0; offset <= whole.length + 1; offset++) {
        const message = `${name}: limit ${limit}, offset ${offset}`
        assert.deepEqual(await store.page({ limit, offset }), whole.slice(offset, offset + limit), message)
      }
    }
  }
})

test('an edited occurrence stands under the id of its series; of equal starts the earlier original goes first', async () => {
  const ten = at('02T10:00:00')
  const daily = series(ten, 'FREQ=DAILY;COUNT=9', [ten + dayMs, ten + 2 * dayMs, ten + 3 * dayMs])
  const other = series(ten, 'FREQ=DAILY;COUNT=9')
  const edited = [
    editedOf(daily, ten + 3 * dayMs, ten + 4 * dayMs),
    editedOf(daily, ten + dayMs, ten + 4 * dayMs),
    editedOf(daily, ten + 2 * dayMs, march.toMs),
  ]
  const singles = [singleAt(ten + 4 * dayMs), singleAt(ten)]
  const whole = wholeOf(march, singles, [daily, other], edited)
  const store = openStore(march, singles, [daily, other], edited)
  assert.equal((await store.timeline()).total, 6 + 9 + 2 + 2)
  for (let offset = 0; offset < whole.length; offset++)
    for (const limit of [1, 3, 50])
      assert.deepEqual(await store.page({ limit, offset }), whole.slice(offset, offset + limit))
  const ofDaily = whole.filter(({ id, startMs }) => id === daily.id && startMs === ten + 4 * dayMs)
  assert.deepEqual(
    ofDaily.map(({ originalMs }) => originalMs),
    [ten + dayMs, ten + 3 * dayMs, undefined],
  )
})

test('however deep a page lies, no more stored events are read than it and a day of series can hold', async () => {
  const window = { fromMs: at('01T00:00:00'), toMs: at('01T00:00:00') + 366 * dayMs }
  const singles = [...Array(5_000)].map((_, nth) => singleAt(window.fromMs + nth * 6_000_000))
  const all = [...Array(10)].map((_, nth) => series(window.fromMs + nth * 3_600_000 - dayMs, 'FREQ=DAILY'))
  const store = openStore(window, singles, all)
  const whole = wholeOf(window, singles, all)
  for (const offset of [0, 1_000, 4_321, 8_000, whole.length - 10]) {
    assert.deepEqual(await store.page({ limit: 20, offset }), whole.slice(offset, offset + 20))
  }
  assert.ok(store.maxRead() <= 20 + 10, String(store.maxRead()))
})

test('a window without an end after its beginning is empty', async () => {
  const window = { fromMs: at('05T00:00:00'), toMs: at('03T00:00:00') }
  const store = openStore(window, [], [series(at('01T10:00:00'), 'FREQ=DAILY')])
  assert.equal((await store.timeline()).total, 0)
  assert.deepEqual(await store.page({ limit: 5, offset: 0 }), [])
})
