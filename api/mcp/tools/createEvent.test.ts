// Booking by a tool: times, holds, taken times, and what is refused with something to send instead.
import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeOrganization } from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const berlin = { timezone: 'Europe/Berlin' }

const test = serviceTest({ plan: 'custom' })
  .extend('calendar', async ({ service, key }): Promise<Any> => {
    await service.clock.set('2026-11-29T13:03:00Z')
    return makeCalendar(service, key, undefined, berlin)
  })
  .extend(
    'create',
    ({ service, key, calendar }) =>
      async (args: object): Promise<Any> =>
        (await callMcp(service, 'create_event', { calendar_id: calendar.id, title: 'E', ...args }, { key }))
          .structuredContent,
  )
  .extend(
    'refused',
    ({ service, key, calendar }) =>
      async (args: object): Promise<Any> =>
        mcpError(await callMcp(service, 'create_event', { calendar_id: calendar.id, title: 'E', ...args }, { key })),
  )

test('a local time of the calendar is booked, for half an hour', async ({ create, service, key, calendar }) => {
  const { event, ...rest } = await create({ start_time: '2026-12-01T09:00', title: 'Stand-up' })
  assert.deepEqual(rest, {
    now: 'Sun 29 Nov 2026 14:03 Europe/Berlin',
    timezone: 'Europe/Berlin',
    warnings: [],
    preempted: [],
  })
  assert.deepEqual(event, {
    id: event.id,
    calendar_id: calendar.id,
    title: 'Stand-up',
    when: 'Tue 1 Dec 2026 09:00-09:30 Europe/Berlin (in 2 days)',
    start: '2026-12-01T09:00:00+01:00',
    end: '2026-12-01T09:30:00+01:00',
    status: 'confirmed',
  })
  const { body } = await service.call('GET', `/v1/events/${event.id}`, { key })
  assert.deepEqual([body.startTime, body.endTime], ['2026-12-01T08:00:00.000Z', '2026-12-01T08:30:00.000Z'])
})

test('an end, a duration, another zone and old names are read as they are meant', async ({ create, refused }) => {
  const times = async (args: object) => {
    const { event } = await create(args)
    return [event.start, event.end]
  }
  assert.deepEqual(await times({ start_time: '2026-12-02T09:00:00Z', duration: '1h' }), [
    '2026-12-02T10:00:00+01:00',
    '2026-12-02T11:00:00+01:00',
  ])
  assert.deepEqual(
    await times({ start: '2026-12-03T09:00', end: '2026-12-03T10:00', duration_minutes: '60', timezone: 'Asia/Tokyo' }),
    ['2026-12-03T09:00:00+09:00', '2026-12-03T10:00:00+09:00'],
  )
  const error = await refused({ start_time: '2026-12-04T09:00', end_time: '2026-12-04T10:00', duration_minutes: 30 })
  assert.deepEqual([error.type, error.param], ['validation_error', 'duration_minutes'])
  assert.deepEqual(error.suggestions[0].arguments, { duration_minutes: null })
  const upside = await refused({ start_time: '2026-12-04T09:00', end_time: '2026-12-04T08:00' })
  assert.deepEqual([upside.code, upside.param], ['end_before_start', 'end_time'])
})

test('whole days are dates, in the zone of the calendar', async ({ create, refused }) => {
  const { event } = await create({
    start_time: '2026-12-24',
    end_time: '2026-12-26',
    all_day: true,
    timezone: 'Asia/Tokyo',
  })
  assert.deepEqual([event.start, event.end, event.all_day], ['2026-12-24', '2026-12-26', true])
  const one = await create({ start_time: '2026-12-28', all_day: true })
  assert.deepEqual([one.event.start, one.event.end], ['2026-12-28', '2026-12-28'])
  const error = await refused({ start_time: '2026-12-30' })
  assert.deepEqual([error.param, error.suggestions[0].arguments], ['start_time', { all_day: true }])
  const taken = await refused({ start_time: '2026-12-25', all_day: true })
  assert.deepEqual(taken.suggestions[0].arguments, { start_time: '2026-12-27', end_time: '2026-12-27' })
})

