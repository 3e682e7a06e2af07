// Changing, cancelling, confirming and releasing events by tools.
import assert from 'node:assert/strict'
import { ahead, makeCalendar, makeEvent, makeHold } from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { perFile, serviceTest } from '../../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const test = serviceTest({ plan: 'custom' })
  .extend('calendar', async ({ service, key }): Promise<Any> => {
    await service.clock.set('2026-11-29T13:03:00Z')
    return makeCalendar(service, key, undefined, { timezone: 'Europe/Berlin' })
  })
  .extend(
    'make',
    ({ service, key, calendar }) =>
      (start: string, end: string, more: object = {}): Promise<Any> =>
        makeEvent(service, key, calendar.id, { start_time: start, end_time: end, ...more }),
  )
  .extend(
    'ask',
    perFile,
    ({ service, key }) =>
      async (tool: string, args: object): Promise<Any> =>
        (await callMcp(service, tool, { ...args }, { key })).structuredContent,
  )
  .extend(
    'refused',
    perFile,
    ({ service, key }) =>
      async (tool: string, args: object): Promise<Any> =>
        mcpError(await callMcp(service, tool, { ...args }, { key })),
  )

test('a start alone moves an event, which keeps its length; nothing else changes', async ({ make, ask }) => {
  const { id: event_id } = await make('2026-12-01T08:00:00Z', '2026-12-01T08:45:00Z', { description: 'D' })
  const { event, ...rest } = await ask('update_event', { event_id, start_time: '2026-12-02T10:00' })
  assert.deepEqual(rest, { now: 'Sun 29 Nov 2026 14:03 Europe/Berlin', timezone: 'Europe/Berlin', warnings: [] })
  assert.deepEqual(
    [event.start, event.end, event.description],
    ['2026-12-02T10:00:00+01:00', '2026-12-02T10:45:00+01:00', 'D'],
  )
  const longer = await ask('update_event', { event_id, duration_minutes: 90 })
  assert.equal(longer.event.end, '2026-12-02T11:30:00+01:00')
  const cleared = await ask('update_event', { event_id, description: null, title: 'New', timezone: 'UTC' })
  assert.deepEqual(
    [cleared.event.description, cleared.event.title, cleared.event.start],
    [undefined, 'New', '2026-12-02T09:00:00Z'],
  )
})

test('an event does not move to a taken time; a new title is not judged', async ({ make, ask, refused }) => {
  const { id: event_id } = await make('2026-12-01T08:00:00Z', '2026-12-01T08:30:00Z')
  const other = await make('2026-12-01T09:00:00Z', '2026-12-01T09:30:00Z')
  await make('2026-12-01T08:00:00Z', '2026-12-01T08:30:00Z')
  assert.equal((await ask('update_event', { event_id, title: 'Renamed' })).event.title, 'Renamed')
  const error = await refused('update_event', { event_id, start_time: '2026-12-01T10:15' })
  assert.deepEqual([error.code, error.conflicts[0].id], ['time_taken', other.id])
  const first = await ask('update_event', { event_id, ...error.suggestions[0].arguments })
  assert.equal(first.event.start, '2026-12-01T10:30:00+01:00')
  const allowed = await ask('update_event', { event_id, start_time: '2026-12-01T10:15', on_conflict: 'allow' })
  assert.equal(allowed.warnings[0].code, 'overlaps')
})

test('what cannot be changed is refused with what to do', async ({ service, key, calendar, make, refused }) => {
  const { id: event_id } = await make('2026-12-01T08:00:00Z', '2026-12-01T08:30:00Z')
  const change = (args: object) => refused('update_event', { event_id, ...args })
  assert.equal((await change({ start_time: '2025-12-01T09:00' })).code, 'in_past')
  assert.equal((await change({ start_time: '2026-12-02T09:00', weekday: 'mon' })).code, 'weekday_mismatch')
  assert.equal((await change({})).type, 'validation_error')
  const once = await change({ title: 'No', occurrence_start: '2026-12-02T09:00' })
  assert.deepEqual([once.type, once.suggestions[0].arguments], ['conflict', { occurrence_start: null }])
  assert.equal((await change({ title: 'No', scope: 'following' })).param, 'scope')
  const hold = await makeHold(service, key, calendar.id)
  const held = await change({ event_id: hold.id, title: 'No' })
  assert.deepEqual([held.type, /confirm_event/.test(held.next_step)], ['invalid_transition', true])
  const other = await makeCalendar(service, key)
  assert.equal((await change({ title: 'T', calendar_id: other.id })).type, 'not_found')
  assert.match((await change({ event_id: 'evt_nothing', title: 'T' })).next_step, /list_events/)
})

