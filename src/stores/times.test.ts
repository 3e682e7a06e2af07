import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { parseTime } from './times.ts'

/** The ISO form, which `Date` reads exactly, as Postgres writes it: without zeros at the end of the fraction. */
const asPostgres = (iso: string): string => iso.replace('T', ' ').replace(/\.?0*Z$/, '+00')

test('a time is read as it was stored, in the first year and in the last one', () => {
  const moment = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') })
  fc.assert(
    fc.property(
      fc
        .oneof(moment, fc.date({ min: new Date('1999-12-31'), max: new Date('2001-01-01') }))
        .filter((at) => !Number.isNaN(at.getTime())),
      (at) => assert.equal(parseTime(asPostgres(at.toISOString())).getTime(), at.getTime()),
    ),
    { numRuns: 2_000 },
  )
})

const readings: [text: string, iso: string][] = [
  ['2026-03-02 12:00:00+00', '2026-03-02T12:00:00.000Z'],
  ['2026-03-02 12:00:00.5+00', '2026-03-02T12:00:00.500Z'],
  ['2026-03-02 12:00:00.123999+00', '2026-03-02T12:00:00.123Z'],
  ['0049-03-02 12:00:00+00', '0049-03-02T12:00:00.000Z'],
  ['2024-02-29 23:59:59.001+00', '2024-02-29T23:59:59.001Z'],
]
for (const [text, iso] of readings) {
  test(`${text} is ${iso}`, () => {
    assert.equal(parseTime(text).toISOString(), iso)
  })
}

test('a time without end is no time', () => {
  assert.ok(Number.isNaN(parseTime('infinity').getTime()))
  assert.ok(Number.isNaN(parseTime('-infinity').getTime()))
})
