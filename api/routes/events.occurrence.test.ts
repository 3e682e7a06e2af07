import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { titleContext } from '../../src/changeLog/sealed.ts'
import { parseCalendar } from '../../src/icalendar/parseCalendar.ts'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import { rowsOf } from '../../src/stores/sql.ts'
import { asRead } from '../../src/testing/eventRecord.ts'
import { makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const day = (nth: number, time = '10:00:00.000') => `2026-03-${String(nth).padStart(2, '0')}T${time}Z`
const window = `expand=true&start_after=${day(1)}&start_before=${day(30)}`

const test = serviceTest().extend('desk', perFile, ({ service, receiver }) => async (body: object = {}) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  const daily = {
    ...{ title: 'Stand-up', description: 'Daily', start_time: day(2), end_time: day(2, '10:30:00.000') },
    ...{ recurrence_rule: 'FREQ=DAILY;COUNT=5', reminders: [] },
    ...body,
  }
  const series = await makeEvent(service, key, calendar.id, daily)
  const list = `/v1/calendars/${calendar.id}/events`
  const path = `${list}/${series.id}`
  const call = (method: string, to: string, sent?: object, headers = {}) =>
    service.call(method, to, { key, body: sent, headers })
  const at = (start: string, more = '') => `${path}?occurrence_start=${start}${more}`
  const edit = async (start: string, sent: object) => asRead(await call('PATCH', at(start), sent))
  const listed = async (query = window) => (await call('GET', `${list}?${query}`)).body
  const starts = async () => (await listed()).data.map(({ startTime }: { startTime: string }) => startTime)
  const subscribe = async (...events: string[]) => {
    receiver.received.length = 0
    await call('POST', '/v1/webhooks', { url: receiver.url, events })
  }
  const told = () => receiver.received.filter(({ payload }) => JSON.stringify(payload).includes(series.id))
  return { key, calendar, list, path, call, series, at, edit, listed, starts, subscribe, told }
})

test.beforeEach(({ service }) => service.clock.set(testStart))

test('one occurrence is edited: it keeps its original start as its name, and stands at its own time', async ({
  service,
  desk,
}) => {
  const { series, edit, listed, at, call, path, subscribe, told } = await desk()
  await subscribe('event.updated')
  const { status, body } = await edit(day(4), {
    title: 'Later',
    start_time: day(4, '15:00:00.000'),
    end_time: day(4, '16:00:00.000'),
  })
  assert.equal(status, 200)
  const instance = {
    ...series,
    ...{ title: 'Later', startTime: day(4, '15:00:00.000'), endTime: day(4, '16:00:00.000') },
    updatedAt: body.updatedAt,
    ...{ recurringEventId: series.id, originalStartTime: day(4), overridden: true },
  }
  assert.deepEqual(body, instance)
  const { data, total } = await listed()
  assert.equal(total, 5)
  assert.deepEqual(data[2], instance)
  assert.deepEqual((await call('GET', at(day(4)))).body, instance)
  const plain = (await call('GET', at(day(5)))).body
  assert.deepEqual([plain.originalStartTime, 'overridden' in plain], [day(5), false])
  const unexpanded = await listed(`start_after=${day(1)}`)
  assert.deepEqual([unexpanded.total, unexpanded.data.length], [1, 1])
  assert.deepEqual([(await listed('')).total, (await listed('')).data.length], [1, 1])
  assert.equal((await call('GET', path)).body.updatedAt, body.updatedAt)
  await service.drain()
  assert.deepEqual(
    told().map(({ payload }) => payload),
    [{ calendar_id: series.calendarId, event: instance }],
  )
  const again = await edit(day(4), { description: null })
  assert.deepEqual(
    [again.body.title, again.body.description, again.body.startTime],
    ['Later', null, day(4, '15:00:00.000')],
  )
  assert.equal((await listed()).total, 5)
})

/** Start and title of each occurrence as ical.js finds it, by the VTIMEZONE of the feed alone. */
function foundByIcal(text: string): string[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone as never)
  const vevents = calendar.getAllSubcomponents('vevent')
  const exceptions = vevents.filter((one) => one.hasProperty('recurrence-id'))
  const event = new ICAL.Event(vevents.find((one) => !one.hasProperty('recurrence-id'))!, { exceptions })
  const steps = event.iterator()
  const found: string[] = []
  for (let next = steps.next(); next && found.length < 60; next = steps.next()) {
    const { startDate, item } = event.getOccurrenceDetails(next)
    found.push(`${new Date(startDate.toUnixTime() * 1000).toISOString()} ${item.summary}`)
  }
  return found
}

