// Real calendar clients read a feed, each in its own way, and list what they find.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const home = mkdtempSync(join(tmpdir(), 'clients-'))

const longTitle = `Überprüfung; Räume, Zeiten \\ und ${'sehr '.repeat(20)}lange Titel 日本語 😀`

/** Titles by the day they are found on, 9 to 15 March 2026. */
const expected = {
  '2026-03-09': ['Daily', 'Review'],
  '2026-03-10': ['Conference', 'Daily'],
  // The occurrence of the 11th is cancelled.
  '2026-03-11': ['Conference'],
  '2026-03-12': ['Daily'],
  '2026-03-13': ['Daily', longTitle],
}

const test = serviceTest()
  /** The feed, at its address and in a file. */
  .extend('feed', perFile, async ({ service, key }) => {
    const calendar = await makeCalendar(service, key, undefined, { name: 'Team, "A"; B' })
    const make = (title: string, start: string, end: string, more: object = {}) =>
      makeEvent(service, key, calendar.id, {
        title,
        start_time: `2026-03-${start}:00Z`,
        end_time: `2026-03-${end}:00Z`,
        ...more,
      })
    const daily = await make('Daily', '09T08:00', '09T08:15', {
      recurrence_rule: 'FREQ=DAILY;COUNT=5',
      reminders: [60, 5],
    })
    const occurrence = `/v1/calendars/${calendar.id}/events/${daily.id}?occurrence_start=2026-03-11T08:00:00Z`
    assert.equal((await service.call('DELETE', occurrence, { key })).status, 200)
    await make('Review', '09T14:00', '09T15:00', {
      description: 'first\nsecond, "third"; \\ fourth',
      status: 'tentative',
    })
    await make('Conference', '10T00:00', '12T00:00', { all_day: true, reminders: [] })
    await make(longTitle, '13T10:00', '13T11:00', { description: 'ü'.repeat(2_000) })
    await makeHold(service, key, calendar.id, { title: 'Held' })
    const feedUrl = service.baseUrl + new URL(calendar.ical_url).pathname
    const feedFile = join(home, 'feed.ics')
    writeFileSync(feedFile, (await service.call('GET', new URL(calendar.ical_url).pathname)).body)
    return { url: feedUrl, file: feedFile, seriesId: daily.id }
  })
  /** Fridays at nine in Berlin, over a change of clocks: one moved, one renamed, one cancelled, and a further date. */
  .extend('zonedFeed', perFile, async ({ service, key }) => {
    const calendar = await makeCalendar(service, key, undefined, { name: 'Zoned', timezone: 'Europe/Berlin' })
    const { id } = await makeEvent(service, key, calendar.id, {
      ...{ title: 'Weekly', start_time: '2026-03-20T08:00:00Z', end_time: '2026-03-20T08:30:00Z', reminders: [] },
      ...{ recurrence_rule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=4', recurrence_timezone: 'Europe/Berlin' },
      recurrence_rdates: ['2026-04-01T12:00:00Z'],
    })
    const at = (start: string) => `/v1/events/${id}?occurrence_start=${start}`
    const edit = async (start: string, body: object) =>
      assert.equal((await service.call('PATCH', at(start), { key, body })).status, 200)
    await edit('2026-03-27T08:00:00Z', {
      ...{ title: 'Moved', start_time: '2026-03-28T09:00:00Z', end_time: '2026-03-28T09:45:00Z' },
    })
    await edit('2026-04-03T07:00:00Z', { title: 'Renamed' })
    assert.equal((await service.call('DELETE', at('2026-04-10T07:00:00Z'), { key })).status, 200)
    const path = new URL(calendar.ical_url).pathname
    const file = join(home, 'zoned.ics')
    writeFileSync(file, (await service.call('GET', path)).body)
    return { url: service.baseUrl + path, file, id }
  })
test.afterAll(() => rmSync(home, { recursive: true }))

/** Start in UTC and title, by day. */
const zoned = {
  '2026-03-20': ['08:00 Weekly'],
  '2026-03-27': [],
  '2026-03-28': ['09:00 Moved'],
  '2026-04-01': ['12:00 Weekly'],
  '2026-04-03': ['07:00 Renamed'],
  '2026-04-10': [],
}

const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), TZ: 'UTC', LC_ALL: 'C.UTF-8' }
const execute = promisify(execFile)
/** Not synchronously: some ask the service, which runs in this process. */
const run = async (command: string, args: string[], more: object = {}) =>
  (await execute(command, args, { env: { ...env, ...more }, timeout: 60_000 })).stdout
