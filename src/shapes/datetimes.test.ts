import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isoTime, isoTimeOf, isoTimeOrNull, parseDatetime } from './datetimes.ts'
import { dayMs } from './durations.ts'

const accepted: [text: string, utc: string][] = [
  ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01T09:00Z', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01T09:00:00.5Z', '2026-03-01T09:00:00.500Z'],
  ['2026-03-01T09:00:00.123456789Z', '2026-03-01T09:00:00.123Z'],
  ['2026-03-01T09:00:00,5Z', '2026-03-01T09:00:00.500Z'],
  ['2026-03-01T09:00:00+02:00', '2026-03-01T07:00:00.000Z'],
  ['2026-03-01T09:00:00-0330', '2026-03-01T12:30:00.000Z'],
  ['2026-03-01T09:00:00+02', '2026-03-01T07:00:00.000Z'],
  ['2026-03-01T09:00-11', '2026-03-01T20:00:00.000Z'],
  ['2026-03-01T00:30:00+01:00', '2026-02-28T23:30:00.000Z'],
  ['2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0099-06-01T00:00:00Z', '0099-06-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
]
for (const [text, utc] of accepted) {
  test(`${text} is ${utc}`, () => {
    assert.equal(parseDatetime(text)?.toISOString(), utc)
  })
}

const refused = [
  '2026-03-01T09:00:00',
  '2026-03-01',
  '2026-03-01 09:00:00Z',
  '2026-03-01T09Z',
  '2026-03-01T09:00:00z',
  '2026-02-30T09:00:00Z',
  '2027-02-29T09:00:00Z',
  '2026-13-01T09:00:00Z',
  '2026-00-01T09:00:00Z',
  '2026-03-00T09:00:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T09:60:00Z',
  '2026-03-01T09:00:60Z',
  '2026-03-01T09:00:00+24:00',
  '2026-03-01T09:00:00+02:60',
  '2026-03-01T09:00:00+24',
  '2026-03-01T09:00:00+2',
  '2026-03-01T09:00:00+02:',
  '2026-03-01T09:00:00+02:0',
  '2026-03-01T09:00:00.Z',
  '2026-03-01T09:00:00,Z',
  '2026-03-01T09:00,5Z',
  '20260301T090000Z',
  '01/02/2026',
  '1772355600',
  '+002026-03-01T09:00:00Z',
  '0000-12-31T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  ' 2026-03-01T09:00:00Z',
  '2026-03-01T09:00:00Z\n',
  '',
]
for (const text of refused) {
  test(`${JSON.stringify(text)} is no datetime`, () => {
    assert.equal(parseDatetime(text), undefined)
  })
}

test('datetimes are answered in UTC with milliseconds', () => {
  assert.equal(isoTime(new Date('2026-03-01T09:00:00+02:00')), '2026-03-01T07:00:00.000Z')
  assert.equal(isoTimeOrNull(null), null)
})

test('a datetime is written as `toISOString` writes it, in any year, again and again', () => {
  const edges = [-1, 0, 1, 999, 1000, 59_999, 60_000, dayMs - 1, dayMs, -dayMs, -dayMs - 1]
  const years = ['-000001-12-31T23:59:59.999Z', '0001-01-01', '1969-12-31', '9999-12-31T23:59:59.999Z', '+010000-01-01']
  const spread = Array.from({ length: 3_000 }, (_, nth) => nth * 29 * dayMs + ((nth * 7_919_993) % dayMs))
  const all = [...edges, ...years.map(Date.parse), ...spread, ...edges].map((ms) => new Date(ms))
  assert.deepEqual(
    all.map(isoTime),
    all.map((at) => at.toISOString()),
  )
  assert.equal(isoTimeOf(1_772_355_600_000), '2026-03-01T09:00:00.000Z')
  assert.throws(() => isoTime(new Date(Number.NaN)), RangeError)
})
