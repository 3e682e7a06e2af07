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
test.afterAll(() => rmSync(home, { recursive: true }))

const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), TZ: 'UTC', LC_ALL: 'C.UTF-8' }
const execute = promisify(execFile)
/** Not synchronously: some ask the service, which runs in this process. */
const run = async (command: string, args: string[]) => (await execute(command, args, { env, timeout: 60_000 })).stdout
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
  const items = join(home, 'items')
  const vdirsyncer = join(home, 'vdirsyncer.conf')
  writeFileSync(
    vdirsyncer,
    `[general]
status_path = "${join(home, 'status')}"
[pair feed]
a = "remote"
b = "local"
collections = null
[storage remote]
type = "http"
url = "${feed.url}"
[storage local]
type = "filesystem"
path = "${items}"
fileext = ".ics"
`,
  )
  mkdirSync(items)
  await run('vdirsyncer', ['-c', vdirsyncer, 'discover', '--no-list'])
  await run('vdirsyncer', ['-c', vdirsyncer, 'sync'])
  assert.equal(readdirSync(items).length, 5)
  const khal = join(home, 'khal.conf')
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
path = ${join(home, 'khal.db')}
`,
  )
  for (const [day, titles] of Object.entries(expected)) {
    const listed = await run('khal', ['-c', khal, 'list', '--day-format', '', '--format', '{title}', day, '1d'])
    assert.deepEqual(listed.split('\n').filter(Boolean).toSorted(), titles.toSorted(), day)
  }
})

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
