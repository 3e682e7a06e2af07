// The refusals of guardrails for an agent key, at every door where it acts.
import assert from 'node:assert/strict'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../src/testing/mcp/mcp.ts'
import { type Asked, mutationsOf } from '../../src/testing/mutations.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'
import { routes } from '../routes.ts'

const test = serviceTest({ plan: 'pro' }).extend('desk', async ({ service, key }) => {
  const agent = await makeAgent(service, key)
  const [calendar, other] = [await makeCalendar(service, key, agent.id), await makeCalendar(service, key, agent.id)]
  const guarded = (guardrails: object) => makeAgentKey(service, key, agent.id, guardrails)
  return { agent, calendar, other, guarded }
})

const guardrail = (name: string) => ({ code: 'guardrail', guardrail: name })
const refusedBy = (answer: Parameters<typeof assertRefused>[0], name: string) =>
  assertRefused(answer, 403, 'forbidden', guardrail(name))

test('guardrails are shown where a key has some, replaced as a whole, and removed by null', async ({
  call,
  key,
  desk,
}) => {
  const { agent, calendar } = desk
  const guardrails = {
    read_only: false,
    calendar_ids: [calendar.id],
    timezone: 'Europe/Berlin',
    allowed_hours: { mon: { start: '09:00', end: '17:00' } },
    max_minutes: 0,
    max_days_ahead: 30,
    min_notice_minutes: 10,
    max_hold_priority: 5,
    max_live_holds: 2,
    require_free: true,
    max_events_per_day: 10,
    max_holds_per_day: 3,
    approval: { on: ['event.create'], expires_in_minutes: 5, approver: 'link' },
  }
  const made = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id, label: 'a', guardrails } })
  assert.equal(made.status, 201)
  assert.deepEqual(made.body.guardrails, guardrails)
  const shown = async () =>
    (await call('GET', '/v1/keys', { key })).body.keys.find(({ id }: { id: string }) => id === made.body.id)
  assert.deepEqual((await shown()).guardrails, guardrails)
  const path = `/v1/keys/${made.body.id}`
  const { key: _, ...record } = made.body
  const edited = await call('PATCH', path, { key, body: { guardrails: { approval: { on: 'all' } } } })
  const approval = { on: 'all', expires_in_minutes: 1440, approver: 'session' }
  assert.deepEqual([edited.status, edited.body], [200, { ...record, guardrails: { approval } }])
  const labelled = await call('PATCH', path, { key, body: { label: null } })
  assert.deepEqual(labelled.body, { ...record, label: null, guardrails: { approval } })
  const cleared = await call('PATCH', path, { key, body: { guardrails: null } })
  const { guardrails: __, ...bare } = record
  assert.deepEqual(cleared.body, { ...bare, label: null })
  assert.deepEqual(await shown(), { ...bare, label: null })
  const { body: log } = await call('GET', '/v1/audit-log?action=key.update', { key })
  assert.deepEqual(
    log.data.map(({ resource }: { resource: string }) => resource),
    Array(3).fill(made.body.id),
  )
})

test('guardrails that make no sense are refused with their place', async ({ call, key, desk }) => {
  const { agent } = desk
  for (const [guardrails, param] of [
    [{ max_minutes: -1 }, 'max_minutes'],
    [{ calendar_ids: [] }, 'calendar_ids'],
    [{ calendar_ids: Array(51).fill('cal_01k9xr8m3fe8tbc4x9m2v7h5qd') }, 'calendar_ids'],
    [{ allowed_hours: { mon: { start: '22:00', end: '02:00' } } }, 'allowed_hours.mon.end'],
    [{ timezone: 'Nowhere/Land' }, 'timezone'],
    [{ max_hold_priority: 101 }, 'max_hold_priority'],
    [{ approval: { on: 'all', expires_in_minutes: 4 } }, 'approval.expires_in_minutes'],
    [{ approval: { on: 'all', expires_in_minutes: 10_081 } }, 'approval.expires_in_minutes'],
    [{ approval: { on: 'all', approver: 'me' } }, 'approval.approver'],
    [{ approval: { on: [] } }, 'approval.on'],
    [{ approval: {} }, 'approval.on'],
    [{ maxMinutes: 1 }, 'maxMinutes'],
  ] as const) {
    const answer = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id, guardrails } })
    assertRefused(answer, 400, 'validation_error', { param: `guardrails.${param}` })
  }
  const body = { agent_id: agent.id, guardrails: { calendar_ids: ['cal_01k9xr8m3fe8tbc4x9m2v7h5qd'] } }
  const unknown = await call('POST', '/v1/keys', { key, body })
  assertRefused(unknown, 404, 'not_found', { param: 'guardrails.calendar_ids', code: 'calendar_not_found' })
  assertRefused(
    await call('PATCH', '/v1/keys/key_01k9xr8m3fe8tbc4x9m2v7h5qd', { key, body: { label: 'x' } }),
    404,
    'not_found',
  )
  const { body: made } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  assertRefused(await call('PATCH', `/v1/keys/${made.id}`, { key, body: {} }), 400, 'validation_error')
})

