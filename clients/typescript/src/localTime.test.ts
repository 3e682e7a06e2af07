import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { test } from 'vitest'
import { inZone, localTime, readLocalTime } from './entry.ts'

test('a local time is written with its zone', () => {
  assert.equal(localTime('2026-12-01T10:00', 'Europe/Berlin'), '2026-12-01T10:00[Europe/Berlin]')
  assert.equal(localTime('2026-12-01T10:00:30.5', 'UTC'), '2026-12-01T10:00:30.5[UTC]')
  for (const wrong of ['2026-12-01', '2026-12-01 10:00', '2026-12-01T10:00Z', '2026-12-01T10:00+01:00', 'x']) {
    assert.throws(() => localTime(wrong, 'UTC'), TypeError)
  }
  for (const zone of ['', 'Berlin', 'Europe/Berlin]', 'Europe/Berlin\n']) {
    assert.throws(() => localTime('2026-12-01T10:00', zone), /no time zone/)
  }
})

test('what is written is read', () => {
  assert.deepEqual(readLocalTime('2026-12-01T10:00[Europe/Berlin]'), {
    date: '2026-12-01',
    time: '10:00',
    timezone: 'Europe/Berlin',
  })
  assert.equal(readLocalTime('2026-12-01T10:00:00-03:30[!America/St_Johns]')?.offset, '-03:30')
  for (const other of ['2026-12-01T10:00Z', '[UTC]', '2026-12-01T10:00[', 'x'.repeat(100_000)]) {
    assert.equal(readLocalTime(other), undefined)
  }
})

test('a moment in a zone is the same moment to Temporal', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  // Until 1972 the clocks of Monrovia differed by 44 minutes and 30 seconds, which has no offset in minutes.
  const moments = fc.date({
    min: new Date('1973-01-01T00:00:00Z'),
    max: new Date('2037-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (moment, zone) => {
      moment.setUTCMilliseconds(0)
      const text = inZone(moment, zone)
      const read = Temporal.ZonedDateTime.from(text)
      assert.deepEqual([read.epochMilliseconds, read.timeZoneId], [moment.getTime(), zone])
      assert.equal(readLocalTime(text)?.timezone, zone)
    }),
    { numRuns: 300 },
  )
  assert.throws(() => inZone(new Date(Number.NaN), 'UTC'), TypeError)
})