test('there must be such an occurrence of a series', async ({ desk }) => {
  const { call, at, list, path } = await desk()
  const title = { title: 'Other' }
  const param = { param: 'occurrence_start' }
  assertRefused(await call('PATCH', at(day(4, '10:00:01.000')), title), 400, 'bad_request', param)
  assertRefused(await call('GET', at(day(4, '10:00:01.000'))), 404, 'not_found', param)
  await call('DELETE', at(day(4)))
  assertRefused(await call('PATCH', at(day(4)), title), 400, 'bad_request', param)
  assertRefused(await call('DELETE', at(day(4), '&revert=true')), 400, 'bad_request', param)
  const { body: once } = await call('POST', list, { title: 'Once', start_time: day(2), end_time: day(3) })
  assertRefused(await call('PATCH', `${list}/${once.id}?occurrence_start=${day(2)}`, title), 409, 'conflict', param)
  assertRefused(await call('DELETE', `${path}?revert=true`), 400, 'validation_error', { param: 'revert' })
  for (const [name, value] of [
    ['recurrence_rule', 'FREQ=DAILY'],
    ['recurrence_timezone', 'Europe/Berlin'],
    ['recurrence_rdates', []],
  ] as const) {
    assertRefused(await call('PATCH', at(day(3)), { [name]: value }), 400, 'validation_error', { param: name })
  }
})

test('a cancelled occurrence is shown as cancelled, a deleted one is an exception, a reverted one is as the rule says', async ({
  desk,
}) => {
  const { edit, call, at, listed, starts } = await desk()
  await edit(day(3), { status: 'cancelled' })
  const shown = (await listed()).data[1]
  assert.deepEqual([shown.status, shown.originalStartTime, shown.recurrenceExdates], ['cancelled', day(3), []])
  assertRefused(await call('PATCH', at(day(3)), { status: 'confirmed' }), 400, 'invalid_transition', {
    param: 'status',
  })
  await edit(day(4), { start_time: day(4, '08:00:00.000') })
  const reverted = await call('DELETE', at(day(4), '&revert=true'))
  assert.deepEqual([reverted.status, reverted.body.recurrenceExdates, reverted.body.overridden], [200, [], undefined])
  await edit(day(5), { title: 'Gone' })
  const deleted = await call('DELETE', at(day(5)))
  assert.deepEqual([deleted.status, deleted.body.recurrenceExdates], [200, [day(5)]])
  assert.deepEqual(
    await starts(),
    [2, 3, 4, 6].map((nth) => day(nth)),
  )
})

test('an edit of the series reaches an occurrence in every field that is not its own; another start drops it', async ({
  desk,
}) => {
  const { edit, call, path, listed, starts } = await desk()
  await edit(day(3), { title: 'Own' })
  await edit(day(4), { start_time: day(4, '09:00:00.000'), metadata: { own: true } })
  await call('PATCH', path, { title: 'All', description: 'New', end_time: day(2, '11:00:00.000'), metadata: { a: 1 } })
  const { data } = await listed()
  const brief = (one: (typeof data)[number]) => [one.title, one.description, one.startTime, one.endTime, one.metadata]
  assert.deepEqual(brief(data[1]), ['Own', 'New', day(3), day(3, '11:00:00.000'), { a: 1 }])
  assert.deepEqual(brief(data[2]), ['All', 'New', day(4, '09:00:00.000'), day(4, '11:00:00.000'), { own: true }])
  await call('PATCH', path, { start_time: day(2, '10:15:00.000') })
  assert.deepEqual(
    await starts(),
    [2, 3, 4, 5, 6].map((nth) => day(nth, '10:15:00.000')),
  )
  assert.ok((await listed()).data.every((one: object) => !('overridden' in one)))
})

test('the deletion of the series reaches its occurrences', async ({ service, desk }) => {
  const { edit, call, path, listed, subscribe, told } = await desk()
  await edit(day(3), { start_time: day(3, '09:00:00.000') })
  await subscribe('event.started')
  assert.equal((await call('DELETE', path)).status, 204)
  assert.equal((await listed()).total, 0)
  await service.clock.set(new Date(day(8)))
  await service.drain()
  assert.deepEqual(told(), [])
})