test('no agent key edits keys, and a change is in force with the next request on every process', async ({
  call,
  second,
  key,
  desk,
}) => {
  const { agent, calendar } = desk
  const { body: made } = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  const path = `/v1/calendars/${calendar.id}`
  const rename = (at: typeof call) => at('PATCH', path, { key: made.key, body: { name: 'New' } })
  assert.equal((await rename(call)).status, 200)
  assert.equal((await rename(second.call)).status, 200)
  assertRefused(
    await call('PATCH', `/v1/keys/${made.id}`, { key: made.key, body: { guardrails: null } }),
    403,
    'forbidden',
  )
  await call('PATCH', `/v1/keys/${made.id}`, { key, body: { guardrails: { read_only: true } } })
  refusedBy(await rename(second.call), 'read_only')
  refusedBy(await rename(call), 'read_only')
  assert.equal((await second.call('GET', path, { key: made.key })).status, 200)
  await call('PATCH', `/v1/keys/${made.id}`, { key, body: { guardrails: null } })
  assert.equal((await rename(second.call)).status, 200)
})

test('a key that can only read changes nothing, with every operation of agent keys', async ({ service }) => {
  const mutations = await mutationsOf(service)
  const { key } = mutations.createAgentCalendar!
  const agentId = mutations.createAgentCalendar!.path.split('/')[3]!
  const reader = await makeAgentKey(service, key, agentId, { read_only: true })
  const ofAgents = routes.filter(({ access, method }) => access === 'key' && method !== 'get')
  const tried = ofAgents.flatMap(({ operationId }) => (mutations[operationId] ? [mutations[operationId]] : []))
  assert.ok(tried.length > 15, `${tried.length}`)
  for (const { method, path, body } of tried as Asked[]) {
    refusedBy(await service.call(method, path, { key: reader, ...(body && { body }) }), 'read_only')
    refusedBy(await service.call(method, `${path}?dry_run=true`, { key: reader, ...(body && { body }) }), 'read_only')
  }
})

test('a key with listed calendars sees and changes only these', async ({ service, call, key, desk }) => {
  const { agent, calendar, other, guarded } = desk
  const mine = await makeEvent(service, key, calendar.id)
  const hidden = await makeEvent(service, key, other.id, {
    start_time: ahead(service, 200),
    end_time: ahead(service, 260),
  })
  const held = await makeHold(service, key, other.id)
  const narrow = await guarded({ calendar_ids: [calendar.id] })
  const as = (method: string, path: string, body?: object) => call(method, path, { key: narrow, ...(body && { body }) })
  const of = `/v1/calendars/${other.id}`
  const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
  for (const [method, path, body] of [
    ['GET', of],
    ['PATCH', of, { name: 'New' }],
    ['DELETE', of],
    ['GET', `${of}/events`],
    ['POST', `${of}/events`, { title: 'New', ...times }],
    ['POST', `${of}/events?dry_run=true`, { title: 'New', ...times }],
    ['GET', `${of}/events/${hidden.id}`],
    ['PATCH', `${of}/events/${hidden.id}`, { title: 'New' }],
    ['DELETE', `${of}/events/${hidden.id}`],
    ['GET', `/v1/events/${hidden.id}`],
    ['PATCH', `/v1/events/${hidden.id}`, { title: 'New' }],
    ['PUT', `/v1/events/${held.id}/confirm`],
    ['PUT', `/v1/events/${held.id}/release`],
    ['GET', `${of}/context`],
    ['GET', `${of}/availability?start=${times.start_time}&end=${times.end_time}`],
    ['PUT', `${of}/availability-rules`, { timezone: 'UTC' }],
    ['GET', `/v1/changes?calendar_ids=${other.id}`],
    ['POST', `/v1/agents/${agent.id}/calendars`, { name: 'New', timezone: 'UTC' }],
    ['POST', `/v1/agents/${agent.id}/ical-subscriptions`, { calendar_id: other.id, url: 'https://example.com/a.ics' }],
    ['DELETE', `/v1/agents/${agent.id}`],
  ] as const) {
    refusedBy(await as(method, path, body), 'calendar_ids')
  }
  const ids = async (path: string) => (await as('GET', path)).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids('/v1/calendars'), [calendar.id])
  assert.deepEqual(await ids(`/v1/agents/${agent.id}/calendars`), [calendar.id])
  assert.deepEqual(await ids(`/v1/agents/${agent.id}/events`), [mine.id])
  const listed = await callMcp(service, 'list_calendars', {}, { key: narrow })
  assert.deepEqual(
    listed.structuredContent.calendars.map(({ id }: { id: string }) => id),
    [calendar.id],
  )
  const { body: feed } = await as('GET', '/v1/changes?cursor=oldest')
  const seen = new Set(feed.data.map((entry: { calendar_id: string | null }) => entry.calendar_id))
  assert.ok(seen.has(calendar.id) && !seen.has(other.id))
  const window = `start=${ahead(service, 30)}&end=${ahead(service, 300)}&include_busy=true`
  const { body: free } = await as('GET', `/v1/agents/${agent.id}/availability?${window}`)
  assert.deepEqual(
    free.per_agent_busy[agent.id].map(({ start }: { start: string }) => start),
    [mine.startTime],
  )
  assert.equal((await as('PATCH', `/v1/events/${mine.id}`, { title: 'New' })).status, 200)
})

