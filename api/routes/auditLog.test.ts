import assert from 'node:assert/strict'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
} from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const test = serviceTest()
  .extend(
    'log',
    perFile,
    ({ call }) =>
      (key: string, query = '') =>
        call('GET', `/v1/audit-log${query}`, { key }),
  )
  /** Newest first, as the log has them. */
  .extend('actions', perFile, ({ log }) => async (key: string, query = '') => {
    const { status, body } = await log(key, query)
    assert.equal(status, 200, JSON.stringify(body))
    // biome-ignore lint/suspicious/noExplicitAny: entries are looked into field by field
    return body.data.map((entry: any) => entry.action)
  })
  /** Entries of the past, written as the service itself would have. */
  .extend(
    'remember',
    perFile,
    ({ service }) =>
      async (orgId: string, entries: { at: Date; action?: string; prefix?: string }[]) => {
        const rows = entries.map(({ at, action = 'event.create', prefix = null }) => ({
          org_id: decodeId('org', orgId),
          id: newId(),
          action,
          actor_key_prefix: prefix,
          created_at: at,
        }))
        await service.app.sql`
    insert into audit_entries (org_id, id, action, actor_key_prefix, created_at)
    select org_id, id, action, actor_key_prefix, created_at from jsonb_to_recordset(${service.app.sql.json(rows as never)})
      as r (org_id uuid, id uuid, action text, actor_key_prefix text, created_at timestamptz)`
      },
  )
  .extend('everyPage', perFile, ({ log }) => async (key: string, query: string) => {
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { status, body } = await log(key, `?${query}${cursor && `&cursor=${cursor}`}`)
      assert.equal(status, 200, JSON.stringify(body))
      // biome-ignore lint/suspicious/noExplicitAny: entries are looked into field by field
      ids.push(...body.data.map((entry: any) => entry.id))
      cursor = body.pagination.next_cursor
    }
    return ids
  })

const day = 24 * 60 * 60 * 1000
test('an entry tells who did what, by which request, from where', async ({ service, call, log }) => {
  const { id: orgId, key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const made = await call('POST', `/v1/agents/${agent.id}/calendars`, {
    key: agentKey,
    body: { name: 'C', timezone: 'UTC' },
  })
  const { body } = await log(key)
  assert.deepEqual(Object.keys(body), ['data', 'pagination', 'retention_days', 'range_clamped'])
  assert.deepEqual([body.pagination, body.retention_days, body.range_clamped], [{ next_cursor: null }, 90, false])
  const { id, ip, duration_ms: durationMs, ...entry } = body.data[0]
  assert.match(id, /^aud_[0-9a-z]{26}$/)
  assert.match(ip, /127\.0\.0\.1$/)
  assert.equal(durationMs, 0)
  assert.deepEqual(entry, {
    action: 'calendar.create',
    actor_key_prefix: agentKey.slice(0, 20),
    agent_id: agent.id,
    resource: made.body.id,
    status: 201,
    method: 'POST',
    path: `/v1/agents/${agent.id}/calendars`,
    request_id: made.headers.get('x-request-id'),
    created_at: service.clock.now().toISOString(),
  })
  assert.equal(body.data[1].agent_id, null, orgId)
  assert.equal(body.data[1].actor_key_prefix, key.slice(0, 20))
})

test('every change has its entry, newest first', async ({ service, call, actions }) => {
  const { id, key } = await makeOrganization(service)
  const send = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, { key, body })
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const agent = await makeAgent(service, key)
  await send('PATCH', `/v1/agents/${agent.id}`, { name: 'B' })
  const calendar = await makeCalendar(service, key, agent.id)
  await send('PATCH', `/v1/calendars/${calendar.id}`, { name: 'B' })
  const events = `/v1/calendars/${calendar.id}/events`
  const event = await makeEvent(service, key, calendar.id)
  await send('PATCH', `${events}/${event.id}`, { title: 'B' })
  await send('DELETE', `${events}/${event.id}`)
  const series = await makeEvent(service, key, calendar.id, { recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  await send('DELETE', `${events}/${series.id}?occurrence_start=${series.startTime}`)
  await send('PUT', `/v1/events/${(await makeHold(service, key, calendar.id)).id}/confirm`)
  await send('PUT', `/v1/events/${(await makeHold(service, key, calendar.id, { hold_priority: 9 })).id}/release`)
  const webhook = await send('POST', '/v1/webhooks', { url: 'https://example.com/', events: ['agent.created'] })
  await send('PATCH', `/v1/webhooks/${webhook.id}`, { active: false })
  await send('DELETE', `/v1/webhooks/${webhook.id}`)
  const made = await send('POST', '/v1/keys', { agent_id: agent.id })
  await send('DELETE', `/v1/keys/${made.id}`)
  await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { plan: 'pro' } })
  await send('DELETE', `/v1/calendars/${calendar.id}`)
  await send('DELETE', `/v1/agents/${agent.id}`)
  assert.deepEqual((await actions(key, '?limit=200')).reverse(), [
    'agent.create',
    'agent.update',
    'calendar.create',
    'calendar.update',
    'event.create',
    'event.update',
    'event.delete',
    'event.create',
    'event.update',
    'event.create',
    'event.update',
    'event.create',
    'event.update',
    'webhook.create',
    'webhook.update',
    'webhook.delete',
    'key.create',
    'key.delete',
    'org.update',
    'calendar.delete',
    'agent.delete',
  ])
})

