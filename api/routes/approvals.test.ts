// Requests that a person approves: nothing happens before the decision, and once after it.
import assert from 'node:assert/strict'
import { dayMs, minuteMs } from '../../src/shapes/durations.ts'
import { openApprovalDesk } from '../../src/testing/approvals.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'
import { type Asked, mutationsOf } from '../../src/testing/mutations.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'
import { upkeepHandlers } from '../../workers/upkeep.ts'
import { routes } from '../routes.ts'

const test = serviceTest({ plan: 'pro' }).extend('desk', ({ service, key }) => openApprovalDesk(service, key))

test('a request waits, nothing has changed, and approving runs it once as the key that asked', async ({
  service,
  call,
  key,
  desk,
}) => {
  const { agent, calendar, path, body, guarded, titles, decide } = desk
  const agentKey = await guarded({ on: ['event.create'] })
  const asked = await call('POST', path, { key: agentKey, body: body('Planning') })
  assert.equal(asked.status, 202, JSON.stringify(asked.body))
  const { approval } = asked.body
  assert.deepEqual(Object.keys(approval), ['id', 'status', 'summary', 'expires_at', 'url'])
  assert.match(approval.id, /^apr_/)
  assert.equal(approval.url, `${service.baseUrl}/approve/${approval.id}`)
  assert.deepEqual([approval.status, approval.expires_at], ['pending', ahead(service, 1440)])
  assert.match(
    approval.summary,
    /^Create “Planning” on “Work”: \w+ \d+ \w+ 2026, \d\d:\d\d–\d\d:\d\d \(Europe\/Berlin, /,
  )
  assert.deepEqual(await titles(), [])

  const shown = await call('GET', `/v1/approvals/${approval.id}`, { key: agentKey })
  const times = body('Planning')
  assert.deepEqual(shown.body, {
    ...{ id: approval.id, status: 'pending', summary: approval.summary, action: 'event.create' },
    ...{ agent_id: agent.id, calendar_id: calendar.id, key_prefix: shown.body.key_prefix, approver: 'session' },
    changes: Object.entries(times).map(([field, after]) => ({ field, before: null, after })),
    ...{
      created_at: ahead(service, 0),
      expires_at: ahead(service, 1440),
      decided_at: null,
      reason: null,
      result: null,
    },
    url: approval.url,
  })
  assert.ok(agentKey.startsWith(shown.body.key_prefix))

  assertRefused(await decide(approval.id, 'approve', agentKey), 403, 'forbidden')
  assertRefused(await decide(approval.id, 'reject', agentKey), 403, 'forbidden')
  assertRefused(await decide(approval.id, 'approve', key, { reason: '' }), 400, 'validation_error', { param: 'reason' })
  const decided = await decide(approval.id, 'approve', key, { reason: 'Fine' })
  assert.equal(decided.status, 200, JSON.stringify(decided.body))
  assert.deepEqual([decided.body.status, decided.body.reason, decided.body.result.status], ['approved', 'Fine', 201])
  const { body: event } = await call('GET', `/v1/events/${decided.body.result.body.id}`, { key })
  const { external_sync: _, ...record } = decided.body.result.body
  assert.deepEqual(record, event)
  assert.deepEqual(await titles(), ['Planning'])
  assert.deepEqual((await call('GET', `/v1/approvals/${approval.id}`, { key: agentKey })).body, decided.body)
  for (const again of ['approve', 'reject'] as const)
    assertRefused(await decide(approval.id, again), 409, 'conflict', { code: 'approval_decided' })

  const { body: feed } = await call(
    'GET',
    '/v1/changes?cursor=oldest&types=event.created,approval.requested,approval.decided',
    { key: agentKey },
  )
  const heads = feed.data.map((entry: Record<string, unknown>) => [entry.type, entry.cause, entry.calendar_id])
  assert.deepEqual(heads[0], ['approval.requested', 'api', calendar.id])
  assert.deepEqual(heads.slice(1).sort(), [
    ['approval.decided', 'approval', calendar.id],
    ['event.created', 'approval', calendar.id],
  ])
  const entry = (type: string) => feed.data.find((one: { type: string }) => one.type === type)
  assert.deepEqual(entry('event.created').actor, { agent_id: agent.id, key_prefix: shown.body.key_prefix })
  assert.deepEqual(entry('approval.decided').resource, { type: 'approval', id: approval.id })
  assert.equal(entry('approval.decided').payload.approval.status, 'approved')
  const { body: log } = await call('GET', '/v1/audit-log', { key })
  const actions = log.data.map(({ action, actor_key_prefix }: Record<string, string>) => [action, actor_key_prefix])
  for (const [action, prefix] of [
    ['approval.request', shown.body.key_prefix],
    ['approval.decide', key.slice(0, shown.body.key_prefix.length)],
    ['event.create', shown.body.key_prefix],
  ]) {
    assert.ok(
      actions.some(([one, by]: string[]) => one === action && by === prefix),
      `${action} ${prefix} ${JSON.stringify(log.data.slice(0, 4))}`,
    )
  }
})

test('a rejected request never happens, and the agent reads the reason', async ({ call, key, desk }) => {
  const { path, body, guarded, ask, decide, read, titles } = desk
  const agentKey = await guarded()
  const { id } = await ask(agentKey, 'POST', path, body())
  const rejected = await decide(id, 'reject', key, { reason: 'Not this week' })
  assert.deepEqual([rejected.status, rejected.body.status, rejected.body.result], [200, 'rejected', null])
  assert.equal((await read(id, agentKey)).reason, 'Not this week')
  assert.deepEqual(await titles(), [])
  assertRefused(await decide(id, 'approve'), 409, 'conflict', { code: 'approval_decided' })
  assert.equal((await call('GET', '/v1/approvals?status=rejected', { key: agentKey })).body.total, 1)
  assertRefused(await call('GET', '/v1/approvals?status=maybe', { key }), 400, 'validation_error', { param: 'status' })
})

test('invalid, forbidden and missing things are refused at once, conflicts when it happens', async ({
  service,
  call,
  key,
  desk,
}) => {
  const { calendar, path, body, guarded, decide } = desk
  const agentKey = await guarded({ on: 'all' }, { max_minutes: 5 })
  const post = (sent: object) => call('POST', path, { key: agentKey, body: sent })
  assertRefused(await post({ ...body(), title: '' }), 400, 'validation_error', { param: 'title' })
  assertRefused(await post({ ...body(), end_time: ahead(service, 90) }), 403, 'forbidden', {
    code: 'guardrail',
    guardrail: 'max_minutes',
  })
  const patch = (id: string, headers = {}) =>
    call('PATCH', `/v1/events/${id}`, { key: agentKey, body: { title: 'Other' }, headers })
  assertRefused(await patch('evt_01k9xr8m3fe8tbc4x9m2v7h5qd'), 404, 'not_found', { code: 'event_not_found' })
  const other = await makeAgent(service, key)
  const theirs = await makeCalendar(service, key, other.id)
  assertRefused(await patch((await makeEvent(service, key, theirs.id)).id), 403, 'forbidden')
  const event = await makeEvent(service, key, calendar.id)
  assert.equal((await patch(event.id, { 'If-Match': '"no"' })).status, 412)

  const taken = await post({ ...body(), require_free: true })
  assert.equal(taken.status, 202)
  const failed = await decide(taken.body.approval.id, 'approve')
  assert.equal(failed.status, 200)
  const { status, body: refusal } = failed.body.result
  assert.deepEqual([failed.body.status, status, refusal.error.code], ['failed', 409, 'not_free'])
  assert.ok(refusal.error.alternatives.length > 0, 'a conflict comes with other times')

  const tagged = await call('GET', `/v1/events/${event.id}`, { key: agentKey })
  const matched = await patch(event.id, { 'If-Match': tagged.headers.get('etag')! })
  assert.equal(matched.status, 202)
  await call('PATCH', `/v1/events/${event.id}`, { key, body: { title: 'Meanwhile' } })
  const late = await decide(matched.body.approval.id, 'approve')
  assert.deepEqual([late.body.status, late.body.result.status], ['failed', 412])
})

test('a dry run of a request that would wait shows its 202, and stores nothing', async ({ call, key, desk }) => {
  const { path, body, guarded, ask, decide, titles } = desk
  const agentKey = await guarded()
  const dry = await call('POST', `${path}?dry_run=true`, { key: agentKey, body: body('Dry') })
  assert.deepEqual([dry.status, dry.body.status, dry.body.body.approval.id, dry.body.spends], [200, 202, null, {}])
  assert.deepEqual(dry.body.effects, [{ type: 'approval.requested', resource: { type: 'approval', id: null } }])
  assert.equal((await call('GET', '/v1/approvals', { key: agentKey })).body.total, 0)

  const { id } = await ask(agentKey, 'POST', path, body())
  const approving = await call('POST', `/v1/approvals/${id}/approve?dry_run=true`, { key, body: {} })
  assert.deepEqual(
    [approving.status, approving.body.body.status, approving.body.spends],
    [200, 'approved', { events: 1 }],
  )
  assert.deepEqual(approving.body.effects.map(({ type }: { type: string }) => type).sort(), [
    'approval.decided',
    'event.created',
  ])
  const rejecting = await call('POST', `/v1/approvals/${id}/reject?dry_run=true`, { key, body: {} })
  assert.deepEqual([rejecting.status, rejecting.body.body.status], [200, 'rejected'])
  assert.deepEqual(await titles(), [])
  assert.equal((await decide(id, 'approve')).body.status, 'approved')
})

test('each action of the guardrail is held back, and nothing else', async ({ service, call, key, desk }) => {
  const { calendar, path, body, guarded } = desk
  const event = await makeEvent(service, key, calendar.id)
  const series = await makeEvent(service, key, calendar.id, { recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  const hold = await makeHold(service, key, calendar.id, {
    start_time: ahead(service, 500),
    end_time: ahead(service, 501),
  })
  const held = { ...body('Held', 700), status: 'hold', hold_expires_at: ahead(service, 5) }
  const { status: _, ...group } = { ...held, requirements: [{ calendar_ids: [calendar.id] }] }
  const startOf = (nth: number) => new Date(Date.parse(series.startTime) + nth * 86_400_000).toISOString()
  const second = `occurrence_start=${startOf(1)}`
  await call('DELETE', `/v1/events/${series.id}?occurrence_start=${startOf(2)}`, { key })
  const trashed = await makeEvent(service, key, calendar.id)
  await call('DELETE', `/v1/events/${trashed.id}`, { key })
  const requests: [method: string, path: string, body: object | undefined, actions: string[]][] = [
    ['POST', path, body('Event', 800), ['event.create']],
    ['POST', path, held, ['hold.create']],
    ['POST', '/v1/hold-groups', group, ['hold.create']],
    [
      'POST',
      '/v1/hold-groups',
      { ...group, confirm: true, hold_expires_at: undefined },
      ['event.create', 'hold.create', 'hold.confirm'],
    ],
    ['PUT', `/v1/events/${hold.id}/confirm`, undefined, ['hold.confirm']],
    ['PATCH', `/v1/events/${event.id}`, { title: 'Other' }, ['event.update']],
    ['PATCH', `${path}/${event.id}`, { status: 'cancelled' }, ['event.update', 'event.delete']],
    ['DELETE', `/v1/events/${series.id}?${second}`, undefined, ['event.update']],
    ['DELETE', `/v1/events/${series.id}?${second}&scope=following`, undefined, ['event.update']],
    ['DELETE', `${path}/${event.id}`, undefined, ['event.delete']],
    ['POST', `/v1/events/${trashed.id}/restore`, {}, ['event.create']],
    ['POST', `/v1/events/${series.id}/restore`, { occurrence_start: startOf(2) }, ['event.update']],
    ['PATCH', `/v1/calendars/${calendar.id}`, { name: 'Other' }, ['calendar.update']],
    ['DELETE', `/v1/calendars/${calendar.id}`, undefined, ['calendar.delete']],
    ['PUT', `/v1/events/${hold.id}/release`, undefined, []],
    ['PUT', `/v1/calendars/${calendar.id}/availability-rules`, {}, []],
  ]
  const actions = [
    'event.create',
    'event.update',
    'event.delete',
    'hold.create',
    'hold.confirm',
    'calendar.update',
    'calendar.delete',
  ]
  for (const action of [...actions, 'all']) {
    const agentKey = await guarded({ on: action === 'all' ? 'all' : [action] })
    for (const [method, at, sent, heldBackBy] of requests) {
      const [where, query] = at.split('?')
      const dry = `${where}?${[query, 'dry_run=true'].filter(Boolean).join('&')}`
      const answer = await call(method, dry, { key: agentKey, ...(sent && { body: sent }) })
      assert.equal(answer.status, 200, `${method} ${at}: ${JSON.stringify(answer.body)}`)
      const isHeldBack = answer.body.effects.some(({ type }: { type: string }) => type === 'approval.requested')
      assert.equal(isHeldBack, action === 'all' || heldBackBy.includes(action), `${action}: ${method} ${at}`)
    }
  }
})

test('with `all` every change of an agent key waits, and happens when it is approved', async ({ service }) => {
  const mutations = await mutationsOf(service)
  const { key, path } = mutations.createAgentCalendar!
  const agentId = path.split('/')[3]!
  const agentKey = await makeAgentKey(service, key, agentId, { approval: { on: 'all' } })
  // A person reads the terms and verifies the agent.
  const others = ['acceptTermsWithKey', 'verifyAgent']
  const happened: string[] = []
  for (const { operationId, method, access, success } of routes) {
    const asked = mutations[operationId] as Asked | undefined
    if (access !== 'key' || method === 'get' || !asked || others.includes(operationId)) continue
    const sent = { key: agentKey, ...(asked.body && { body: asked.body }) }
    const answer = await service.call(asked.method, asked.path, sent)
    // It belongs to another agent, or to the organization.
    if (answer.status === 403) continue
    assert.deepEqual([answer.status, answer.body.approval?.status], [202, 'pending'], operationId)
    const { id } = answer.body.approval
    const { body } = await service.call('POST', `/v1/approvals/${id}/approve`, { key, body: {} })
    assert.deepEqual(
      [body.status, body.result?.status],
      ['approved', success.status],
      `${operationId} ${JSON.stringify(body)}`,
    )
    happened.push(operationId)
  }
  for (const name of ['createEvent', 'updateEvent', 'deleteEventById', 'confirmHold', 'releaseHold', 'createHoldGroup'])
    assert.ok(happened.includes(name), name)
  assert.ok(happened.length >= 20, happened.join(' '))
})

test('an approved series, split, cancelled or changed occurrence is shown with its own time', async ({
  service,
  call,
  key,
  desk,
}) => {
  const { calendar, guarded, ask, decide } = desk
  const agentKey = await guarded()
  const series = await makeEvent(service, key, calendar.id, { title: 'Daily', recurrence_rule: 'FREQ=DAILY;COUNT=9' })
  const [, second, third, fourth] = Array.from({ length: 4 }, (_, nth) =>
    new Date(Date.parse(series.startTime) + nth * 86_400_000).toISOString(),
  )
  const at = (start: string, more = '') => `/v1/events/${series.id}?occurrence_start=${start}${more}`
  const changed = await ask(agentKey, 'PATCH', at(second!), { title: 'Once' })
  assert.match(changed.summary, /^Change one occurrence of “Daily” on “Work”: /)
  const split = await ask(agentKey, 'PATCH', at(fourth!, '&scope=following'), { title: 'Later' })
  assert.match(split.summary, /^Change this and all following occurrences of “Daily”/)
  const cancelled = await ask(agentKey, 'DELETE', at(third!))
  assert.match(cancelled.summary, /^Cancel one occurrence of “Daily”/)
  const summaries = [changed, split, cancelled].map(({ summary }) => summary.split(': ')[1])
  assert.equal(new Set(summaries).size, 3, summaries.join('\n'))
  for (const { id } of [changed, cancelled, split]) assert.equal((await decide(id, 'approve')).body.status, 'approved')
  const { body } = await call(
    'GET',
    `${desk.path}?expand=true&start_after=${series.startTime}&start_before=${ahead(service, 20_000)}`,
    { key },
  )
  assert.deepEqual(
    body.data.map(({ title }: { title: string }) => title),
    ['Daily', 'Once', ...Array(6).fill('Later')],
  )
})

test('approvals are shown on the wall clock of a zone on request', async ({ call, key, desk }) => {
  const { path, body, guarded, ask, decide } = desk
  const { id } = await ask(await guarded(), 'POST', path, body())
  await decide(id, 'approve')
  const one = await call('GET', `/v1/approvals/${id}?view=local`, { key })
  assert.equal(one.body.result.body.local.timezone, 'Europe/Berlin')
  const list = await call('GET', '/v1/approvals?view=local&tz=Asia/Tokyo', { key })
  assert.equal(list.body.data[0].result.body.local.timezone, 'Asia/Tokyo')
  assertRefused(await call('GET', '/v1/approvals?view=local', { key }), 400, 'validation_error', { param: 'tz' })
})

test('what was decided or has expired is kept for 30 days, and then the purge removes it', async ({
  service,
  call,
  key,
  desk,
}) => {
  const { path, body, guarded, ask, decide } = desk
  const asks = await guarded({ on: 'all', expires_in_minutes: 10_080 })
  const { purge } = upkeepHandlers(service.app)
  const rejected = await ask(asks, 'POST', path, body('Rejected'))
  await decide(rejected.id, 'reject')
  const expired = await ask(await guarded({ on: 'all', expires_in_minutes: 5 }), 'POST', path, body('Expired', 70))
  await service.clock.advance(5 * minuteMs)
  await service.drain()
  const ids = async (): Promise<string[]> =>
    (await call('GET', '/v1/approvals', { key: asks })).body.data.map(({ id }: { id: string }) => id)
  await service.clock.advance(30 * dayMs - 5 * minuteMs - 1)
  const waiting = await ask(asks, 'POST', path, body('Waiting', 100 + 30 * 1440))
  await purge({ hour: 1 })
  assert.deepEqual(await ids(), [waiting.id, expired.id, rejected.id])
  await service.clock.advance(1)
  await purge({ hour: 2 })
  assert.deepEqual(await ids(), [waiting.id, expired.id])
  await service.clock.advance(5 * minuteMs)
  await purge({ hour: 3 })
  assert.deepEqual(await ids(), [waiting.id])
  assertRefused(await call('GET', `/v1/approvals/${rejected.id}`, { key }), 404, 'not_found', {})
  assert.equal((await decide(waiting.id, 'approve')).status, 200)
})