test('a taken time is refused with what is there, and with times that are accepted', async ({
  service,
  key,
  calendar,
  create,
  refused,
}) => {
  const standUp = await makeEvent(service, key, calendar.id, {
    title: 'Stand-up',
    start_time: '2026-12-01T08:00:00Z',
    end_time: '2026-12-01T08:15:00Z',
  })
  const error = await refused({ start_time: '2026-12-01T09:00', weekday: 'tue' })
  const { message, request_id: _, ...rest } = error
  assert.equal(message, 'Tue 1 Dec 2026 09:00-09:30 Europe/Berlin is taken by 1 event.')
  assert.deepEqual(rest, {
    type: 'conflict',
    code: 'time_taken',
    param: 'start_time',
    retryable: false,
    next_step: 'Offer one of the suggestions, or call again with on_conflict=allow if the overlap is wanted.',
    conflicts: [
      {
        id: standUp.id,
        title: 'Stand-up',
        when: 'Tue 1 Dec 2026 09:00-09:15 Europe/Berlin (in 2 days)',
        status: 'confirmed',
      },
    ],
    suggestions: [
      ['2026-12-01T09:15:00+01:00', '2026-12-01T09:45:00+01:00', '09:15-09:45'],
      ['2026-12-01T09:45:00+01:00', '2026-12-01T10:15:00+01:00', '09:45-10:15'],
      ['2026-12-01T08:15:00+01:00', '2026-12-01T08:45:00+01:00', '08:15-08:45'],
    ].map(([start_time, end_time, hours]) => ({
      arguments: { start_time, end_time },
      when: `Tue 1 Dec 2026 ${hours} Europe/Berlin (in 2 days)`,
    })),
  })
  const allowed = await create({ start_time: '2026-12-01T09:00', on_conflict: 'allow' })
  assert.deepEqual([allowed.warnings[0].code, allowed.warnings[0].conflicts[0].id], ['overlaps', standUp.id])
  const { event } = await create({ start_time: '2026-12-01T09:00', ...error.suggestions[2].arguments })
  assert.equal(event.start, '2026-12-01T08:15:00+01:00')
})

test('a repeated booking without a key is told as which event it stands', async ({ create, refused }) => {
  const args = { start_time: '2026-12-07T09:00' }
  const { event } = await create(args)
  const error = await refused(args)
  assert.deepEqual([error.conflicts[0].likely_duplicate, error.suggestions], [true, undefined])
  assert.ok(error.next_step.includes(event.id), error.next_step)
})

test('with a key it is answered again, and nothing happens', async ({ service, key, calendar, create, refused }) => {
  const used = async () => (await service.call('GET', '/v1/usage', { key })).body.events.used
  const args = { start_time: '2026-12-08T09:00', idempotency_key: 'wish', metadata: { b: 1, a: 2 } }
  const first = await create(args)
  const before = await used()
  await service.clock.advance(60_000)
  const again = await create({ ...args, metadata: { a: 2, b: 1 }, start_time: '2026-12-08T08:00:00Z' })
  assert.deepEqual(again, { ...first, now: 'Sun 29 Nov 2026 14:04 Europe/Berlin', replayed: true })
  assert.equal(await used(), before)
  const other = await refused({ ...args, title: 'Other' })
  assert.deepEqual([other.type, other.param], ['idempotency_key_reused', 'idempotency_key'])
  assert.equal((await refused({ ...args, idempotency_key: 'a b' })).param, 'idempotency_key')
  await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  assert.equal((await create(args)).event.id, first.event.id)
  assert.equal((await refused({ ...args, idempotency_key: 'new' })).code, 'calendar_not_found')
})

test('a repeated hold says how long it lasts while it does', async ({ service, create }) => {
  const held = { start_time: '2027-05-03T09:00', hold_minutes: 5, idempotency_key: 'held' }
  const first = await create(held)
  await service.clock.advance(60_000)
  const again = await create(held)
  assert.deepEqual([first.event.hold_expires_in, again.event.hold_expires_in, again.replayed], ['5 min', '4 min', true])
  await service.clock.advance(240_000)
  const { event } = await create(held)
  assert.deepEqual([event.hold_expires_in, event.hold_expires_at], [undefined, first.event.hold_expires_at])
  await service.clock.set('2026-11-29T13:03:00Z')
})

