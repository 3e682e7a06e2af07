import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type DeltaItem, deltaItem, latest, missingMasters, reduceItems } from './microsoftItems.ts'

const horizon = { from: new Date('2026-02-01T00:00:00Z'), until: new Date('2027-04-01T00:00:00Z') }
const reading = {
  zone: 'Europe/Berlin',
  horizon,
  digest: (text: string) => `#${text}`,
  versions: new Map<string, string>(),
}
const at = (dateTime: string, timeZone = 'UTC') => ({ dateTime, timeZone })

const single = (id: string, more: object = {}): DeltaItem =>
  deltaItem.parse({
    id,
    type: 'singleInstance',
    subject: 'Secret',
    showAs: 'busy',
    isAllDay: false,
    isCancelled: false,
    start: at('2026-03-02T10:00:00.0000000'),
    end: at('2026-03-02T11:00:00.0000000'),
    ...more,
  })
const master = (id: string, more: object = {}) => single(id, { type: 'seriesMaster', ...more })
const occurrence = (id: string, seriesMasterId: string, day: string): DeltaItem =>
  deltaItem.parse({ id, seriesMasterId, type: 'occurrence', start: at(`${day}T08:00:00`), end: at(`${day}T09:00:00`) })
const removed = (id: string): DeltaItem => deltaItem.parse({ id, '@removed': { reason: 'deleted' } })

function reduce(items: readonly DeltaItem[], more: Partial<typeof reading> = {}, masters: readonly DeltaItem[] = []) {
  const result = reduceItems({ items: latest(items), masters: latest(masters) }, { ...reading, ...more })
  assert.equal(result.kind, 'reduced')
  return result as Extract<typeof result, { kind: 'reduced' }>
}

const busy = (items: readonly DeltaItem[], zone?: string) =>
  reduce(items, zone === undefined ? {} : { zone }).objects.flatMap((one) =>
    one.busy.map(({ startMs, endMs }) => [new Date(startMs).toISOString(), new Date(endMs).toISOString()]),
  )

test('titles are dropped in the parser', () => {
  assert.doesNotMatch(JSON.stringify(single('a', { subject: 'Marked', body: { content: 'Marked' } })), /Marked/)
})

for (const [what, more, isBusy] of [
  ['showAs busy', { showAs: 'busy' }, true],
  ['showAs tentative', { showAs: 'tentative' }, true],
  ['showAs oof', { showAs: 'oof' }, true],
  ['showAs unknown', { showAs: 'unknown' }, true],
  ['showAs that nobody knows', { showAs: 'newState' }, true],
  ['no showAs', { showAs: undefined }, true],
  ['showAs free', { showAs: 'free' }, false],
  ['showAs workingElsewhere', { showAs: 'workingElsewhere' }, false],
  ['cancelled', { isCancelled: true }, false],
  ['declined', { responseStatus: { response: 'declined' } }, false],
  ['tentatively accepted', { responseStatus: { response: 'tentativelyAccepted' } }, true],
  ['not responded', { responseStatus: { response: 'notResponded' } }, true],
] as const) {
  test(`${what} is ${isBusy ? 'busy' : 'free'}`, () => {
    assert.equal(busy([single('a', more)]).length, isBusy ? 1 : 0)
    const bare = occurrence('o', 'm', '2026-03-02')
    assert.equal(busy([master('m', more), bare]).length, isBusy ? 1 : 0)
  })
}

const wholeDay = (zone?: string) =>
  single('d', {
    isAllDay: true,
    start: at('2026-03-04T00:00:00.0000000'),
    end: at('2026-03-05T00:00:00.0000000'),
    originalStartTimeZone: zone,
  })

