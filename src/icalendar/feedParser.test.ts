import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { setTimeout as passed } from 'node:timers/promises'
import { test } from 'vitest'
import { openFeedParser, type ParsedFeed } from './feedParser.ts'

const options = {
  zone: 'Europe/Berlin',
  from: new Date('2026-01-01T00:00:00Z'),
  until: new Date('2027-01-02T00:00:00Z'),
}

const feedOf = (...events: string[][]): Buffer =>
  Buffer.from(
    ['BEGIN:VCALENDAR', ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']), 'END:VCALENDAR'].join(
      '\r\n',
    ),
  )
const good = (uid: string) =>
  feedOf([`UID:${uid}`, 'SUMMARY:Meeting', 'DTSTART:20260105T090000Z', 'DTEND:20260105T100000Z'])

const uids = (reading: ParsedFeed): unknown =>
  reading.kind === 'parsed' ? reading.events.map(({ uid }) => uid) : reading

/** Each zone and year is a look-up of its own: seconds, however fast the machine. */
const endless = feedOf(
  ...Intl.supportedValuesOf('timeZone').flatMap((zone) =>
    Array.from({ length: 110 }, (_, nth) => [
      `UID:${zone} ${nth}`,
      `DTSTART;TZID=${zone}:${1900 + nth * 2}0601T090000`,
    ]),
  ),
)

test('a feed that takes too long is given up, and those that wait behind it are read', async () => {
  const parser = openFeedParser({ deadlineMs: 1_500 })
  assert.deepEqual(uids(await parser.parse(good('first'), options)), ['first'])
  const [bad, second, third] = await Promise.all([
    parser.parse(endless, options),
    parser.parse(good('second'), options),
    parser.parse(good('third'), options),
  ])
  assert.deepEqual(bad, { kind: 'unreadable', reason: 'The feed takes more than 5 seconds to read.' })
  assert.deepEqual(uids(second), ['second'])
  assert.deepEqual(uids(third), ['third'])
  await parser.close()
})

test('a feed that takes too much memory is given up, and the next one is read', async () => {
  const parser = openFeedParser({ memoryMb: 24, deadlineMs: 60_000 })
  const large = feedOf(
    ...Array.from({ length: 45_000 }, (_, nth) => [`UID:${nth}`, 'DTSTART:20260105T090000Z', `SUMMARY:Number ${nth}`]),
  )
  const [bad, next] = await Promise.all([parser.parse(large, options), parser.parse(good('next'), options)])
  assert.deepEqual(bad, { kind: 'unreadable', reason: 'Reading the feed takes too much memory.' })
  assert.deepEqual(uids(next), ['next'])
  await parser.close()
})

test('the event loop goes on while a feed is read', async () => {
  const parser = openFeedParser({ deadlineMs: 1_500 })
  await parser.parse(good('first'), options)
  const reading = parser.parse(endless, options)
  const began = performance.now()
  let turns = 0
  while (performance.now() - began < 400) {
    await passed(5)
    turns++
  }
  assert.ok(turns > 10, `${turns} turns`)
  assert.equal((await reading).kind, 'unreadable')
  await parser.close()
})

test('closing answers what is under way, what waits and what comes later', async () => {
  const parser = openFeedParser()
  await parser.parse(good('first'), options)
  const pending = [parser.parse(endless, options), parser.parse(good('second'), options)]
  await parser.close()
  const later = parser.parse(good('third'), options)
  for (const reading of await Promise.all([...pending, later])) {
    assert.deepEqual(reading, { kind: 'unreadable', reason: 'The service is shutting down.' })
  }
})

test('a parser that never read anything closes', async () => {
  await openFeedParser().close()
})

test('a thread that waits for feeds keeps no process alive', () => {
  const script = `
    import { openFeedParser } from '${new URL('./feedParser.ts', import.meta.url)}'
    const options = { zone: 'UTC', from: new Date('2026-01-01'), until: new Date('2027-01-01') }
    console.log((await openFeedParser().parse(Buffer.from('BEGIN:VCALENDAR\\nEND:VCALENDAR'), options)).kind)`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 })
  assert.equal(status, 0)
  assert.equal(stdout.toString(), 'parsed\n')
})