test('availability takes the own time, not the original', async ({ desk }) => {
  const { edit, call, calendar, list, series } = await desk()
  await edit(day(4), { start_time: day(4, '15:00:00.000'), end_time: day(4, '16:00:00.000') })
  const query = `start=${day(4, '00:00:00Z').replace('ZZ', 'Z')}&end=${day(5, '00:00:00Z').replace('ZZ', 'Z')}&duration=1h&include_busy=true`
  const { body } = await call('GET', `/v1/calendars/${calendar.id}/availability?${query}`)
  assert.deepEqual(body.busy, [{ start: day(4, '15:00:00.000'), end: day(4, '16:00:00.000') }])
  const once = (hour: string) => ({
    title: 'Once',
    require_free: true,
    start_time: day(4, `${hour}:10:00.000`),
    end_time: day(4, `${hour}:20:00.000`),
  })
  assert.equal((await call('POST', list, once('10'))).status, 201)
  const refused = await call('POST', `${list}?explain=true`, once('15'))
  assertRefused(
    {
      ...refused,
      body: { error: { ...refused.body.error, conflict: undefined, conflicts: undefined, alternatives: undefined } },
    },
    409,
    'conflict',
    {
      ...{ code: 'not_free', conflict: undefined, conflicts: undefined, alternatives: undefined },
    },
  )
  const { conflict } = refused.body.error
  assert.deepEqual([conflict.event_id, conflict.occurrence_start], [series.id, day(4)])
})

test('each moment is told once, under the original start', async ({ service, desk }) => {
  const { edit, subscribe, told, series, call, at } = await desk()
  await subscribe('event.started')
  await edit(day(3), { start_time: day(3, '12:00:00.000'), end_time: day(3, '12:30:00.000') })
  await edit(day(4), { title: 'Same time' })
  await edit(day(5), { start_time: day(5, '08:00:00.000') })
  await call('DELETE', at(day(5), '&revert=true'))
  // Its moment has come and was not told yet.
  await service.clock.set(new Date(day(4, '10:00:00.500')))
  await edit(day(4), { description: 'Still the same time' })
  await service.clock.set(new Date(day(6, '10:00:00.500')))
  await edit(day(6), { title: 'Just now' })
  await service.drain()
  await service.clock.set(new Date(day(9)))
  await service.drain()
  const brief = told().map(({ payload }) => payload as Record<string, string>)
  assert.deepEqual(brief.map(({ occurrence_start, start_time }) => [occurrence_start, start_time]).sort(), [
    [day(2), day(2)],
    [day(3), day(3, '12:00:00.000')],
    [day(4), day(4)],
    [day(5), day(5)],
    [day(6), day(6)],
  ])
  assert.ok(brief.every(({ event_id }) => event_id === series.id))
  assert.deepEqual(brief.find(({ occurrence_start }) => occurrence_start === day(6))!.title, 'Just now')
})

test('a moment that has come is told once, although its occurrence is given back or dropped at that instant', async ({
  service,
  desk,
}) => {
  const { edit, subscribe, told, call, at, path } = await desk({ recurrence_rule: 'FREQ=DAILY;COUNT=9' })
  await subscribe('event.started')
  const revert = async (nth: number) => assert.equal((await call('DELETE', at(day(nth), '&revert=true'))).status, 200)
  /** The worker has told everything until then, so the timers of the series stand behind. */
  const toldUntil = async (when: string) => {
    await service.clock.set(new Date(when))
    await service.drain()
  }
  const untoldAt = (when: string) => service.clock.set(new Date(when))
  // At its own time, which is the time of the series, too.
  await edit(day(3), { title: 'Own' })
  await toldUntil(day(3, '09:00:00.000'))
  await untoldAt(day(3, '10:00:00.500'))
  await revert(3)
  // At its own time, which comes after the time of the series: that has passed.
  await edit(day(4), { start_time: day(4, '15:00:00.000'), end_time: day(4, '16:00:00.000') })
  await toldUntil(day(4, '14:00:00.000'))
  await untoldAt(day(4, '15:00:00.500'))
  assert.equal((await call('DELETE', at(day(4), '&revert=true&dry_run=true'))).status, 200)
  await revert(4)
  // At its own time, which comes before the time of the series: it is told then.
  await edit(day(5), { start_time: day(5, '08:00:00.000') })
  await untoldAt(day(5, '08:00:00.500'))
  await revert(5)
  // Another rule drops the occurrence.
  await edit(day(6), { title: 'Own' })
  await toldUntil(day(6, '09:00:00.000'))
  await untoldAt(day(6, '10:00:00.500'))
  assert.equal((await call('PATCH', path, { recurrence_rule: 'FREQ=DAILY;COUNT=8' })).status, 200)
  // The timer of the series stands at this occurrence: the series tells it.
  await edit(day(7), { title: 'Own' })
  await untoldAt(day(7, '10:00:00.500'))
  await revert(7)
  await toldUntil(day(7, '11:00:00.000'))
  const brief = told().map(({ payload }) => payload as Record<string, string>)
  assert.deepEqual(brief.map(({ occurrence_start, start_time }) => [occurrence_start, start_time]).sort(), [
    [day(2), day(2)],
    [day(3), day(3)],
    [day(4), day(4, '15:00:00.000')],
    [day(5), day(5)],
    [day(6), day(6)],
    [day(7), day(7)],
  ])
})