test('an all-day event moves by days, whatever their length', async ({ calendar, ask }) => {
  const { event } = await ask('create_event', {
    ...{ calendar_id: calendar.id, title: 'Fair', start_time: '2027-03-20', end_time: '2027-03-21', all_day: true },
  })
  const moved = await ask('update_event', { event_id: event.id, start_time: '2027-03-27' })
  assert.deepEqual([moved.event.start, moved.event.end], ['2027-03-27', '2027-03-28'])
})

test('an event is deleted, and shown as it was; a retry with its key says so again', async ({
  service,
  key,
  make,
  ask,
  refused,
}) => {
  const { id: event_id } = await make('2026-12-01T08:00:00Z', '2026-12-01T08:30:00Z', { title: 'Gone' })
  const args = { event_id, idempotency_key: 'delete' }
  const first = await ask('cancel_event', args)
  assert.deepEqual([first.cancelled, first.event.title], [true, 'Gone'])
  assert.equal((await service.call('GET', `/v1/events/${event_id}`, { key })).status, 404)
  assert.deepEqual(await ask('cancel_event', args), { ...first, replayed: true })
  assert.equal((await refused('cancel_event', { event_id })).code, 'event_not_found')
})

test('of a series one occurrence is cancelled, or all', async ({ service, key, make, ask, refused }) => {
  const series = { recurrence_rule: 'FREQ=DAILY;COUNT=5' }
  const { id: event_id } = await make('2026-11-29T08:00:00Z', '2026-11-29T08:30:00Z', series)
  const error = await refused('cancel_event', { event_id })
  assert.deepEqual([error.type, error.code, error.param], ['validation_error', 'series_scope', 'occurrence_start'])
  const starts = ['2026-11-30T09:00:00+01:00', '2026-12-01T09:00:00+01:00', '2026-12-02T09:00:00+01:00']
  assert.deepEqual(
    error.suggestions.map((one: Any) => one.arguments),
    starts.map((occurrence_start) => ({ occurrence_start })),
  )
  const one = await ask('cancel_event', { event_id, occurrence_start: '2026-12-01T09:00' })
  assert.deepEqual([one.cancelled, one.event.start, one.event.occurrence_start], [true, starts[1], starts[1]])
  assert.deepEqual(
    one.series.next_occurrences.map(({ start }: Any) => start),
    [starts[0], starts[2], '2026-12-03T09:00:00+01:00'],
  )
  const gone = await refused('cancel_event', { event_id, occurrence_start: '2026-12-01T09:00' })
  assert.deepEqual([gone.param, gone.suggestions[0].arguments.occurrence_start], ['occurrence_start', starts[0]])
  assert.match(gone.message, /starts at Tue 1 Dec 2026 09:00 Europe\/Berlin\.$/)
  assert.equal(
    (await refused('cancel_event', { event_id, occurrence_start: '2026-12-02', whole_series: true })).param,
    'whole_series',
  )
  const all = await ask('cancel_event', { event_id, whole_series: 'true' })
  assert.deepEqual([all.cancelled, all.series], [true, undefined])
  assert.equal((await service.call('GET', `/v1/events/${event_id}`, { key })).status, 404)
})

test('one occurrence of a series is changed by its start, and keeps that as its name', async ({
  make,
  ask,
  refused,
}) => {
  const { id: event_id } = await make('2026-11-30T08:00:00Z', '2026-11-30T08:30:00Z', {
    ...{ title: 'Stand-up', recurrence_rule: 'FREQ=DAILY;COUNT=6' },
  })
  const first = { event_id, occurrence_start: '2026-12-01T09:00', idempotency_key: 'move' }
  const moved = await ask('update_event', { ...first, start_time: '2026-12-01T15:00', weekday: 'tue' })
  const { event } = moved
  assert.deepEqual(
    [event.id, event.start, event.end, event.occurrence_start, event.recurrence_rule],
    [event_id, '2026-12-01T15:00:00+01:00', '2026-12-01T15:30:00+01:00', '2026-12-01T09:00:00+01:00', undefined],
  )
  assert.deepEqual(moved.warnings, [])
  assert.equal((await ask('update_event', { ...first, start_time: '2026-12-01T15:00', weekday: 'tue' })).replayed, true)
  const longer = await ask('update_event', { event_id, occurrence_start: '2026-12-01T09:00', duration_minutes: 60 })
  assert.equal(longer.event.end, '2026-12-01T16:00:00+01:00')
  await make('2026-12-02T13:00:00Z', '2026-12-02T14:00:00Z')
  const taken = { event_id, occurrence_start: '2026-12-02T09:00', start_time: '2026-12-02T14:00' }
  const error = await refused('update_event', taken)
  assert.equal(error.code, 'time_taken')
  const repaired = await ask('update_event', { ...taken, ...error.suggestions[0].arguments })
  assert.deepEqual(repaired.event.occurrence_start, '2026-12-02T09:00:00+01:00')
  const gone = await refused('update_event', { event_id, occurrence_start: '2026-12-01T15:00', title: 'No' })
  assert.deepEqual([gone.type, gone.param], ['bad_request', 'occurrence_start'])
  assert.deepEqual(gone.suggestions[1], {
    arguments: { occurrence_start: '2026-12-01T09:00:00+01:00' },
    when: 'Tue 1 Dec 2026 15:00-16:00 Europe/Berlin (in 2 days)',
  })
  const read = await ask('get_event', { event_id, occurrence_start: '2026-12-01T09:00:00+01:00' })
  assert.equal(read.event.start, '2026-12-01T15:00:00+01:00')
  const cancelled = await ask('cancel_event', { event_id, occurrence_start: '2026-12-01T09:00' })
  assert.equal(cancelled.event.start, '2026-12-01T15:00:00+01:00')
})