test('the zone of the machine changes nothing', () => {
  const script = `
    import { readFileSync } from 'node:fs'
    import { openFeedParser } from '${new URL('./feedParser.ts', import.meta.url)}'
    const options = { zone: 'Europe/Berlin', from: new Date('2026-01-01'), until: new Date('2027-01-01') }
    const read = (name) => parser.parse(readFileSync(new URL('./corpus/' + name, '${import.meta.url}')), options)
    const parser = openFeedParser()
    console.log(JSON.stringify([await read('clock-changes.ics'), await read('airline-roster.ics')]))`
  const [utc, kiritimati] = ['UTC', 'Pacific/Kiritimati'].map((TZ) => {
    const env = { ...process.env, TZ }
    return spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env,
      timeout: 30_000,
    }).stdout.toString()
  })
  assert.match(utc!, /Half past two/)
  assert.equal(utc, kiritimati)
})

test('5,000 events take fewer steps than in node-ical alone, and no more for each than 500 events take', () => {
  const [few, many] = [workFor(500), workFor(5_000)]
  assert.ok(many.stepsPerEvent < many.nodeIcal, JSON.stringify(many))
  assert.ok(many.stepsPerEvent < 1.1 * few.stepsPerEvent, JSON.stringify([few, many]))
  assert.equal(many.lookUps, few.lookUps)
})

/**
 * How often blocks of code are entered for each event, which does not depend on how busy the machine is, and how often
 * `Intl` looks a zone up, which is one step and slow. In a process of its own: counting slows it down, and our parser puts
 * handlers of its own into node-ical.
 */
function workFor(events: number): { stepsPerEvent: number; nodeIcal: number; lookUps: number } {
  const script = `
    import { readFileSync } from 'node:fs'
    import { Session } from 'node:inspector/promises'
    import nodeIcal from 'node-ical'
    const feed = readFileSync(0)
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    async function steps(run) {
      await session.post('Profiler.takePreciseCoverage')
      const events = run()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const blocks = result.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      return blocks.reduce((sum, { count }) => sum + count, 0) / events
    }
    const eventsOf = (parsed) => Object.values(parsed).filter(({ type }) => type === 'VEVENT').length
    const nodeIcalAlone = await steps(() => eventsOf(nodeIcal.sync.parseICS(feed.toString())))
    const { parseCalendar } = await import('${new URL('./parseCalendar.ts', import.meta.url)}')
    const options = { zone: 'Europe/Berlin', from: new Date('2026-01-01'), until: new Date('2027-01-02') }
    let lookUps = 0
    Intl.DateTimeFormat = class extends Intl.DateTimeFormat {
      constructor(...given) {
        super(...given)
        lookUps++
      }
    }
    const stepsPerEvent = await steps(() => parseCalendar(feed, options).events.length)
    console.log(JSON.stringify({ stepsPerEvent, nodeIcal: nodeIcalAlone, lookUps }))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    input: meetings(events),
    timeout: 60_000,
  })
  assert.notEqual(stdout.length, 0, stderr.toString())
  return JSON.parse(stdout.toString())
}

/** One after the other, an hour each. */
function meetings(events: number): Buffer {
  const local = (nth: number) => {
    const hour = new Date(Date.UTC(2026, 0, 5) + nth * 3_600_000).toISOString().slice(0, 13)
    return `${hour.replace(/-/g, '')}0000`
  }
  return feedOf(
    ...Array.from({ length: events }, (_, nth) => [
      ...[`UID:${nth}@example.com`, `SUMMARY:Meeting ${nth}`, 'DTSTAMP:20260101T000000Z', 'SEQUENCE:1'],
      ...[`DTSTART;TZID=Europe/Berlin:${local(nth)}`, `DTEND;TZID=Europe/Berlin:${local(nth + 1)}`],
      ...['DESCRIPTION:Agenda\\n- one\\n- two\\, and three', 'LOCATION:Room 5', 'STATUS:CONFIRMED'],
    ]),
  )
}
