import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import { linesOf } from '../../src/testing/feeds.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest().extend('desk', perFile, async ({ service, key }) => {
  const call = (method: string, path: string, headers = {}) => service.call(method, path, { key, headers })
  const read = (url: string, headers = {}) => service.call('GET', new URL(url).pathname, { headers })
  /** The events of a feed, each as its lines. */
  async function eventsIn(url: string): Promise<string[][]> {
    const { status, body } = await read(url)
    assert.equal(status, 200)
    const parts = String(body).split('BEGIN:VEVENT\r\n').slice(1)
    return parts.map((part) => linesOf(part.split('END:VEVENT')[0]!).filter(Boolean))
  }
  return { call, read, eventsIn }
})

const busyFeedOf = ({ id }: { id: string }) => `/v1/calendars/${id}/busy-feed`

test('an address is made, read, replaced and ended; each time the old one is gone at once', async ({
  service,
  key,
  desk: { call, read },
}) => {
  const calendar = await makeCalendar(service, key)
  const path = busyFeedOf(calendar)
  assertRefused(await call('GET', path), 404, 'not_found')
  const first = await call('POST', path)
  assert.deepEqual([first.status, Object.keys(first.body)], [201, ['busy_ical_url']])
  assert.match(first.body.busy_ical_url, new RegExp(`^${service.baseUrl}/ical/[\\w-]{32}\\.ics$`))
  const shown = await call('GET', path)
  assert.deepEqual([shown.status, shown.body], [200, first.body])
  const tag = { 'if-match': shown.headers.get('etag')! }
  const second = await call('POST', path, tag)
  assert.equal(second.status, 201)
  assert.equal((await call('POST', path, tag)).status, 412)
  assert.equal((await read(first.body.busy_ical_url)).status, 404)
  const feed = await read(second.body.busy_ical_url)
  const known = { 'if-none-match': feed.headers.get('etag')! }
  assert.equal((await read(second.body.busy_ical_url, known)).status, 304)
  // The feed of its events is another one, and has its own tag.
  assert.equal((await read(calendar.ical_url, known)).status, 200)
  for (let n = 0; n < 2; n++) assert.equal((await call('DELETE', path)).status, 204)
  assert.equal((await read(second.body.busy_ical_url)).status, 404)
  assert.equal((await read(calendar.ical_url)).status, 200)
  const { body: third } = await call('POST', path)
  await call('DELETE', `/v1/calendars/${calendar.id}`)
  assert.equal((await read(third.busy_ical_url)).status, 404)
})

test('it has times, rules and names that say nothing, of what blocks time alone', async ({
  service,
  key,
  desk: { call, read, eventsIn },
}) => {
  const calendar = await makeCalendar(service, key, undefined, { name: 'Secret project' })
  const { busy_ical_url: url } = (await call('POST', busyFeedOf(calendar))).body
  const make = (body: object) => makeEvent(service, key, calendar.id, { title: 'Secret', description: 'Text', ...body })
  const single = await make({ start_time: '2026-12-07T09:00:00Z', end_time: '2026-12-07T10:00:00Z', reminders: [5] })
  await make({ start_time: '2026-12-08T00:00:00Z', end_time: '2026-12-09T00:00:00Z', all_day: true })
  const series = await make({
    start_time: '2026-12-09T09:00:00Z',
    end_time: '2026-12-09T10:00:00Z',
    recurrence_rule: 'FREQ=DAILY;COUNT=4',
    recurrence_timezone: 'Europe/Berlin',
  })
  const occurrence = (day: number, body: object) =>
    service.call('PATCH', `/v1/events/${series.id}?occurrence_start=2026-12-${day}T09:00:00.000Z`, { key, body })
  assert.equal((await occurrence(10, { status: 'cancelled' })).status, 200)
  assert.equal(
    (await occurrence(11, { start_time: '2026-12-11T12:00:00Z', end_time: '2026-12-11T13:00:00Z' })).status,
    200,
  )
  const cancelled = await make({ start_time: '2026-12-20T09:00:00Z', end_time: '2026-12-20T10:00:00Z' })
  await service.call('PATCH', `/v1/events/${cancelled.id}`, { key, body: { status: 'cancelled' } })
  await makeHold(service, key, calendar.id, { start_time: '2026-12-21T09:00:00Z', end_time: '2026-12-21T10:00:00Z' })

  const before = await eventsIn(url)
  const times = before.map((lines) => lines.filter((line) => !/^(UID|DTSTAMP)/.test(line)))
  const always = ['SUMMARY:Busy', 'TRANSP:OPAQUE', 'CLASS:PRIVATE']
  assert.deepEqual(times, [
    ['DTSTART:20261207T090000Z', 'DTEND:20261207T100000Z', ...always],
    ['DTSTART;VALUE=DATE:20261208', 'DTEND;VALUE=DATE:20261209', ...always],
    [
      ...['DTSTART;TZID=Europe/Berlin:20261209T100000', 'DTEND;TZID=Europe/Berlin:20261209T110000'],
      ...['RRULE:FREQ=DAILY;COUNT=4', 'EXDATE;TZID=Europe/Berlin:20261210T100000', ...always],
    ],
    [
      'RECURRENCE-ID;TZID=Europe/Berlin:20261211T100000',
      ...['DTSTART;TZID=Europe/Berlin:20261211T130000', 'DTEND;TZID=Europe/Berlin:20261211T140000', ...always],
    ],
    ['DTSTART:20261221T090000Z', 'DTEND:20261221T100000Z', ...always],
  ])
  const { body: text } = await read(url)
  assert.match(text, /^NAME:Busy\r$/m)
  assert.doesNotMatch(text, /Secret|Text|evt_|STATUS|VALARM/)
  const uids = (events: string[][]) => events.map((lines) => lines.find((line) => line.startsWith('UID:')))
  assert.ok(uids(before).every((uid) => /^UID:[0-9a-f]{40}@busy\.agent-calendar$/.test(uid!)))
  assert.equal(uids(before)[2], uids(before)[3])

  // Names stay with another address; a hold that runs out is gone, and so is an occurrence that is cancelled later.
  const { busy_ical_url: next } = (await call('POST', busyFeedOf(calendar))).body
  await occurrence(12, { status: 'cancelled' })
  await service.call('PATCH', `/v1/events/${single.id}`, { key, body: { title: 'Other' } })
  await service.clock.advance(6 * 60_000)
  const after = await eventsIn(next)
  assert.deepEqual(uids(after), uids(before).slice(0, 4))
  assert.ok(after[2]!.includes('EXDATE;TZID=Europe/Berlin:20261210T100000,20261212T100000'))
})

test('an agent key makes that of its own calendar alone', async ({ service, key, call }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const agentKey = await makeAgentKey(service, key, agent.id)
  assert.equal((await call('POST', busyFeedOf(calendar), { key: agentKey })).status, 201)
  const other = await makeCalendar(service, key)
  assertRefused(await call('POST', busyFeedOf(other), { key: agentKey }), 403, 'forbidden')
  await call('DELETE', `/v1/agents/${agent.id}`, { key })
  assert.equal((await call('POST', busyFeedOf(calendar), { key })).status, 201)
})