test('the next occurrences are those that happen, at their own times', async ({ make, ask, refused }) => {
  const { id: event_id } = await make('2026-11-30T08:00:00Z', '2026-11-30T08:30:00Z', {
    recurrence_rule: 'FREQ=DAILY;COUNT=6',
  })
  const edit = (day: number, args: object) =>
    ask('update_event', { event_id, occurrence_start: `2026-12-0${day}T09:00`, ...args })
  await edit(1, { status: 'cancelled' })
  await edit(3, { start_time: '2026-12-02T07:00' })
  await edit(5, { start_time: '2026-12-01T20:00' })
  const starts = (all: Any[]) => all.map(({ start, occurrence_start }) => [start, occurrence_start])
  const one = await ask('cancel_event', { event_id, occurrence_start: '2026-11-30T09:00' })
  assert.deepEqual(starts(one.series.next_occurrences), [
    ['2026-12-01T20:00:00+01:00', '2026-12-05T09:00:00+01:00'],
    ['2026-12-02T07:00:00+01:00', '2026-12-03T09:00:00+01:00'],
    ['2026-12-02T09:00:00+01:00', undefined],
  ])
  const { suggestions } = await refused('cancel_event', { event_id })
  assert.deepEqual(
    suggestions.map((each: Any) => each.arguments.occurrence_start),
    ['2026-12-05T09:00:00+01:00', '2026-12-03T09:00:00+01:00', '2026-12-02T09:00:00+01:00'],
  )
  const moved = await ask('cancel_event', { event_id, occurrence_start: '2026-12-05T09:00' })
  assert.equal(moved.series.next_occurrences[0].start, '2026-12-02T07:00:00+01:00')
})

test('with scope=following a series ends, and another one goes on', async ({ service, key, make, ask, refused }) => {
  const { id: event_id } = await make('2026-11-30T08:00:00Z', '2026-11-30T08:30:00Z', {
    recurrence_rule: 'FREQ=DAILY;COUNT=6',
  })
  const split = { event_id, occurrence_start: '2026-12-02T09:00', scope: 'following', idempotency_key: 'split' }
  const done = await ask('update_event', { ...split, start_time: '2026-12-02T10:00', title: 'Later' })
  assert.notEqual(done.event.id, event_id)
  assert.deepEqual(
    [done.event.title, done.event.start, done.event.end, done.event.recurrence_rule],
    ['Later', '2026-12-02T10:00:00+01:00', '2026-12-02T10:30:00+01:00', 'FREQ=DAILY;COUNT=4'],
  )
  assert.deepEqual([done.previous.id, done.previous.recurrence_rule], [event_id, 'FREQ=DAILY;COUNT=2'])
  const again = await ask('update_event', { ...split, start_time: '2026-12-02T10:00', title: 'Later' })
  assert.deepEqual(again, { ...done, replayed: true })
  const other = { event_id: done.event.id, scope: 'following' }
  const ended = await ask('cancel_event', { ...other, occurrence_start: '2026-12-04T10:00' })
  assert.deepEqual(
    [ended.event.start, ended.series.recurrence_rule, ended.series.next_occurrences.length],
    ['2026-12-04T10:00:00+01:00', 'FREQ=DAILY;COUNT=2', 2],
  )
  const all = await refused('cancel_event', { ...other, occurrence_start: '2026-12-02T10:00' })
  assert.equal(all.type, 'bad_request')
  assert.equal(
    (await ask('cancel_event', { ...other, occurrence_start: '2026-12-02T10:00', ...all.suggestions[0].arguments }))
      .cancelled,
    true,
  )
  assert.equal((await refused('cancel_event', { event_id, scope: 'following' })).suggestions.length, 2)
  const { body } = await service.call('GET', '/v1/audit-log?limit=20', { key })
  const isOfSplit = ({ path, resource }: Any) =>
    path === '/mcp/update_event' && [event_id, done.event.id].includes(resource.id ?? resource)
  const ofSplit = body.data.filter(isOfSplit).map(({ action }: Any) => action)
  assert.deepEqual(ofSplit.sort(), ['event.create', 'event.update'])
})

