import assert from 'node:assert/strict'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
} from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const test = serviceTest({ plan: 'custom' }).extend('world', { scope: 'file' }, async ({ service, key }) => {
  service.clock.set('2026-11-29T13:03:00Z')
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id, { timezone: 'Europe/Berlin', agent_status: 'working' })
  return { agent, calendar, agentKey: await makeAgentKey(service, key, agent.id) }
})

test('an event has its time in words, in the zone of its calendar', async ({ service, key, world }) => {
  const made = await makeEvent(service, key, world.calendar.id, {
    title: 'Stand-up\u202e',
    description: 'Every\u200bone',
    start_time: '2026-12-01T08:00:00Z',
    end_time: '2026-12-01T08:15:00Z',
    reminders: [],
    metadata: { room: 1, none: null },
  })
  const { structuredContent } = await callMcp(service, 'get_event', { event_id: made.id }, { key })
  assert.deepEqual(structuredContent, {
    now: 'Sun 29 Nov 2026 14:03 Europe/Berlin',
    timezone: 'Europe/Berlin',
    event: {
      id: made.id,
      calendar_id: world.calendar.id,
      title: 'Stand-up',
      when: 'Tue 1 Dec 2026 09:00-09:15 Europe/Berlin (in 2 days)',
      start: '2026-12-01T09:00:00+01:00',
      end: '2026-12-01T09:15:00+01:00',
      status: 'confirmed',
      description: 'Everyone',
      metadata: { room: 1, none: null },
      reminders: [],
      created_at: '2026-11-29T14:03:00+01:00',
      updated_at: '2026-11-29T14:03:00+01:00',
    },
  })
})

test('whole days are dates, the last one included', async ({ service, key, world }) => {
  const { id } = await makeEvent(service, key, world.calendar.id, {
    start_time: '2026-12-23T23:00:00Z',
    end_time: '2026-12-26T23:00:00Z',
    all_day: true,
  })
  const { event } = (await callMcp(service, 'get_event', { event_id: id }, { key })).structuredContent
  assert.deepEqual(
    [event.when, event.start, event.end, event.all_day],
    ['Thu 24 Dec 2026 - Sat 26 Dec 2026, all day (in 25 days)', '2026-12-24', '2026-12-26', true],
  )
})

test('a hold says when it ends, until it is gone', async ({ service, key, world }) => {
  const { id } = await makeHold(service, key, world.calendar.id, { hold_priority: 7 })
  const { event } = (await callMcp(service, 'get_event', { event_id: id }, { key })).structuredContent
  assert.deepEqual(
    [event.status, event.hold_expires_at, event.hold_expires_in, event.hold_priority],
    ['hold', '2026-11-29T14:08:00+01:00', '5 min', 7],
  )
  await callMcp(service, 'get_event', { event_id: id }, { key })
  await service.call('PUT', `/v1/events/${id}/release`, { key })
  const after = (await callMcp(service, 'get_event', { event_id: id }, { key })).structuredContent.event
  assert.deepEqual([after.status, after.hold_expires_at, after.hold_priority], ['cancelled', undefined, undefined])
})

