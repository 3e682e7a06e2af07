// Rules about single days: dates, time off and daily limits, in everything that judges free time.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { at, availabilityTest, event, morning, short } from '../../src/testing/availability.ts'
import { ahead, makeAgent, makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const test = availabilityTest()
  .extend('calendar', ({ service, key }): Promise<Any> => makeCalendar(service, key))
  .extend(
    'put',
    ({ service, key, calendar }) =>
      (body: object) =>
        service.call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, { key, body }),
  )
  .extend(
    'post',
    ({ service, key, calendar }) =>
      (body: object, query = '') =>
        service.call('POST', `/v1/calendars/${calendar.id}/events${query}`, { key, body: { title: 'E', ...body } }),
  )
  .extend('check', ({ desk, calendar }) => async (start: string, end: string) => {
    const { status, body } = await desk.ask(`/v1/calendars/${calendar.id}/availability/check`, { start, end })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  })

const free = { require_free: true }
const tuesday = '2026-03-03'
const office = { start: '09:00', end: '17:00' }
const week = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, office]))
const wholeDay = { start: `${tuesday}T00:00:00Z`, end: '2026-03-04T00:00:00Z' }

test('what is set is shown in its order, labels are sealed, and what is left out is gone', async ({
  service,
  key,
  calendar,
  put,
}) => {
  const set = {
    dates: [
      { from: '2026-12-24', to: '2026-12-26', hours: [], label: 'Christmas at Ada’s' },
      {
        from: '2026-12-23',
        hours: [
          { start: '10:00', end: '12:00' },
          { start: '20:00', end: '24:00' },
        ],
      },
    ],
    time_off: [{ start: '2026-07-01T00:00:00.000Z', end: '2026-07-22T00:00:00.000Z', label: 'Three weeks off' }],
    max_meetings_per_day: 6,
    max_busy_minutes_per_day: 300,
  }
  const { status, body } = await put({ ...set, timezone: 'Europe/Berlin' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body, { ...body, ...set })
  const read = await service.call('GET', `/v1/calendars/${calendar.id}/availability-rules`, { key })
  assert.deepEqual(read.body, body)
  const [row] = await service.app
    .sql`select * from availability_rules where calendar_id = ${decodeId('cal', calendar.id)!}`
  assert.doesNotMatch(JSON.stringify(row), /Ada|weeks/)
  const emptied = await put({ dates: [], time_off: [], holiday_subscription_ids: [], timezone: 'Europe/Berlin' })
  assert.deepEqual(Object.keys(emptied.body), [
    ...['id', 'calendar_id', 'buffer_before_minutes', 'buffer_after_minutes', 'working_hours', 'timezone'],
    ...['created_at', 'updated_at'],
  ])
})

const day = { from: tuesday, hours: [] }
const unknown = 'ics_01k9xr8m3fe8tbc4x9m2v7h5qd'
const refusals: [body: object, type: 'validation_error' | 'bad_request' | 'not_found', param: string][] = [
  [{ dates: [{ from: '2026-02-30', hours: [] }] }, 'validation_error', 'dates.0.from'],
  [{ dates: [{ from: tuesday }] }, 'validation_error', 'dates.0.hours'],
  [{ dates: [{ ...day, hours: office }] }, 'validation_error', 'dates.0.hours'],
  [{ dates: [{ ...day, hours: Array.from({ length: 13 }, () => office) }] }, 'validation_error', 'dates.0.hours'],
  [{ dates: [{ ...day, label: 'x'.repeat(101) }] }, 'validation_error', 'dates.0.label'],
  [{ dates: Array.from({ length: 201 }, () => day) }, 'validation_error', 'dates'],
  [{ dates: [{ ...day, to: '2026-03-02' }] }, 'bad_request', 'dates.0.to'],
  [{ dates: [{ ...day, hours: [office, office] }] }, 'bad_request', 'dates.0.hours.1.start'],
  [{ dates: [{ ...day, hours: [{ start: '09:00', end: '09:00' }] }] }, 'bad_request', 'dates.0.hours.0.end'],
  [
    {
      dates: [
        { from: '2026-03-05', hours: [] },
        { from: tuesday, to: '2026-03-05', hours: [] },
      ],
    },
    'bad_request',
    'dates.1.from',
  ],
  [{ time_off: [{ start: at('10:00') }] }, 'validation_error', 'time_off.0.end'],
  [{ time_off: [{ start: at('10:00'), end: at('10:00') }] }, 'bad_request', 'time_off.0.end'],
  [{ max_meetings_per_day: 0 }, 'validation_error', 'max_meetings_per_day'],
  [{ max_meetings_per_day: 101 }, 'validation_error', 'max_meetings_per_day'],
  [{ max_busy_minutes_per_day: 1441 }, 'validation_error', 'max_busy_minutes_per_day'],
  [
    { holiday_subscription_ids: Array.from({ length: 6 }, () => unknown) },
    'validation_error',
    'holiday_subscription_ids',
  ],
  [{ holiday_subscription_ids: [unknown] }, 'not_found', 'holiday_subscription_ids.0'],
]

test('rules that make no sense are refused', async ({ put }) => {
  for (const [body, type, param] of refusals)
    assertRefused(await put(body), type === 'not_found' ? 404 : 400, type, { param })
})

test('dates go before the week, and time off closes besides', async ({ calendar, desk, put, check, post }) => {
  await put({
    working_hours: week,
    timezone: 'UTC',
    dates: [
      { from: tuesday, hours: [{ start: '10:15', end: '11:00' }] },
      { from: '2026-03-04', to: '2026-03-05', hours: [] },
    ],
    time_off: [{ start: at('10:30'), end: at('10:45') }],
  })
  const { body } = await desk.askCalendar(calendar.id, { ...morning, duration: '15m', explain: 'true' })
  assert.deepEqual(short(body.slots), ['10:15-10:30', '10:45-11:00'])
  const closed = { kind: 'closed_date', calendar_id: calendar.id, date: tuesday }
  assert.deepEqual(
    body.blocked.map(({ start, end, by }: Any) => [start.slice(11, 16), end.slice(11, 16), by]),
    [
      ['09:00', '10:15', [closed]],
      ['10:30', '10:45', [{ kind: 'time_off', calendar_id: calendar.id }]],
      ['11:00', '12:00', [closed]],
    ],
  )
  const over = await check('2026-03-05T16:00:00Z', '2026-03-06T08:00:00Z')
  assert.deepEqual(over.blocked_by, [
    { kind: 'closed_date', calendar_id: calendar.id, date: '2026-03-05' },
    { kind: 'working_hours', calendar_id: calendar.id },
  ])
  assertRefused(await post(event('10:30', '11:00', free)), 409, 'conflict', { code: 'not_free' })
  const { body: refusal } = await post(event('09:00', '09:30', free), '?explain=true')
  assert.deepEqual(refusal.error.conflict, {
    ...closed,
    ...{ start_time: at('09:00'), end_time: at('09:30'), agent_id: null },
  })
  assert.deepEqual(short(refusal.error.alternatives.slice(0, 1)), ['09:00-09:30'])
  assert.equal((await post(event('10:00', '10:30'))).status, 201)
})

test('a day with as many meetings as it may have is closed, and what ends or moves opens it', async ({
  service,
  key,
  calendar,
  desk,
  put,
  post,
  check,
}) => {
  await put({ timezone: 'UTC', max_meetings_per_day: 3, buffer_before_minutes: 30 })
  await post(event('08:00', '08:30'))
  const { body: second } = await post(event('08:30', '09:00'))
  const ask = async () => (await desk.askCalendar(calendar.id, { ...morning, explain: 'true' })).body
  const open = await ask()
  assert.ok(open.slots.length > 0)
  await post(event('23:30', '23:45', { status: 'hold', hold_expires_at: ahead(service, 10) }))
  const full = await ask()
  const cause = { kind: 'daily_limit', calendar_id: calendar.id, date: tuesday, limit: 'meetings' }
  assert.deepEqual([full.slots, full.empty_reason], [[], 'all_blocked'])
  assert.deepEqual(full.blocked, [{ start: at('09:00'), end: at('12:00'), by: [cause] }])
  const asked = await check(at('10:00'), at('10:30'))
  assert.deepEqual([asked.blocked_by, asked.free_from], [[cause], '2026-03-04T00:00:00.000Z'])
  assertRefused(await post(event('10:00', '10:30', free)), 409, 'conflict', { code: 'not_free' })
  assert.equal((await desk.askCalendar(calendar.id, morning)).body.slots.length, 0)
  const moved = await service.call('PATCH', `/v1/events/${second.id}`, {
    key,
    body: { start_time: at('10:00'), end_time: at('10:30'), ...free },
  })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  await service.clock.advance(10 * 60_000)
  const lapsed = (await desk.askCalendar(calendar.id, morning)).body.slots
  assert.deepEqual(lapsed.slice(0, 1), open.slots.slice(0, 1))
  assert.equal((await post(event('11:00', '11:30', free))).status, 201)
  assertRefused(await post(event('14:00', '14:30', free)), 409, 'conflict', { code: 'not_free' })
})

test('a time that would take more minutes than a day has left is not offered', async ({
  calendar,
  desk,
  put,
  post,
  check,
}) => {
  await put({ timezone: 'UTC', working_hours: week, max_busy_minutes_per_day: 90, buffer_after_minutes: 15 })
  await post(event('09:00', '10:00'))
  await post(event('09:30', '10:00'))
  const ask = async (query: object) => (await desk.askCalendar(calendar.id, { ...wholeDay, ...query })).body
  const cause = { kind: 'daily_limit', calendar_id: calendar.id, date: tuesday, limit: 'busy_minutes' }
  assert.equal((await ask({ duration: '30m' })).slots.length, 13)
  const longer = await ask({ duration: '45m', explain: 'true', best: '3' })
  assert.deepEqual([longer.slots, longer.best, longer.empty_reason], [[], [], 'daily_limit'])
  assert.deepEqual((await ask({ duration: '45m' })).slots, [])
  assert.equal((await ask({ duration: '30m', best: '2' })).best.length, 2)
  const asked = await check(at('11:00'), at('11:45'))
  assert.deepEqual(asked.blocked_by, [cause])
  assert.equal(asked.free_from, '2026-03-04T09:00:00.000Z')
  // It overlaps what is there by a quarter of an hour, which counts once.
  const kinds = async (end: string) => (await check(at('09:45'), at(end))).blocked_by.map(({ kind }: Any) => kind)
  assert.deepEqual(await kinds('10:30'), ['event', 'event', 'buffer', 'buffer'])
  assert.deepEqual(await kinds('10:31'), ['event', 'event', 'daily_limit', 'buffer', 'buffer'])
  const refused = await post(event('11:00', '11:45', free), '?explain=true')
  assert.deepEqual([refused.status, refused.body.error.conflict.kind], [409, 'daily_limit'])
  assert.equal(refused.body.error.alternatives[0].start, '2026-03-04T09:00:00.000Z')
  assert.equal((await post(event('11:00', '11:30', free))).status, 201)
  assert.equal((await ask({ explain: 'true' })).empty_reason, 'all_blocked')
})

test('occurrences of a series count for each other', async ({ service, key, put, post }) => {
  await put({ timezone: 'Europe/Berlin', max_meetings_per_day: 2 })
  const series = {
    ...event('09:00', '09:30', free),
    recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
    recurrence_rdates: [at('10:00'), at('11:00')],
    recurrence_timezone: 'Europe/Berlin',
  }
  assertRefused(await post(series), 409, 'conflict', { code: 'not_free' })
  const made = await post({ ...series, recurrence_rdates: [at('10:00')] })
  assert.equal(made.status, 201)
  assertRefused(await post(event('12:00', '12:30', free)), 409, 'conflict', { code: 'not_free' })
  const move = (occurrence: string) =>
    service.call('PATCH', `/v1/events/${made.body.id}?occurrence_start=${occurrence}`, {
      key,
      body: event('12:00', '12:30', free),
    })
  assertRefused(await move('2026-03-10T09:00:00.000Z'), 409, 'conflict', { code: 'not_free' })
  assert.equal((await move(at('10:00'))).status, 200)
})

test('of twenty creates at once as many succeed as the day has left', async ({ put, post }) => {
  await put({ timezone: 'UTC', max_meetings_per_day: 5 })
  await post(event('00:00', '00:10'))
  await post(event('00:10', '00:20'))
  const times = Array.from({ length: 20 }, (_, nth) => {
    const start = new Date(Date.parse(at('01:00')) + nth * 30 * 60_000)
    return { start_time: start.toISOString(), end_time: new Date(start.getTime() + 10 * 60_000).toISOString() }
  })
  const answers = await Promise.all(times.map((one) => post({ ...one, ...free })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(3).fill(201), ...Array(17).fill(409)])
})

test('limits judge each calendar alone', async ({ service, key, desk }) => {
  const one = await makeAgent(service, key)
  const calendars = [await makeCalendar(service, key, one.id), await makeCalendar(service, key, one.id)]
  const limits = { timezone: 'UTC', max_meetings_per_day: 2, dates: [{ from: '2026-03-04', hours: [] }] }
  for (const { id } of calendars) {
    await desk.setRules(id, limits)
    await makeEvent(service, key, id, event('08:00', '08:30'))
  }
  assert.equal((await desk.askAgent(one.id, { ...morning, duration: '1h' })).body.slots.length, 3)
  await makeEvent(service, key, calendars[1]!.id, event('07:00', '07:30'))
  const query = { ...morning, end: '2026-03-04T12:00:00Z', explain: 'true' }
  const { body } = await desk.askAgents([one.id], query, key)
  assert.deepEqual(
    [...new Set(body.blocked.flatMap(({ by }: Any) => by.map(({ kind }: Any) => kind)))],
    ['daily_limit', 'closed_date'],
  )
})

test('a change of the hours in one process is seen in another at once', async ({
  service,
  second,
  key,
  desk,
  calendar,
  put,
}) => {
  const asked = new URLSearchParams({ ...morning, duration: '1h' })
  const there = async (path: string, query: URLSearchParams) =>
    (await second.call('GET', `/v1/calendars/${calendar.id}/${path}?${query}`, { key })).body
  const hours = async () => {
    // Asked twice: the second answer is remembered.
    const [once, again] = [await there('availability', asked), await there('availability', asked)]
    assert.deepEqual(once, again)
    return short(once.slots)
  }
  const fits = async (path: string) => {
    const query = new URLSearchParams({ start: at('09:00'), end: at('10:00') })
    return (await there(path, query)).free
  }
  const changes: [rules: object, slots: string[]][] = [
    [{ working_hours: { tue: [{ start: '09:00', end: '11:00' }] } }, ['09:00-10:00', '10:00-11:00']],
    [{ dates: [{ from: tuesday, hours: [{ start: '10:00', end: '11:00' }] }] }, ['10:00-11:00']],
    [{ time_off: [{ start: at('09:00'), end: at('11:00') }] }, ['11:00-12:00']],
    [{ max_busy_minutes_per_day: 30 }, []],
    [{}, ['09:00-10:00', '10:00-11:00', '11:00-12:00']],
  ]
  for (const [rules, slots] of changes) {
    assert.equal((await put({ ...rules, timezone: 'UTC' })).status, 200)
    assert.deepEqual(await hours(), slots, JSON.stringify(rules))
    assert.equal(await fits('availability/check'), slots.includes('09:00-10:00'), JSON.stringify(rules))
  }
  await desk.setRules(calendar.id, { dates: [{ from: tuesday, hours: [] }] })
  const body = { title: 'E', ...event('09:00', '10:00'), ...free }
  assertRefused(await second.call('POST', `/v1/calendars/${calendar.id}/events`, { key, body }), 409, 'conflict', {
    code: 'not_free',
  })
  await service.call('DELETE', `/v1/calendars/${calendar.id}/availability-rules`, { key })
  assert.equal((await hours()).length, 3)
})