test('a series keeps the hour of its zone, and its dates are read as any time', async ({ calendar, ask, refused }) => {
  const weekly = {
    ...{
      calendar_id: calendar.id,
      title: 'Review',
      start_time: '2027-03-02T09:00',
      recurrence_rule: 'FREQ=WEEKLY;COUNT=10',
    },
    recurrence_timezone: 'Europe/Berlin',
  }
  const made = await ask('create_event', { ...weekly, recurrence_rdates: '2027-03-04T15:00,2027-03-05T15:00' })
  assert.deepEqual(made.warnings, [])
  assert.deepEqual(
    [made.event.recurrence_timezone, made.event.recurrence_rdates],
    ['Europe/Berlin', ['2027-03-04T15:00:00+01:00', '2027-03-05T15:00:00+01:00']],
  )
  const { event, warnings } = await ask('update_event', {
    ...{ event_id: made.event.id, recurrence_timezone: null, recurrence_rdates: [] },
  })
  assert.deepEqual([event.recurrence_timezone, event.recurrence_rdates], [undefined, undefined])
  assert.equal(warnings[0].code, 'series_shifts')
  const wrong = await refused('create_event', { ...weekly, title: 'B', recurrence_rdates: ['2027-03-28T02:30'] })
  assert.deepEqual([wrong.code, wrong.param], ['nonexistent_local_time', 'recurrence_rdates.0'])
  await ask('create_event', { ...weekly, title: 'B', on_conflict: 'allow', ...wrong.suggestions[0].arguments })
  const zone = await refused('create_event', { ...weekly, title: 'C', recurrence_timezone: 'Europe/Berlln' })
  assert.equal(zone.suggestions[0].arguments.recurrence_timezone, 'Europe/Berlin')
  const alone = await refused('create_event', {
    ...{ calendar_id: calendar.id, title: 'D', start_time: '2027-06-02T09:00', recurrence_timezone: 'Europe/Berlin' },
  })
  assert.deepEqual([alone.type, alone.param], ['validation_error', 'recurrence_timezone'])
})

test('a day names the occurrence of an all-day series, also after a change of clocks', async ({ calendar, ask }) => {
  const { event } = await ask('create_event', {
    ...{ calendar_id: calendar.id, title: 'Rota', start_time: '2027-03-22', all_day: true },
    recurrence_rule: 'FREQ=WEEKLY;COUNT=4',
  })
  const { series } = await ask('cancel_event', { event_id: event.id, occurrence_start: '2027-04-05' })
  assert.equal(series.next_occurrences.length, 3)
})

test('a hold is confirmed once, and says what lies there by now', async ({
  service,
  key,
  calendar,
  make,
  ask,
  refused,
}) => {
  const { id: event_id } = await makeHold(service, key, calendar.id)
  const other = await make(ahead(service, 70), ahead(service, 80))
  const args = { event_id, idempotency_key: 'confirm' }
  const first = await ask('confirm_event', args)
  assert.deepEqual([first.event.status, first.conflicts[0].id], ['confirmed', other.id])
  assert.deepEqual(await ask('confirm_event', args), { ...first, replayed: true })
  assert.equal((await refused('confirm_event', { event_id })).code, 'not_a_hold')
  const late = await makeHold(service, key, calendar.id, {
    start_time: ahead(service, 300),
    end_time: ahead(service, 330),
  })
  await service.clock.advance(6 * 60_000)
  const error = await refused('confirm_event', { event_id: late.id })
  assert.deepEqual([error.code, /create_event/.test(error.next_step)], ['hold_expired', true])
  const kept = await makeHold(service, key, calendar.id, {
    start_time: ahead(service, 400),
    end_time: ahead(service, 430),
  })
  assert.equal((await ask('release_event', { event_id: kept.id })).event.status, 'cancelled')
})

test('the audit log has the call with the status of its twin', async ({ service, key, make, ask }) => {
  const { id: event_id } = await make('2026-12-20T08:00:00Z', '2026-12-20T08:30:00Z')
  await ask('update_event', { event_id, title: 'T' })
  await ask('cancel_event', { event_id })
  const { body } = await service.call('GET', '/v1/audit-log?limit=2', { key })
  assert.deepEqual(
    body.data.map(({ action, method, path, status }: Any) => [action, method, path, status]),
    [
      ['event.delete', 'POST', '/mcp/cancel_event', 204],
      ['event.update', 'POST', '/mcp/update_event', 200],
    ],
  )
})