test('times that guardrails forbid are refused for new, moved and confirmed events, and over MCP', async ({
  service,
  call,
  key,
  desk,
}) => {
  const { calendar, guarded } = desk
  const short = await guarded({ max_minutes: 30, max_hold_priority: 1 })
  const path = `/v1/calendars/${calendar.id}/events`
  const at = (from: number, to: number) => ({ start_time: ahead(service, from), end_time: ahead(service, to) })
  const post = (body: object, query = '') =>
    call('POST', `${path}${query}`, { key: short, body: { title: 'New', ...body } })
  const made = await post(at(60, 90))
  assert.equal(made.status, 201)
  refusedBy(await post(at(60, 91)), 'max_minutes')
  refusedBy(await post(at(60, 91), '?dry_run=true'), 'max_minutes')
  refusedBy(await post({ ...at(60, 91), recurrence_rule: 'FREQ=DAILY;COUNT=2' }), 'max_minutes')
  const hold = { status: 'hold', hold_expires_at: ahead(service, 5) }
  refusedBy(await post({ ...at(60, 91), ...hold }), 'max_minutes')
  refusedBy(await post({ ...at(60, 90), ...hold, hold_priority: 2 }), 'max_hold_priority')
  assert.equal((await post({ ...at(60, 90), ...hold, hold_priority: 1 })).status, 201)
  refusedBy(
    await call('PATCH', `${path}/${made.body.id}`, { key: short, body: { end_time: ahead(service, 91) } }),
    'max_minutes',
  )
  assert.equal(
    (await call('PATCH', `${path}/${made.body.id}`, { key: short, body: { title: 'Same time' } })).status,
    200,
  )
  const long = await makeHold(service, key, calendar.id, at(200, 300))
  refusedBy(await call('PUT', `/v1/events/${long.id}/confirm`, { key: short }), 'max_minutes')
  assert.equal((await call('PUT', `/v1/events/${long.id}/release`, { key: short })).status, 200)
  const booked = await callMcp(
    service,
    'create_event',
    { calendar_id: calendar.id, title: 'New', ...at(400, 500) },
    { key: short },
  )
  const { type, code, guardrail } = mcpError(booked)
  assert.deepEqual([type, code, guardrail], ['forbidden', 'guardrail', 'max_minutes'])
  // Unguarded keys are as they were.
  assert.equal((await call('POST', path, { key, body: { title: 'New', ...at(60, 500) } })).status, 201)
})

test('with require_free every change of time is judged, and only these', async ({ service, call, key, desk }) => {
  const { calendar, guarded } = desk
  const careful = await guarded({ require_free: true })
  const path = `/v1/calendars/${calendar.id}/events`
  const at = (from: number, to: number) => ({ start_time: ahead(service, from), end_time: ahead(service, to) })
  await makeEvent(service, key, calendar.id, at(60, 90))
  const post = (body: object) => call('POST', path, { key: careful, body: { title: 'New', ...body } })
  assertRefused(await post(at(80, 100)), 409, 'conflict', { code: 'not_free' })
  assertRefused(await post({ ...at(80, 100), require_free: false }), 409, 'conflict', { code: 'not_free' })
  const made = await post(at(90, 100))
  assert.equal(made.status, 201)
  const patch = (body: object) => call('PATCH', `${path}/${made.body.id}`, { key: careful, body })
  assertRefused(await patch({ start_time: ahead(service, 85) }), 409, 'conflict', { code: 'not_free' })
  await makeEvent(service, key, calendar.id, at(90, 100))
  assert.equal((await patch({ title: 'Same time' })).status, 200)
  const hold = await makeHold(service, key, calendar.id, at(91, 95))
  assertRefused(await call('PUT', `/v1/events/${hold.id}/confirm`, { key: careful }), 409, 'conflict', {
    code: 'not_free',
  })
})