const runs = (command: string, args: string[]) => spawnSync(command, args, { env }).status === 0

/** A test of a client that is not installed is skipped; in CI it fails. */
const isMissing = (...probe: [string, string[]]) => !runs(...probe) && process.env.CI !== 'true'

test('calcurse imports everything, and lists it day by day', {
  skip: isMissing('calcurse', ['--version']),
}, async ({ feed }) => {
  const data = join(home, 'calcurse')
  mkdirSync(data)
  await run('calcurse', ['-D', data, '-q', '-i', feed.file])
  for (const [day, titles] of Object.entries(expected)) {
    const [year, month, date] = day.split('-')
    const formats = ['--format-apt', '%m\\n', '--format-recur-apt', '%m\\n', '--format-event', '%m\\n']
    const listing = ['-Q', '--filter-type', 'cal', '--from', `${month}/${date}/${year}`, '--days', '1']
    const found = await run('calcurse', ['-D', data, ...listing, ...formats, '--format-recur-event', '%m\\n'])
    const listed = found.split('\n').filter((line) => line !== '' && !/^\d\d\/\d\d\/\d\d:$/.test(line))
    assert.deepEqual(listed.toSorted(), titles.toSorted(), day)
  }
})

test('vdirsyncer reads the feed over HTTP, and khal lists what it stored', {
  skip: isMissing('khal', ['--version']) || isMissing('vdirsyncer', ['--version']),
}, async ({ feed }) => {
  const khal = await openKhal('feed', feed.url)
  assert.equal(khal.items(), 5)
  for (const [day, titles] of Object.entries(expected))
    assert.deepEqual(await khal.list(day, '{title}'), titles.toSorted(), day)
})

test('vdirsyncer and khal find the occurrences of a series by a clock, each as it was edited', {
  skip: isMissing('khal', ['--version']) || isMissing('vdirsyncer', ['--version']),
}, async ({ zonedFeed }) => {
  const khal = await openKhal('zoned', zonedFeed.url)
  assert.equal(khal.items(), 1)
  for (const [day, found] of Object.entries(zoned))
    assert.deepEqual(await khal.list(day, '{start-time} {title}'), found, day)
})

/** It knows no RECURRENCE-ID and no RDATE: it shows an edited occurrence beside that of the rule. */
test('calcurse finds the occurrences of the rule at the hour of the clock, and what was edited', {
  skip: isMissing('calcurse', ['--version']),
}, async ({ zonedFeed }) => {
  const data = join(home, 'calcurse-zoned')
  mkdirSync(data)
  const inBerlin = { TZ: 'Europe/Berlin' }
  await run('calcurse', ['-D', data, '-q', '-i', zonedFeed.file], inBerlin)
  for (const [day, found] of Object.entries({
    '2026-03-20': ['09:00 Weekly'],
    '2026-03-27': ['09:00 Weekly'],
    '2026-03-28': ['10:00 Moved'],
    '2026-04-03': ['09:00 Renamed', '09:00 Weekly'],
    '2026-04-10': [],
  })) {
    const [year, month, date] = day.split('-')
    const formats = ['--format-apt', '%S %m\\n', '--format-recur-apt', '%S %m\\n']
    const listing = ['-Q', '--filter-type', 'cal', '--from', `${month}/${date}/${year}`, '--days', '1']
    const lines = (await run('calcurse', ['-D', data, ...listing, ...formats], inBerlin)).split('\n')
    assert.deepEqual(lines.filter((line) => /^\d\d:\d\d /.test(line)).toSorted(), found, day)
  }
})

/** A folder that vdirsyncer fills from a feed, and khal with it. */
async function openKhal(name: string, url: string) {
  const [items, db] = [join(home, `${name}.items`), join(home, `${name}.db`)]
  const vdirsyncer = join(home, `${name}.vdirsyncer.conf`)
  writeFileSync(
    vdirsyncer,
    `[general]
status_path = "${join(home, `${name}.status`)}"
[pair feed]
a = "remote"
b = "local"
collections = null
[storage remote]
type = "http"
url = "${url}"
[storage local]
type = "filesystem"
path = "${items}"
fileext = ".ics"
`,
  )
  mkdirSync(items)
  await run('vdirsyncer', ['-c', vdirsyncer, 'discover', '--no-list'])
  await run('vdirsyncer', ['-c', vdirsyncer, 'sync'])
  const khal = join(home, `${name}.khal.conf`)
  writeFileSync(
    khal,
    `[calendars]
[[feed]]
path = ${items}
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
default_timezone = UTC
local_timezone = UTC
[sqlite]
path = ${db}
`,
  )
  return {
    items: () => readdirSync(items).length,
    async list(day: string, format: string): Promise<string[]> {
      const listed = await run('khal', ['-c', khal, 'list', '--day-format', '', '--format', format, day, '1d'])
      return listed.split('\n').filter(Boolean).toSorted()
    },
  }
}

