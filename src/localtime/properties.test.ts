// Facts of any zone and any time, besides the changes of offset that `oracles.test.ts` walks. SEED=n repeats a run.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { test } from 'vitest'
import { dayMs } from '../shapes/durations.ts'
import { localOf, timeAt } from './present.ts'
import { readTime } from './readTime.ts'
import { weekdayNames, zonedTime } from './spelling.ts'
import { checkWeekday } from './weekday.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
console.log(`local time: SEED=${seed}`)
const check = (property: fc.IRawProperty<unknown>, numRuns = 1_000) =>
  fc.assert(property as fc.IProperty<unknown>, { seed, numRuns })

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const moment = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2037, 11, 31) })
const anyMoment = fc.oneof(moment, fc.integer({ min: Date.UTC(100, 0, 1), max: Date.UTC(9999, 11, 30) }))
const zoned = (ms: number, name: string) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name)

test('what we write is read as the same moment, by us and by Temporal', () => {
  check(
    fc.property(anyMoment, zone, (ms, name) => {
      const text = zonedTime(ms, name)
      assert.deepEqual(readTime(text), { kind: 'time', at: new Date(ms), zone: name })
      assert.equal(Temporal.ZonedDateTime.from(text).epochMilliseconds, ms)
    }),
  )
})

test('what Temporal writes is read as the same moment', () => {
  check(
    fc.property(moment, zone, fc.constantFrom('auto', 'always', 'critical'), (ms, name, calendarName) => {
      const read = readTime(zoned(ms, name).toString({ calendarName }))
      assert.deepEqual(read, { kind: 'time', at: new Date(ms), zone: name })
    }),
  )
})

test('with an offset that the zone does not have then, the same moment is among the suggestions', () => {
  check(
    fc.property(moment, zone, fc.integer({ min: -56, max: 56 }), (ms, name, quarters) => {
      const aheadMs = quarters * 900_000
      const sign = quarters < 0 ? '-' : '+'
      const offset = `${sign}${new Date(Math.abs(aheadMs)).toISOString().slice(11, 16)}`
      const text = `${new Date(ms + aheadMs).toISOString().slice(0, -1)}${offset}[${name}]`
      const read = readTime(text)
      const actual = zoned(ms, name)
      if (actual.offsetNanoseconds === aheadMs * 1e6)
        return assert.deepEqual(read, { kind: 'time', at: new Date(ms), zone: name })
      if (actual.offset.length > 6) return
      assert.ok(read.kind === 'refused' && read.code === 'offset_mismatch', text)
      const moments = read.suggestions.map((suggestion) => Temporal.ZonedDateTime.from(suggestion).epochMilliseconds)
      assert.ok(moments.includes(ms), `${text}: ${read.suggestions}`)
    }),
  )
})

const piece = fc.constantFrom(
  ...['2026-12-01', 'T', '10:00', ':30', '.5', 'Z', '+01:00', '-0330', '[', ']', '!', 'Europe/Berlin', 'UTC', 'u-ca='],
  ...['gregory', '[Europe/Berlin]', '[!u-ca=iso8601]', '2026-12-01T10:00', ' ', '_x=1', '=', '9'.repeat(40)],
)

test('any text is read or refused', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(piece, { maxLength: 9 }).map((all) => all.join('')),
  )
  check(
    fc.property(text, (sent) => {
      const read = readTime(sent)
      if (read.kind === 'refused') return assert.ok(read.message.length > 0)
      assert.equal(read.at.getTime(), Temporal.Instant.from(zonedTime(read.at.getTime(), 'UTC')).epochMilliseconds)
    }),
    5_000,
  )
})

test('texts that go on and on are refused at once, whether or not they are too long', () => {
  for (const unit of ['[', '[a=b]', '1', '[!', '-', '+01', '[a-', ':', '[a=b-']) {
    for (const length of [150, 100_000]) {
      assert.equal(readTime(`2026-12-01T10:00${unit.repeat(length / unit.length)}`).kind, 'refused', unit)
    }
  }
})

test('a weekday is right or refused, and every start suggested lies on the one that was sent', () => {
  check(
    fc.property(moment, zone, fc.constantFrom(...weekdayNames), (ms, name, weekday) => {
      const wrong = checkWeekday(weekday, new Date(ms), name)
      const actual = weekdayNames[zoned(ms, name).dayOfWeek - 1]!
      if (actual === weekday) return assert.equal(wrong, undefined)
      const [first, ...starts] = wrong!.suggestions
      assert.equal(first, actual.toLowerCase())
      assert.ok(starts.length >= 2)
      for (const start of starts) {
        const at = Temporal.ZonedDateTime.from(start)
        assert.equal(weekdayNames[at.dayOfWeek - 1], weekday, start)
        assert.ok(Math.abs(at.epochMilliseconds - ms) <= 7 * dayMs, start)
      }
    }),
  )
})

test('week, time and next change of a zone are those of Temporal', () => {
  check(
    fc.property(moment, zone, (ms, name) => {
      const { local, iso_week, next_offset_change } = timeAt(new Date(ms), name, new Date(0))
      const at = zoned(ms, name)
      assert.equal(`${local.date}T${local.time}`, at.toPlainDateTime().toString({ smallestUnit: 'minute' }))
      assert.equal(iso_week, `${at.yearOfWeek}-W${String(at.weekOfYear).padStart(2, '0')}`)
      const next = at.getTimeZoneTransition('next')
      const expected = next && { at: new Date(next.epochMilliseconds).toISOString(), utc_offset: next.offset }
      assert.deepEqual(next_offset_change, expected)
    }),
    200,
  )
})

test('days of an event are never more than it touches, and never none', () => {
  check(
    fc.property(moment, fc.integer({ min: 1, max: 40 * dayMs }), zone, (ms, lengthMs, name) => {
      const { date, end_date, last_date } = localOf(
        { start: new Date(ms), end: new Date(ms + lengthMs), allDay: true },
        name,
      )
      assert.ok(last_date !== undefined && date <= last_date && (last_date <= end_date || lengthMs < dayMs))
    }),
  )
})