test('occurrences of equal starts stand in the order of their ids, then of their original starts', async ({ desk }) => {
  const { edit, call, list, listed, series } = await desk()
  const others = []
  for (const title of ['A', 'B', 'C']) {
    others.push((await call('POST', list, { title, start_time: day(6), end_time: day(6, '10:10:00.000') })).body.id)
  }
  for (const nth of [5, 3, 4]) await edit(day(nth), { start_time: day(6), end_time: day(6, '10:10:00.000') })
  const shown = (items: { id: string; startTime: string; originalStartTime?: string }[]) =>
    items.filter(({ startTime }) => startTime === day(6)).map((one) => `${one.id} ${one.originalStartTime ?? ''}`)
  const { data, total } = await listed()
  const expected = [...others.map((id) => `${id} `), ...[3, 4, 5, 6].map((nth) => `${series.id} ${day(nth)}`)].sort()
  assert.deepEqual(shown(data), expected)
  for (let offset = 0; offset < total; offset++) {
    const page = await listed(`${window}&limit=2&offset=${offset}`)
    assert.deepEqual([page.total, page.data], [total, data.slice(offset, offset + 2)])
  }
})

test('of 730 occurrences that differ from their series the next one is refused, another edit of one is not', async ({
  service,
  second,
  desk,
}) => {
  const opened = await desk({ recurrence_rule: 'FREQ=DAILY;UNTIL=20281231' })
  const { series, edit, at, call } = opened
  const { sql, sealer } = service.app
  const uuid = decodeId('evt', series.id)!
  const starts = Array.from({ length: 730 }, (_, nth) => new Date(Date.parse(day(2)) + nth * 86_400_000))
  assert.equal((await edit(starts[0]!.toISOString(), { title: 'First' })).status, 200)
  // The others as if they had been edited: each is a copy of the first.
  const copies = starts.slice(1).map((at) => {
    const id = newId()
    return { id, at, title: sealer.seal(titleContext(id), 'Own') }
  })
  await sql`
    insert into events
    select (jsonb_populate_record(e, jsonb_build_object(
      'id', s.id, 'title_sealed', s.title, 'description_sealed', null,
      'original_start', s.at, 'start_time', s.at, 'end_time', s.at + interval '30 minutes'))).*
    from events e
    cross join ${rowsOf(sql, copies, { id: 'uuid', at: 'timestamptz', title: 'bytea' }, 's')}
    where e.series_id = ${uuid}`
  await sql`
    update events e set overridden_starts = s.starts
    from ${rowsOf(sql, [{ starts }], { starts: 'timestamptz[]' }, 's')}
    where e.id = ${uuid}`
  const beyond = new Date(starts.at(-1)!.getTime() + 86_400_000).toISOString()
  assertRefused(await call('PATCH', at(beyond), { title: 'One more' }), 400, 'bad_request')
  assert.equal((await edit(starts.at(-1)!.toISOString(), { status: 'tentative' })).status, 200)
  assert.equal((await call('DELETE', at(starts[0]!.toISOString(), '&revert=true'))).status, 200)
  // One place is left, and two processes ask for it.
  const { key } = opened
  const next = Array.from({ length: 6 }, (_, nth) => new Date(Date.parse(beyond) + nth * 86_400_000).toISOString())
  const answers = await Promise.all(
    next.map((start, nth) => (nth % 2 ? second : service).call('PATCH', at(start), { key, body: { title: 'More' } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400])
})

test('the tag of the series moves with its occurrences, and an occurrence takes either tag', async ({ desk }) => {
  const { call, path, at } = await desk()
  const tagOf = async (to: string) => (await call('GET', to)).headers.get('etag')!
  const [ofSeries, ofOccurrence] = [await tagOf(path), await tagOf(at(day(3)))]
  const edited = await call('PATCH', at(day(3)), { title: 'One' }, { 'if-match': ofOccurrence })
  assert.equal(edited.status, 200)
  assert.notEqual(await tagOf(path), ofSeries)
  assert.equal((await call('PATCH', at(day(3)), { title: 'Two' }, { 'if-match': ofOccurrence })).status, 412)
  assert.equal((await call('PATCH', at(day(3)), { title: 'Two' }, { 'if-match': await tagOf(path) })).status, 200)
})

test('the feed has an occurrence under the UID of its series, and the export has it', async ({ service, desk }) => {
  const { edit, calendar, series, starts, call } = await desk({ recurrence_timezone: 'Europe/Berlin' })
  await edit(day(4), { title: 'Later', start_time: day(4, '15:00:00.000'), end_time: day(4, '16:00:00.000') })
  const text = (await service.call('GET', new URL(calendar.ical_url).pathname)).body as string
  const components = text.split('BEGIN:VEVENT').slice(1)
  assert.equal(components.length, 2)
  assert.ok(components.every((one) => one.includes(`UID:${series.id}@agent-calendar`)))
  const own = components.find((one) => one.includes('RECURRENCE-ID'))!
  assert.match(own, /RECURRENCE-ID;TZID=Europe\/Berlin:20260304T110000\r\n/)
  assert.match(own, /DTSTART;TZID=Europe\/Berlin:20260304T160000\r\n/)
  assert.ok(!text.includes('EXDATE'))
  const options = { zone: 'UTC', from: new Date(day(1)), until: new Date(day(30)) }
  const parsed = parseCalendar(Buffer.from(text), options as Parameters<typeof parseCalendar>[1])
  assert.ok(parsed.kind === 'parsed')
  assert.deepEqual(parsed.events.map((one) => one.start.toISOString()).sort(), await starts())
  assert.deepEqual(foundByIcal(text), [
    ...[2, 3].map((nth) => `${day(nth)} Stand-up`),
    `${day(4, '15:00:00.000')} Later`,
    ...[5, 6].map((nth) => `${day(nth)} Stand-up`),
  ])
  const { body } = await call('GET', '/v1/account/export')
  if (body?.overrides) assert.equal(body.overrides[0].originalStartTime, day(4))
})

test('a dry run of an edit of one occurrence changes nothing', async ({ desk }) => {
  const { call, at, starts } = await desk()
  const { status, body } = await call('PATCH', at(day(3), '&dry_run=true'), { start_time: day(3, '08:00:00.000') })
  assert.deepEqual([status, body.effects.map(({ type }: { type: string }) => type)], [200, ['event.updated']])
  assert.deepEqual(
    await starts(),
    [2, 3, 4, 5, 6].map((nth) => day(nth)),
  )
})

test('whole days keep their edited occurrences when their calendar gets another zone', async ({ service, desk }) => {
  const date = (nth: number) => day(nth, '00:00:00.000')
  const wholeDays = { all_day: true, start_time: date(2), end_time: date(3) }
  const { call, calendar, path, edit, listed } = await desk(wholeDays)
  assert.equal((await edit(date(3), { title: 'Same day' })).status, 200)
  assert.equal(
    (
      await edit(date(4), {
        title: 'By the clock',
        all_day: false,
        start_time: day(4, '16:00:00.000'),
        end_time: day(4, '17:00:00.000'),
      })
    ).status,
    200,
  )
  const moved = await call('PATCH', `/v1/calendars/${calendar.id}`, { timezone: 'Asia/Tokyo' })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  const before = (nth: number) => day(nth - 1, '15:00:00.000')
  const shown = (await listed()).data.map((one: Record<string, string>) => [
    one.startTime,
    one.originalStartTime,
    one.title,
  ])
  assert.deepEqual(shown, [
    [before(2), before(2), 'Stand-up'],
    [before(3), before(3), 'Same day'],
    [before(5), before(5), 'Stand-up'],
    [day(4, '16:00:00.000'), before(4), 'By the clock'],
    [before(6), before(6), 'Stand-up'],
  ])
  for (const nth of [3, 4]) {
    const found = await call('GET', `${path}?occurrence_start=${before(nth)}`)
    assert.equal(found.status, 200)
    assert.equal((await call('DELETE', `${path}?occurrence_start=${before(nth)}&revert=true`)).status, 200)
  }
  const starts = (await listed()).data.map((one: Record<string, string>) => one.startTime)
  assert.deepEqual(starts, [2, 3, 4, 5, 6].map(before))
  await service.drain()
})