test('a key of another tool or of REST is not taken for the same call', async ({
  service,
  key,
  calendar,
  create,
  refused,
}) => {
  const headers = { 'idempotency-key': 'of-rest' }
  const agent = await service.call('POST', '/v1/agents', { key, headers, body: { name: 'A', type: 'ai' } })
  assert.equal(agent.status, 201)
  await service.call('DELETE', `/v1/agents/${agent.body.id}`, { key, headers: { 'idempotency-key': 'of-delete' } })
  const { event } = await create({ start_time: '2026-12-17T09:00' })
  await callMcp(service, 'cancel_event', { event_id: event.id, idempotency_key: 'of-tool' }, { key })
  for (const idempotency_key of ['of-rest', 'of-delete', 'of-tool']) {
    const error = await refused({ start_time: '2026-12-17T09:00', calendar_id: calendar.id, idempotency_key })
    assert.equal(error.type, 'idempotency_key_reused')
  }
})

test('an error frees its key', async ({ create, refused }) => {
  const args = { start_time: '2026-12-09T09:00', idempotency_key: 'again' }
  await create({ start_time: '2026-12-09T09:15' })
  assert.equal((await refused(args)).code, 'time_taken')
  assert.equal((await create({ ...args, start_time: '2026-12-09T08:00' })).replayed, undefined)
})

test('of 20 calls for one time one is booked; of 20 with one key all have the same event', async ({
  service,
  second,
  key,
  calendar,
}) => {
  const call = (nth: number, args: object) =>
    callMcp(nth % 2 ? service : second, 'create_event', { calendar_id: calendar.id, title: 'R', ...args }, { key })
  const all = (args: object) => Promise.all(Array.from({ length: 20 }, (_, nth) => call(nth, args)))
  const open = await all({ start_time: '2026-12-10T09:00' })
  assert.equal(open.filter(({ isError }) => !isError).length, 1)
  const keyed = await all({ start_time: '2026-12-11T09:00', idempotency_key: 'race' })
  const ids = keyed.map((result) => result.structuredContent?.event.id ?? JSON.stringify(result))
  assert.equal(new Set(ids).size, 1, ids.join())
  assert.equal(keyed.filter((result) => result.structuredContent.replayed).length, 19)
})

test('a hold is a hold, ends lower ones, and yields to equal ones', async ({ create, refused }) => {
  const at = { start_time: '2026-12-14T09:00' }
  const { event } = await create({ ...at, hold_minutes: 5 })
  assert.deepEqual([event.status, event.hold_expires_in, event.hold_priority], ['hold', '5 min', 0])
  const equal = await refused({ ...at, status: 'hold', title: 'Other' })
  assert.deepEqual([equal.code, equal.conflicts[0].id], ['hold_conflict', event.id])
  assert.match(equal.next_step, /hold_priority/)
  const allowed = await refused({ ...at, status: 'hold', title: 'Other', on_conflict: 'allow' })
  assert.deepEqual(
    [allowed.code, allowed.conflicts, allowed.suggestions],
    [...['hold_conflict', equal.conflicts, equal.suggestions]],
  )
  const high = await create({ ...at, status: 'hold', hold_priority: 5, title: 'Other' })
  assert.deepEqual([high.preempted, high.event.hold_expires_in], [[event.id], '10 min'])
  const wrong = await refused({ start_time: '2026-12-15T09:00', status: 'confirmed', hold_minutes: 5 })
  assert.deepEqual([wrong.param, wrong.suggestions[0].arguments], ['hold_minutes', { status: 'hold' }])
  const given = await create({ start_time: '2026-12-14T12:00', hold_expires_at: '2026-11-29T14:15' })
  assert.equal(given.event.status, 'hold')
  assert.equal((await refused({ ...at, hold_minutes: 16 })).suggestions[0].arguments.hold_minutes, 15)
})

test('last year is refused, with the same day of the coming one', async ({ create, refused }) => {
  const error = await refused({ start_time: '2025-12-01T09:00', end_time: '2025-12-01T10:00', weekday: 'monday' })
  assert.deepEqual([error.code, error.param], ['in_past', 'start_time'])
  assert.deepEqual(
    error.suggestions.map((one: Any) => one.arguments),
    [
      { start_time: '2026-12-01T09:00:00+01:00', end_time: '2026-12-01T10:00:00+01:00', weekday: 'tue' },
      { allow_past: true },
    ],
  )
  assert.equal((await create({ start_time: '2025-12-01T09:00', allow_past: true })).event.start.slice(0, 4), '2025')
  const leap = await refused({ start_time: '2024-02-29', all_day: true })
  assert.deepEqual(leap.suggestions[0].arguments, { start_time: '2028-02-29', end_time: '2028-02-29' })
})

