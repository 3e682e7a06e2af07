// How long local time takes: microseconds for one object of a list, one text that is read, one answer of the time of a zone,
// each against the same by Temporal's polyfill. Runs alone: node trials/bench/localTime.ts
import { Temporal } from 'temporal-polyfill'
import { localOf, timeAt } from '../../src/localtime/present.ts'
import { readTime } from '../../src/localtime/readTime.ts'
import { checkWeekday } from '../../src/localtime/weekday.ts'
import { hourMs } from '../../src/shapes/durations.ts'
import { median } from '../world/report.ts'

const zone = 'Europe/Berlin'
const rounds = 15
const listLength = 200
const firstMs = Date.parse('2026-12-01T09:00:00Z')

/** An event every eleven hours: a list that goes over a change of clocks. */
const times = Array.from({ length: listLength }, (_, nth) => {
  const startMs = firstMs + nth * 11 * hourMs
  return { start: new Date(startMs), end: new Date(startMs + hourMs / 2) }
})
const texts = times.map(({ start }) => start.toISOString().replace('.000Z', `[${zone}]`))

/** The minimum of the work of `localOf`, by Temporal. */
function byTemporal({ start, end }: { start: Date; end: Date }): string {
  const [from, to] = [start, end].map((at) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone),
  )
  return `${from!.dayOfWeek} ${from!.toPlainDate()} ${from!.toPlainTime()} ${to!.toPlainTime()} ${from!.offset} ${to!.offset}`
}

/** The work of one pass over the list. */
const passes: Record<string, () => unknown> = {
  localOf: () => times.map((one) => localOf(one, zone)),
  'localOf, as JSON': () => JSON.stringify(times.map((one) => localOf(one, zone))),
  'the same by Temporal': () => times.map(byTemporal),
  'readTime, zone and no offset': () => texts.map(readTime),
  'the same by Temporal, guessing': () => texts.map((text) => Temporal.ZonedDateTime.from(text)),
  'checkWeekday, right': () => times.map(({ start }) => checkWeekday('Tuesday', start, zone)),
  timeAt: () => times.map(({ start }) => timeAt(start, zone, start)),
  'timeAt, no change to come': () => times.map(({ start }) => timeAt(start, 'Asia/Tokyo', start)),
}

/** Time of the processor, not of the clock: other processes do not count. */
function microsecondsEach(pass: () => unknown): number {
  const before = process.cpuUsage()
  let count = 0
  let spent = 0
  while (spent < 20_000) {
    pass()
    count += listLength
    const { user, system } = process.cpuUsage(before)
    spent = user + system
  }
  return spent / count
}

const samples = new Map(Object.keys(passes).map((name) => [name, [] as number[]]))
for (let round = 0; round <= rounds; round++) {
  for (const [name, pass] of Object.entries(passes)) {
    const sample = microsecondsEach(pass)
    if (round > 0) samples.get(name)!.push(sample)
  }
}
console.table([...samples].map(([name, values]) => ({ name, 'µs each': Number(median(values).toPrecision(3)) })))