test('a whole day is a local day of the zone that it was made in', () => {
  const tokyo = [['2026-03-03T15:00:00.000Z', '2026-03-04T15:00:00.000Z']]
  assert.deepEqual(busy([wholeDay('Tokyo Standard Time')]), tokyo)
  assert.deepEqual(busy([wholeDay('Asia/Tokyo')]), tokyo)
  assert.deepEqual(busy([wholeDay('UTC')]), [['2026-03-04T00:00:00.000Z', '2026-03-05T00:00:00.000Z']])
  assert.deepEqual(busy([wholeDay('tzone://Microsoft/Utc')]), [
    ['2026-03-04T00:00:00.000Z', '2026-03-05T00:00:00.000Z'],
  ])
})

test('a whole day that ends as it begins is one day', () => {
  const day = { ...wholeDay('UTC'), end: at('2026-03-04T00:00:00.0000000') }
  assert.deepEqual(busy([day]), [['2026-03-04T00:00:00.000Z', '2026-03-05T00:00:00.000Z']])
})

test('without a zone that is known, a whole day is one of the calendar', () => {
  const newYork = [['2026-03-04T05:00:00.000Z', '2026-03-05T05:00:00.000Z']]
  for (const zone of [undefined, 'tzone://Microsoft/Custom', 'Customized Time Zone', 'Nowhere']) {
    assert.deepEqual(busy([wholeDay(zone)], 'America/New_York'), newYork)
  }
})

test('a whole day has 23 hours when clocks go forward, also as an occurrence', () => {
  const series = master('m', { isAllDay: true, originalStartTimeZone: 'W. Europe Standard Time' })
  const day = deltaItem.parse({
    ...{ id: 'o', type: 'occurrence', seriesMasterId: 'm' },
    ...{ start: at('2026-03-29T00:00:00.0000000'), end: at('2026-03-30T00:00:00.0000000') },
  })
  assert.deepEqual(busy([series, day]), [['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']])
})

test('times in another zone than UTC are read in it; times that cannot be read are malformed', () => {
  const berlin = 'W. Europe Standard Time'
  const there = single('a', { start: at('2026-03-02T10:00:00', berlin), end: at('2026-03-02T11:00:00', berlin) })
  assert.deepEqual(busy([there]), [['2026-03-02T09:00:00.000Z', '2026-03-02T10:00:00.000Z']])
  for (const start of [at('tomorrow'), at('2026-13-02T10:00:00'), at('2026-03-02T10:00:00', 'Nowhere'), null]) {
    const items = latest([single('a', { start })])
    assert.equal(reduceItems({ items, masters: new Map() }, reading).kind, 'malformed')
  }
})

test('masters lie at their first date and are never busy themselves; a missing one is asked for', () => {
  const old = master('m', { start: at('2012-01-02T08:00:00'), end: at('2012-01-02T09:00:00') })
  assert.deepEqual(busy([master('m')]), [])
  assert.deepEqual(busy([old, occurrence('o', 'm', '2026-03-02')]), [
    ['2026-03-02T08:00:00.000Z', '2026-03-02T09:00:00.000Z'],
  ])
  const alone = latest([occurrence('o', 'm', '2026-03-02'), occurrence('p', 'm', '2026-03-09')])
  assert.deepEqual(missingMasters(alone), ['m'])
  assert.deepEqual(missingMasters(latest([old, ...alone.values()])), [])
  // An exception says everything itself.
  assert.deepEqual(missingMasters(latest([single('x', { type: 'exception', seriesMasterId: 'm' })])), [])
  const { objects } = reduce([...alone.values()], {}, [master('m', { showAs: 'free' })])
  assert.deepEqual(
    objects.map(({ busy }) => busy),
    [[], []],
  )
})

test('an exception has its own properties', () => {
  const moved = single('x', { type: 'exception', seriesMasterId: 'm', showAs: 'free' })
  assert.deepEqual(busy([master('m'), moved]), [])
  assert.equal(busy([master('m', { showAs: 'free' }), { ...moved, showAs: 'busy' }]).length, 1)
})

test('the last word about an event counts', () => {
  assert.deepEqual(busy([single('a'), single('a', { showAs: 'free' })]), [])
  const gone = reduce([single('a'), removed('a')])
  assert.deepEqual([gone.objects, gone.removed], [[], ['#a']])
  const back = reduce([removed('a'), single('a')])
  assert.deepEqual([back.objects.length, back.removed], [1, []])
})