test('a change that did not happen has none', async ({ service, call, actions }) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  await call('POST', '/v1/agents', { key, body: {} })
  await call('POST', '/v1/keys', { key, body: {} })
  await call('DELETE', '/v1/calendars/x', { key })
  assert.deepEqual(await actions(key), [])
})

test('filters: action and key prefix are exact, from and to inclusive', async ({ service, actions, remember }) => {
  const { id, key } = await makeOrganization(service)
  const now = service.clock.now()
  const at = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  await remember(id, [
    { at: at(4), action: 'agent.create', prefix: 'svc_sk_aaaaaaaaaaaaa' },
    { at: at(3), action: 'agent.update', prefix: 'svc_sk_bbbbbbbbbbbbb' },
    { at: at(2), action: 'agent.create', prefix: 'svc_sk_bbbbbbbbbbbbb' },
    { at: at(1), action: 'auth.signin' },
  ])
  const all = ['auth.signin', 'agent.create', 'agent.update', 'agent.create']
  assert.deepEqual(await actions(key), all)
  assert.deepEqual(await actions(key, '?action=agent.create'), ['agent.create', 'agent.create'])
  for (const none of ['action=agent', 'action=no.such', 'action=', 'actor_key_prefix=svc_sk_b']) {
    assert.deepEqual(await actions(key, `?${none}`), [], none)
  }
  assert.deepEqual(await actions(key, '?actor_key_prefix=svc_sk_bbbbbbbbbbbbb'), ['agent.create', 'agent.update'])
  assert.deepEqual(await actions(key, '?actor_key_prefix=svc_sk_bbbbbbbbbbbbb&action=agent.update'), ['agent.update'])
  const range = (from: number, to: number) => `?from=${at(from).toISOString()}&to=${at(to).toISOString()}`
  assert.deepEqual(await actions(key, range(3, 2)), ['agent.create', 'agent.update'])
  assert.deepEqual(await actions(key, range(3, 3)), ['agent.update'])
  assert.deepEqual(await actions(key, range(2, 3)), [])
})