test('a series has its rule', async ({ service, key, world }) => {
  const { id } = await makeEvent(service, key, world.calendar.id, { recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  const { event } = (await callMcp(service, 'get_event', { event_id: id }, { key })).structuredContent
  assert.equal(event.recurrence_rule, 'FREQ=DAILY;COUNT=3')
  assert.equal(event.occurrence_start, undefined)
})

test('an event is not found under another calendar, in another organization, or by what nothing is called', async ({
  service,
  key,
  world,
}) => {
  const { id } = await makeEvent(service, key, world.calendar.id)
  const other = await makeCalendar(service, key)
  const stranger = await makeOrganization(service)
  const cases = [
    { args: { event_id: id, calendar_id: other.id }, key, param: 'event_id' },
    { args: { event_id: id }, key: stranger.key, param: 'event_id' },
    { args: { event_id: 'Retro' }, key, param: 'event_id' },
    { args: { event_id: id, calendar_id: 'cal_nope' }, key, param: 'calendar_id' },
  ]
  for (const { args, key: asking, param } of cases) {
    const error = mcpError(await callMcp(service, 'get_event', args, { key: asking }))
    assert.deepEqual([error.type, error.param], ['not_found', param])
    assert.match(error.next_step, param === 'event_id' ? /list_events/ : /list_calendars/)
    const isElsewhere = 'calendar_id' in args && args.calendar_id === other.id
    assert.deepEqual(error.suggestions?.[0].arguments, isElsewhere ? { calendar_id: null } : undefined)
  }
  const right = await callMcp(service, 'get_event', { event_id: id, calendar_id: world.calendar.id }, { key })
  assert.equal(right.structuredContent.event.id, id)
  const missing = mcpError(await callMcp(service, 'get_event', {}, { key }))
  assert.deepEqual([missing.type, missing.param], ['validation_error', 'event_id'])
})

test("an agent's key reads no event of another agent", async ({ service, key, world }) => {
  const calendar = await makeCalendar(service, key, (await makeAgent(service, key)).id)
  const { id } = await makeEvent(service, key, calendar.id)
  const error = mcpError(await callMcp(service, 'get_event', { event_id: id }, { key: world.agentKey }))
  assert.equal(error.type, 'forbidden')
})

test('the context is that of REST, and its events are short', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key, undefined, { timezone: 'Asia/Kathmandu', agent_status: 'waiting' })
  const empty = (await callMcp(service, 'get_calendar_context', {}, { key })).structuredContent
  assert.deepEqual(empty, {
    now: 'Sun 29 Nov 2026 18:48 Asia/Kathmandu',
    timezone: 'Asia/Kathmandu',
    calendar_id: calendar.id,
    agent_status: 'waiting',
    current_event: null,
    next_event: null,
    upcoming: [],
    recent_events: [],
  })
  await makeEvent(service, key, calendar.id, {
    title: 'Over',
    start_time: ahead(service, -60),
    end_time: ahead(service, -45),
  })
  await makeEvent(service, key, calendar.id, {
    title: 'On',
    start_time: ahead(service, -30),
    end_time: ahead(service, 30),
  })
  await makeEvent(service, key, calendar.id, {
    title: 'Daily',
    description: 'Not in a list.',
    recurrence_rule: 'FREQ=DAILY',
    start_time: ahead(service, 45),
    end_time: ahead(service, 60),
  })
  const context = (await callMcp(service, 'get_calendar_context', { calendar_id: calendar.id }, { key }))
    .structuredContent
  const rest = (await service.call('GET', `/v1/calendars/${calendar.id}/context`, { key })).body
  assert.equal(context.current_event.id, rest.current_event.id)
  assert.equal(context.current_event.when, 'Sun 29 Nov 2026 18:18-19:18 Asia/Kathmandu (now)')
  assert.deepEqual(context.next_event, {
    id: rest.next_event.id,
    title: 'Daily',
    when: 'Sun 29 Nov 2026 19:33-19:48 Asia/Kathmandu (in 45 min)',
    start: '2026-11-29T19:33:00+05:45',
    end: '2026-11-29T19:48:00+05:45',
    status: 'confirmed',
    occurrence_start: '2026-11-29T19:33:00+05:45',
  })
  assert.deepEqual(
    context.upcoming.map(({ title }: { title: string }) => title),
    ['Daily'],
  )
  assert.deepEqual(
    context.recent_events.map(({ when }: { when: string }) => when),
    ['Sun 29 Nov 2026 17:48-18:03 Asia/Kathmandu (today)'],
  )
})

test('which calendar is asked for, where there are several or none', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const none = mcpError(await callMcp(service, 'get_calendar_context', {}, { key }))
  assert.deepEqual([none.code, none.param, none.suggestions], ['calendar_required', 'calendar_id', undefined])
  assert.match(none.next_step, /create_calendar/)
  const one = await makeCalendar(service, key, undefined, { name: 'One' })
  const two = await makeCalendar(service, key, undefined, { name: 'Two', timezone: 'Europe/Berlin' })
  const several = mcpError(await callMcp(service, 'get_calendar_context', {}, { key }))
  assert.deepEqual([several.type, several.code], ['validation_error', 'calendar_required'])
  assert.deepEqual(several.suggestions, [
    { arguments: { calendar_id: two.id }, note: 'Two (Europe/Berlin)' },
    { arguments: { calendar_id: one.id }, note: 'One (UTC)' },
  ])
  const named = mcpError(await callMcp(service, 'get_calendar_context', { calendar_id: 'two' }, { key }))
  assert.deepEqual([named.type, named.code], ['not_found', 'calendar_not_found'])
  assert.deepEqual(named.suggestions, [{ arguments: { calendar_id: two.id }, note: 'Two' }])
})