test('a wrong weekday is refused, with the nearest such days', async ({ refused }) => {
  const error = await refused({ start_time: '2026-12-02T09:00', weekday: 'mon' })
  assert.deepEqual([error.code, error.param], ['weekday_mismatch', 'weekday'])
  assert.deepEqual(
    error.suggestions.map((one: Any) => one.arguments.start_time),
    ['2026-11-30T09:00:00+01:00', '2026-12-07T09:00:00+01:00'],
  )
  const past = await refused({ start_time: '2026-11-30T09:00', weekday: 'sat' })
  assert.equal(past.suggestions[0].arguments.start_time, '2026-12-05T09:00:00+01:00')
})

test('times that clocks skip or show twice are refused with both moments', async ({ refused }) => {
  const skipped = await refused({ start_time: '2027-03-28T02:30' })
  assert.equal(skipped.code, 'nonexistent_local_time')
  assert.equal(skipped.suggestions.length, 2)
  const doubled = await refused({ start_time: '2027-10-31T02:30' })
  assert.deepEqual(
    doubled.suggestions.map((one: Any) => one.arguments.start_time),
    ['2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+01:00'],
  )
})

test('a series that crosses a change of clocks says so, and hours that are closed', async ({
  service,
  key,
  calendar,
  create,
}) => {
  await service.call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, {
    key,
    body: { working_hours: { tue: { start: '09:00', end: '17:00' } }, ...berlin },
  })
  const { warnings } = await create({ start_time: '2027-03-02T09:00', recurrence_rule: 'RRULE:FREQ=WEEKLY;COUNT=10' })
  assert.deepEqual(
    warnings.map(({ code }: Any) => code),
    ['outside_working_hours', 'series_shifts'].slice(1),
  )
  assert.deepEqual(warnings[0].occurrence, {
    start: '2027-03-30T10:00:00+02:00',
    when: 'Tue 30 Mar 2027 10:00 Europe/Berlin (in 121 days)',
  })
  const late = await create({ start_time: '2026-12-15T18:00', title: 'Late' })
  assert.deepEqual(
    late.warnings.map(({ code }: Any) => code),
    ['outside_working_hours'],
  )
})

test('without a calendar the only one is taken; a name is answered with its id', async ({ service }) => {
  const { key } = await makeOrganization(service, { plan: 'custom' })
  const { id } = await makeCalendar(service, key, undefined, { ...berlin, name: 'Team' })
  const call = (args: object) =>
    callMcp(service, 'create_event', { title: 'E', start_time: '2026-12-01T09:00', ...args }, { key })
  assert.equal((await call({})).structuredContent.event.calendar_id, id)
  const named = mcpError(await call({ calendar_id: 'Team' }))
  assert.deepEqual([named.type, named.suggestions[0].arguments], ['not_found', { calendar_id: id }])
  await makeCalendar(service, key)
  assert.equal(mcpError(await call({})).code, 'calendar_required')
})

test('an agent key books for its agent; the free plan has no holds', async ({ service, key, calendar }) => {
  const agent = await makeAgent(service, key)
  const own = await makeCalendar(service, key, agent.id)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const args = { title: 'E', start_time: '2026-12-16T09:00' }
  const booked = await callMcp(service, 'create_event', args, { key: agentKey })
  assert.equal(booked.structuredContent.event.calendar_id, own.id)
  const foreign = await callMcp(service, 'create_event', { ...args, calendar_id: calendar.id }, { key: agentKey })
  assert.equal(mcpError(foreign).type, 'forbidden')
  const free = await makeOrganization(service, { plan: 'free' })
  await makeCalendar(service, free.key)
  const hold = mcpError(await callMcp(service, 'create_event', { ...args, status: 'hold' }, { key: free.key }))
  assert.deepEqual([hold.type, hold.feature], ['plan_required', 'temporal_holds'])
  const confirm = mcpError(await callMcp(service, 'confirm_event', { event_id: 'evt_x' }, { key: free.key }))
  assert.equal(confirm.type, 'plan_required')
})