const parse = `
import icalendar, json, sys
calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
def told(event):
    return {
        'uid': str(event['UID']), 'title': str(event['SUMMARY']), 'start': event['DTSTART'].to_ical().decode(),
        'description': str(event.get('DESCRIPTION', '')), 'status': str(event['STATUS']),
        'rule': event['RRULE'].to_ical().decode() if 'RRULE' in event else None,
        'alarms': [int(alarm['TRIGGER'].dt.total_seconds() / 60) for alarm in event.subcomponents],
        'errors': event.errors,
    }
print(json.dumps({'name': str(calendar['X-WR-CALNAME']), 'errors': calendar.errors, 'events': [told(e) for e in calendar.walk('VEVENT')]}))
`

const parseTimes = `
import icalendar, json, sys
from datetime import timezone
calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
utc = lambda value: value.dt.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M')
events = calendar.walk('VEVENT')
each = lambda event, name: [utc(one) for one in event[name].dts] if name in event else []
print(json.dumps([{
    'uid': str(e['UID']), 'title': str(e['SUMMARY']), 'start': utc(e['DTSTART']), 'end': utc(e['DTEND']),
    'original': utc(e['RECURRENCE-ID']) if 'RECURRENCE-ID' in e else None,
    'rdates': each(e, 'RDATE'), 'exdates': each(e, 'EXDATE'), 'errors': e.errors,
} for e in events]))
`

test('icalendar for Python reads the times of a series by a clock', {
  skip: isMissing(python, ['-c', 'import icalendar']),
}, async ({ zonedFeed }) => {
  const events = JSON.parse(await run(python, ['-c', parseTimes, zonedFeed.file]))
  const common = { uid: `${zonedFeed.id}@agent-calendar`, rdates: [], exdates: [], errors: [] }
  assert.deepEqual(
    events.toSorted((a: { start: string }, b: { start: string }) => (a.start < b.start ? -1 : 1)),
    [
      {
        ...{ ...common, title: 'Weekly', start: '2026-03-20T08:00', end: '2026-03-20T08:30', original: null },
        ...{ rdates: ['2026-04-01T12:00'], exdates: ['2026-04-10T07:00'] },
      },
      { ...common, title: 'Moved', start: '2026-03-28T09:00', end: '2026-03-28T09:45', original: '2026-03-27T08:00' },
      { ...common, title: 'Renamed', start: '2026-04-03T07:00', end: '2026-04-03T07:30', original: '2026-04-03T07:00' },
    ],
  )
})

test('icalendar for Python parses every property as it was meant', {
  skip: isMissing(python, ['-c', 'import icalendar']),
}, async ({ feed }) => {
  const { name, errors, events } = JSON.parse(await run(python, ['-c', parse, feed.file]))
  assert.deepEqual([name, errors], ['Team, "A"; B', []])
  const found = new Map(events.map((event: { title: string }) => [event.title, event]))
  assert.deepEqual([...found.keys()].toSorted(), ['Conference', 'Daily', 'Held', 'Review', longTitle].toSorted())
  assert.deepEqual(found.get('Daily'), {
    uid: `${feed.seriesId}@agent-calendar`,
    title: 'Daily',
    start: '20260309T080000Z',
    description: '',
    status: 'CONFIRMED',
    rule: 'FREQ=DAILY;COUNT=5',
    alarms: [-5, -60],
    errors: [],
  })
  const review = found.get('Review') as { description: string; status: string }
  assert.deepEqual([review.description, review.status], ['first\nsecond, "third"; \\ fourth', 'TENTATIVE'])
  const conference = found.get('Conference') as { start: string; alarms: number[] }
  assert.deepEqual([conference.start, conference.alarms], ['20260310', []])
  assert.equal(readFileSync(feed.file, 'utf8').match(/BEGIN:VEVENT/g)!.length, events.length)
})
