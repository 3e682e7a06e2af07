import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { z } from 'zod'
import { datetime, isoTime, isoTimeOrNull, parseDatetime } from './datetimes.ts'

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

const issueOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]

test('a datetime that cannot be read carries the code invalid_time_format', () => {
  const issue = issueOf(datetime, 'tomorrow') as { code: string; params: unknown; message: string }
  assert.equal(issue.code, 'custom')
  assert.deepEqual(issue.params, { code: 'invalid_time_format' })
  assert.match(issue.message, /ISO 8601 with an offset/)
})

test('datetimes are answered in UTC with milliseconds', () => {
  assert.equal(isoTime(new Date('2026-03-01T09:00:00+02:00')), '2026-03-01T07:00:00.000Z')
  assert.equal(isoTimeOrNull(null), null)
})