test('the first suggestion of a time corrects the other time as well', async ({ create, refused }) => {
  const zone = { timezone: 'Europe/Berlin' }
  const cases = [
    { start_time: '2027-12-01T09:00+02:00', end_time: '2027-12-01T10:00+02:00', ...zone },
    { start: '2027-12-02T09:00+02:00', end: '2027-12-02T10:00+02:00', ...zone },
    { start_time: '2027-03-28T02:10', end_time: '2027-03-28T02:40' },
    { start_time: '2028-03-26T02:30', end_time: '2028-03-26T03:00' },
    { start_time: '2027-10-31T02:10', end_time: '2027-10-31T02:40' },
    { start_time: '2028-10-29T02:30+01:00', end_time: '2028-10-29T02:45' },
  ]
  for (const sent of cases) {
    const { suggestions } = await refused(sent)
    assert.ok(await create({ ...sent, ...suggestions[0].arguments }), JSON.stringify({ sent, suggestions }))
  }
})

test('a suggestion takes away the old name of what it gives', async ({ create, refused }) => {
  const sent = { start: '2027-05-03T09:00', duration: '0m' }
  const { param, suggestions } = await refused(sent)
  assert.equal(param, 'duration_minutes')
  assert.deepEqual(suggestions[0].arguments, { duration_minutes: 1, duration: null })
  assert.ok(await create({ ...sent, ...suggestions[0].arguments }))
})

test('the end and the minutes of a hold that contradict each other are refused', async ({ create, refused }) => {
  const sent = { start_time: '2027-05-04T09:00', hold_minutes: 5, hold_expires_at: '2026-11-29T14:10' }
  const { type, param, suggestions } = await refused(sent)
  assert.deepEqual([type, param], ['validation_error', 'hold_expires_at'])
  const { event } = await create({ ...sent, ...suggestions[0].arguments })
  assert.equal(event.hold_expires_at, '2026-11-29T14:08:00+01:00')
})

test('a date where no whole day is possible suggests none', async ({ refused }) => {
  const { code, suggestions } = await refused({ start_time: '2027-05-05T09:00', hold_expires_at: '2026-11-29' })
  assert.deepEqual([code, suggestions], ['invalid_time_format', undefined])
})

test('a series that is over is suggested for the next year, unless its rule names days', async ({
  create,
  refused,
}) => {
  const sent = { start_time: '2025-12-10T18:00', recurrence_rule: 'FREQ=WEEKLY;COUNT=3' }
  const { code, suggestions } = await refused(sent)
  assert.deepEqual([code, suggestions[0].arguments.start_time], ['in_past', '2026-12-10T18:00:00+01:00'])
  assert.ok(await create({ ...sent, ...suggestions[0].arguments }))
  for (const rule of ['FREQ=WEEKLY;BYDAY=WE;COUNT=3', 'FREQ=WEEKLY;UNTIL=20260101T000000Z']) {
    const refusal = await refused({ ...sent, recurrence_rule: rule })
    assert.deepEqual(refusal.suggestions[0].arguments, { allow_past: true }, rule)
  }
})

test('times that no caller wrote are refused as if written', async ({ create, refused }) => {
  const late = await refused({ start_time: '9999-12-31T23:00:00Z', duration_minutes: 120 })
  assert.deepEqual(
    [late.type, late.code, late.param, late.message],
    [
      'validation_error',
      'invalid_time_format',
      'end_time',
      'end_time: expected ISO 8601 with an offset, for example 2026-03-01T09:00:00Z',
    ],
  )
  const backwards = await refused({ start_time: '2026-12-15T09:00', end_time: '2026-12-15T08:00' })
  assert.deepEqual([backwards.code, backwards.message], ['end_before_start', 'end_time: must be after start_time'])
  const series = { start_time: '2026-12-16T09:00', recurrence_rule: 'FREQ=WEEKLY;COUNT=2' }
  const dates = ['2026-12-18T09:00', '2026-12-18T08:00:00Z']
  const twice = await refused({ ...series, recurrence_rdates: dates })
  assert.deepEqual([twice.param, twice.message], ['recurrence_rdates', 'recurrence_rdates: must be distinct'])
  const { recurrence_rule: _, ...single } = series
  const alone = await refused({ ...single, recurrence_rdates: [dates[0]], status: 'hold', hold_priority: 3 })
  assert.equal(alone.message, 'recurrence_rdates: only with a recurrence_rule')
  const { event } = await create({ ...series, recurrence_rdates: [dates[0]] })
  assert.equal(event.recurrence_rule, series.recurrence_rule)
})
