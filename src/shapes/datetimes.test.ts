import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { z } from 'zod'
import { datetime, isoTime, isoTimeOrNull, metadata, parseDatetime, queryBoolean, zone } from './datetimes.ts'
import { isZone } from './zones.ts'

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

test('metadata is kept as it was sent, whatever its keys are called', () => {
  const sent = JSON.parse('{"__proto__":{"a":1},"constructor":2,"deep":{"list":[null,true,1.5,"ü"]}}')
  assert.equal(JSON.stringify(metadata.parse(sent)), JSON.stringify(sent))
})

test('metadata may take 16,384 bytes of JSON, counted in UTF-8', () => {
  const frame = Buffer.byteLength('{"k":""}')
  assert.ok(metadata.safeParse({ k: 'x'.repeat(16_384 - frame) }).success)
  assert.match(issueOf(metadata, { k: 'x'.repeat(16_385 - frame) })!.message, /16384 bytes/)
  assert.ok(metadata.safeParse({ k: 'ü'.repeat((16_384 - frame) / 2) }).success)
  assert.ok(!metadata.safeParse({ k: 'ü'.repeat((16_384 - frame) / 2 + 1) }).success)
})

for (const value of [null, [], ['a'], 'text', 1, true]) {
  test(`metadata is an object, not ${JSON.stringify(value)}`, () => {
    assert.equal(issueOf(metadata, value)?.message, 'expected an object')
  })
}

const ianaNames = [
  'UTC',
  'Europe/Berlin',
  'America/Argentina/Buenos_Aires',
  'Asia/Calcutta',
  'Etc/GMT+5',
  'US/Eastern',
  'US/Pacific',
  'Canada/Saskatchewan',
  'NZ-CHAT',
  'W-SU',
  'Zulu',
  // Every name of three letters, and those that hold one.
  ...['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'WET'],
  ...['EST5EDT', 'CST6CDT', 'MST7MDT', 'PST8PDT', 'GB', 'NZ'],
]
for (const name of ianaNames) {
  test(`${name} is a zone, kept as it was sent`, () => {
    assert.equal(zone.parse(name), name)
  })
}

test('of all words of three letters only the names of IANA are zones', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const words = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  const zones = words.filter(isZone)
  assert.deepEqual(zones, ianaNames.filter((name) => /^[A-Z]{3}$/.test(name)).sort())
})

for (const name of [
  '',
  '+02:00',
  '-0500',
  'GMT+2',
  'Europe/Atlantis',
  'Berlin',
  'Europe/Berlin ',
  '../UTC',
  'x'.repeat(65),
  'bst',
  'Ist',
  'SystemV/EST5',
  'SystemV/EST5EDT',
  'systemv/hst10',
  'US/Pacific-New',
  'Canada/East-Saskatchewan',
]) {
  test(`${JSON.stringify(name.slice(0, 20))} is no zone`, () => {
    assert.ok(issueOf(zone, name))
  })
}

test('a boolean in a query is true or false and nothing else', () => {
  assert.equal(queryBoolean.parse('true'), true)
  assert.equal(queryBoolean.parse('false'), false)
  for (const text of ['', '1', '0', 'True', 'yes'])
    assert.equal(issueOf(queryBoolean, text)?.message, 'expected true or false')
})