const wrong: [query: string, param: string, code?: string][] = [
  ['from=yesterday', 'from', 'invalid_time_format'],
  ['to=2026-01-01', 'to', 'invalid_time_format'],
  ['limit=0', 'limit'],
  ['limit=201', 'limit'],
  ['limit=x', 'limit'],
  ['cursor=', 'cursor'],
  ['cursor=nonsense', 'cursor'],
  ['cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'cursor'],
  ['cursor=_____________________________________w', 'cursor'],
  ['cursor=__________________________________8', 'cursor'],
  ['cursor=________________________________', 'cursor'],
]
for (const [query, param, code] of wrong) {
  test(`?${query} is refused`, async ({ service, log }) => {
    const { key } = await makeOrganization(service)
    assertRefused(await log(key, `?${query}`), 400, 'validation_error', { param, ...(code && { code }) })
  })
}

test('pages join without a gap or a repeat, at equal times and while entries arrive', async ({
  service,
  log,
  remember,
  everyPage,
}) => {
  const { id, key } = await makeOrganization(service)
  const now = service.clock.now().getTime()
  // Three moments, 40 entries each, with equal times within a moment.
  await remember(
    id,
    Array.from({ length: 120 }, (_, n) => ({ at: new Date(now - 1_000 * (n % 3)), prefix: 'svc_sk_bbbbbbbbbbbbb' })),
  )
  const expected = (await log(key, '?limit=200')).body.data.map((entry: { id: string }) => entry.id)
  assert.equal(new Set(expected).size, 120)
  assert.deepEqual(await everyPage(key, 'limit=7'), expected)
  for (const filter of ['action=event.create', 'actor_key_prefix=svc_sk_bbbbbbbbbbbbb']) {
    assert.deepEqual(await everyPage(key, `limit=50&${filter}`), expected, filter)
  }
  const first = await log(key, '?limit=60')
  await service.clock.advance(1_000)
  await makeAgent(service, key)
  const rest = await log(key, `?limit=60&cursor=${first.body.pagination.next_cursor}`)
  const ids = [...first.body.data, ...rest.body.data].map((entry: { id: string }) => entry.id)
  assert.deepEqual(ids, expected)
  assert.equal(rest.body.pagination.next_cursor, null)
})

test('the last page says so, also when it is full', async ({ service, log, remember }) => {
  const { id, key } = await makeOrganization(service)
  await remember(id, [{ at: service.clock.now() }, { at: service.clock.now() }])
  const { body } = await log(key, '?limit=1')
  assert.equal(typeof body.pagination.next_cursor, 'string')
  const last = await log(key, `?limit=1&cursor=${body.pagination.next_cursor}`)
  assert.deepEqual([last.body.data.length, last.body.pagination.next_cursor], [1, null])
})

const plans: [options: Parameters<typeof makeOrganization>[1], days: number | null][] = [
  [{ plan: 'free' }, 3],
  [{ plan: 'pro' }, 90],
  [{ plan: 'custom' }, null],
  [{ plan: 'custom', limits: { audit_retention_days: 400 } }, 400],
]
for (const [options, days] of plans) {
  test(`${JSON.stringify(options)} keeps ${days ?? 'any number of'} days, and says when it clamps`, async ({
    service,
    log,
    remember,
  }) => {
    const { id, key } = await makeOrganization(service, options)
    const now = service.clock.now().getTime()
    const edge = now - (days ?? 4_000) * day
    await remember(id, [{ at: new Date(edge), action: 'agent.create' }, { at: new Date(edge - 1) }])
    const from = (ms: number) => log(key, `?from=${new Date(ms).toISOString()}`)
    const [exact, beyond, unasked] = [await from(edge), await from(edge - 1), await log(key)]
    assert.deepEqual([exact.body.retention_days, exact.body.range_clamped, exact.body.data.length], [days, false, 1])
    assert.deepEqual([beyond.body.range_clamped, beyond.body.data.length], days === null ? [false, 2] : [true, 1])
    assert.deepEqual([unasked.body.range_clamped, unasked.body.data.length], [false, days === null ? 2 : 1])
  })
}

test("another organization's entries are never seen, not even by its cursor", async ({ service, log }) => {
  const [one, other] = [await makeOrganization(service), await makeOrganization(service)]
  for (let n = 0; n < 3; n++) await makeAgent(service, one.key)
  const { body } = await log(one.key, '?limit=1')
  assert.deepEqual((await log(other.key, `?cursor=${body.pagination.next_cursor}`)).body.data, [])
  assert.deepEqual((await log(other.key, `?actor_key_prefix=${one.key.slice(0, 20)}`)).body.data, [])
})

test('an agent key may not read it', async ({ service, log }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  assertRefused(await log(await makeAgentKey(service, key, agent.id)), 403, 'forbidden')
})

test('a key that fails is told to whom its prefix belongs to: wrong, malformed or revoked', async ({
  service,
  call,
  log,
}) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const made = await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })
  await call('DELETE', `/v1/keys/${made.body.id}`, { key })
  const wrongKey = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
  const refused = await call('GET', '/v1/agents?limit=5', { key: wrongKey })
  assertRefused(refused, 401, 'authentication_error')
  await call('POST', '/v1/agents', { key: `${key}!`, body: {} })
  await call('GET', '/v1/calendars', { key: made.body.key })
  for (const unknown of ['svc_sk_nobodyhasthiskeyofall', 'nonsense', key.slice(0, 19)]) {
    assertRefused(await call('GET', '/v1/agents', { key: unknown }), 401, 'authentication_error')
  }
  await service.gate.flush()
  const { body } = await log(key, '?action=auth.failure')
  assert.equal(body.data.length, 3)
  const [revoked, malformed, wrongOne] = body.data
  const { id, ip, duration_ms: durationMs, ...entry } = wrongOne
  assert.match(id, /^aud_/)
  assert.match(ip, /127\.0\.0\.1$/)
  assert.ok(durationMs >= 0)
  assert.deepEqual(entry, {
    action: 'auth.failure',
    actor_key_prefix: key.slice(0, 20),
    agent_id: null,
    resource: null,
    status: 401,
    method: 'GET',
    path: '/v1/agents',
    request_id: refused.headers.get('x-request-id'),
    created_at: service.clock.now().toISOString(),
  })
  assert.deepEqual([malformed.method, malformed.path], ['POST', '/v1/agents'])
  assert.deepEqual([revoked.actor_key_prefix, revoked.agent_id], [made.body.key_prefix, agent.id])
})