test('what is outside the horizon is not kept as busy', () => {
  const far = single('a', { start: at('2029-01-01T00:00:00'), end: at('2029-01-01T01:00:00') })
  const past = single('b', { start: at('2020-01-01T00:00:00'), end: at('2020-01-01T01:00:00') })
  const empty = single('c', { end: at('2026-03-02T10:00:00.0000000') })
  assert.deepEqual(busy([far, past, empty]), [])
})

const series = new Map([
  ['#o1', '#m'],
  ['#o2', '#m'],
  ['#other', '#n'],
  ['#a', '#single'],
])

test('a series that is removed takes its occurrences along', () => {
  assert.deepEqual(reduce([removed('m')], { versions: series }).removed, ['#m', '#o1', '#o2'])
  assert.deepEqual(reduce([removed('unknown')], { versions: series }).removed, ['#unknown'])
})

test('an occurrence that goes on in another series stays', () => {
  const { objects, removed: gone } = reduce([removed('m'), master('k'), occurrence('o1', 'k', '2026-03-02')], {
    versions: series,
  })
  assert.deepEqual([objects.map(({ digest }) => digest), gone], [['#o1'], ['#m', '#o2', '#k']])
})

test('a series without an occurrence that is known is torn: nothing says whether that one still exists', () => {
  const one = occurrence('o1', 'm', '2026-03-02')
  const two = occurrence('o2', 'm', '2026-03-09')
  assert.equal(reduce([master('m'), one], { versions: series }).isTorn, true)
  assert.equal(reduce([master('m')], { versions: series }).isTorn, true)
  assert.equal(reduce([master('m'), one, two], { versions: series }).isTorn, false)
  assert.equal(reduce([master('m'), one, removed('o2')], { versions: series }).isTorn, false)
  assert.equal(reduce([one], { versions: series }, [master('m')]).isTorn, false)
  assert.equal(reduce([master('new'), occurrence('o3', 'new', '2026-03-02')], { versions: series }).isTorn, false)
})

test('an event that becomes a series is one no longer', () => {
  assert.deepEqual(reduce([master('a'), occurrence('o', 'a', '2026-03-02')], { versions: series }).removed, ['#a'])
})

const states = fc.constantFrom('busy', 'tentative', 'oof', 'unknown', 'free', 'workingElsewhere')
const event = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  showAs: states,
  hour: fc.integer({ min: 0, max: 22 }),
})
const change = fc.oneof(
  event.map(({ id, showAs, hour }) =>
    single(id, {
      showAs,
      start: at(`2026-03-02T${hour}:00:00`.replace(/T(\d):/, 'T0$1:')),
      end: at('2026-03-02T23:00:00'),
    }),
  ),
  fc.constantFrom('a', 'b', 'c', 'd').map(removed),
)

test('changes applied one by one, or as one round, come to the same', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const stepwise = new Map<string, unknown>()
      for (const one of changes) {
        const { objects, removed } = reduce([one])
        for (const digest of removed) stepwise.delete(digest)
        for (const { digest, busy } of objects) stepwise.set(digest, busy)
      }
      const { objects } = reduce(changes)
      assert.deepEqual(new Map(objects.map(({ digest, busy }) => [digest, busy])), stepwise)
    }),
  )
})

test('pages in any order of series and occurrences come to the same', () => {
  const items = [
    ...[master('m', { showAs: 'tentative' }), occurrence('o1', 'm', '2026-03-02'), occurrence('o2', 'm', '2026-03-09')],
    ...[master('n', { showAs: 'free' }), occurrence('o3', 'n', '2026-03-03'), single('s')],
  ]
  const shown = (list: readonly DeltaItem[]) =>
    reduce(list).objects.toSorted((a, b) => a.digest.localeCompare(b.digest))
  fc.assert(
    fc.property(fc.shuffledSubarray(items, { minLength: items.length }), (order) => {
      assert.deepEqual(shown(order), shown(items))
    }),
  )
})