test('a throttled request is told as well', async ({ service, call, log }) => {
  const { key } = await makeOrganization(service, { rate: 2 })
  const answers = await Promise.all([1, 2, 3].map(() => call('GET', '/v1/calendars', { key })))
  const refused = answers.find(({ status }) => status === 429)!
  await service.gate.flush()
  await service.clock.advance(1_000)
  const { body } = await log(key)
  assert.equal(body.data.length, 1)
  const { id, ip, duration_ms: durationMs, ...entry } = body.data[0]
  assert.deepEqual(entry, {
    action: 'rate_limit.exceeded',
    actor_key_prefix: key.slice(0, 20),
    agent_id: null,
    resource: null,
    status: 429,
    method: 'GET',
    path: '/v1/calendars',
    request_id: refused.headers.get('x-request-id'),
    created_at: new Date(service.clock.now().getTime() - 1_000).toISOString(),
  })
})

test('nobody has to flush: it stands in the log moments later', async ({ service, call, actions }) => {
  const { key } = await makeOrganization(service)
  await call('GET', '/v1/agents', { key: `${key}x` })
  const until = Date.now() + 5_000
  while ((await actions(key)).length === 0 && Date.now() < until);
  assert.deepEqual(await actions(key), ['auth.failure'])
})

test('of a flood a few are kept, and it takes no place from another organization', async ({
  service,
  call,
  actions,
}) => {
  const [one, other] = [await makeOrganization(service), await makeOrganization(service)]
  await service.clock.advance(10_000)
  for (let round = 0; round < 4; round++) {
    await Promise.all(Array.from({ length: 50 }, (_, n) => call('GET', `/v1/agents/${n}`, { key: `${one.key}x` })))
  }
  await call('GET', '/v1/agents', { key: `${other.key}x` })
  await service.gate.flush()
  assert.equal((await actions(one.key, '?limit=200')).length, 20)
  assert.equal((await actions(other.key)).length, 1)
  await service.clock.advance(10_000)
  await call('GET', '/v1/agents', { key: `${one.key}x` })
  await service.gate.flush()
  assert.equal((await actions(one.key, '?limit=200')).length, 21)
})

test('hours of failures fill no audit log: of each key two hundred an hour are kept', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { plan: 'pro' })
  const burst = async () => {
    await service.clock.advance(10_000)
    await Promise.all(Array.from({ length: 25 }, (_, n) => call('GET', `/v1/agents/${n}`, { key: `${key}x` })))
    await service.gate.flush()
  }
  for (let n = 0; n < 12; n++) await burst()
  const kept = async () => {
    const first = await call('GET', '/v1/audit-log?action=auth.failure&limit=200', { key })
    const { next_cursor } = first.body.pagination
    if (!next_cursor) return first.body.data.length
    const rest = await call('GET', `/v1/audit-log?action=auth.failure&limit=200&cursor=${next_cursor}`, { key })
    return first.body.data.length + rest.body.data.length
  }
  assert.equal(await kept(), 200)
  await service.clock.advance(60 * 60_000)
  await burst()
  assert.equal(await kept(), 220)
})

test('an event in the past of a changed plan shows again when the plan keeps it', async ({
  service,
  call,
  actions,
  remember,
}) => {
  const { id, key } = await makeOrganization(service, { plan: 'pro' })
  await remember(id, [{ at: new Date(service.clock.now().getTime() - 10 * day) }])
  const asFree = async (plan: string) => {
    await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { plan } })
    return (await actions(key, `?to=${ahead(service, -60)}`)).length
  }
  assert.deepEqual([await asFree('free'), await asFree('pro')], [0, 1])
})
