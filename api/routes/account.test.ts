import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, test } from 'vitest'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { adminToken, openTestService, type TestService } from '../../src/testing/harness.ts'
import { openProcess, type TestProcess } from '../../src/testing/process.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { upkeepHandlers } from '../../workers/upkeep.ts'

let service: TestService
let elsewhere: TestProcess
let receiver: Receiver
let call: TestService['call']

beforeAll(async () => {
  service = await openTestService()
  elsewhere = await openProcess(service)
  receiver = await openReceiver()
  call = service.call
})
afterAll(async () => {
  await receiver.close()
  await elsewhere.close()
  await service.close()
})

type Owner = { id: string; email: string; token: string; key: string }
let owners = 0

/** Somebody who signed up, with a pro organization and its key. */
async function makeOwner(): Promise<Owner> {
  const email = `owner${++owners}@example.com`
  const terms = await call('GET', '/v1/auth/terms/current')
  const body = { email, password: 'a long enough password', tos_version: terms.body.version }
  const signed = await call('POST', '/v1/auth/signup', { body })
  assert.equal(signed.status, 201, JSON.stringify(signed.body))
  const { org, token } = signed.body
  const changes = { plan: 'pro', rate_limit_per_second: 100_000 }
  assert.equal((await call('PATCH', `/v1/admin/orgs/${org.id}`, { key: adminToken, body: changes })).status, 200)
  const made = await call('POST', '/v1/auth/keys', { key: token })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return { id: org.id, email, token, key: made.body.key }
}

const exported = (token: string) => call('GET', '/v1/auth/export', { key: token })
const erase = (token: string) => call('DELETE', '/v1/auth/account', { key: token })

const topLevel = [
  'exported_at',
  'format_version',
  'org',
  'agents',
  'calendars',
  'events',
  'availability_rules',
  'ical_subscriptions',
  'webhook_subscriptions',
  'api_keys',
  'scheduling_proposals',
  'proposal_slots',
  'proposal_responses',
  'usage_records',
  'quota_counters',
  'tos_acceptances',
  'account_claims_initiated',
]

test('an export of next to nothing has every key, in order, and is a file', async () => {
  const { id, email, token } = await makeOwner()
  const { status, headers, body } = await exported(token)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/json')
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+\.json"$/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(Object.keys(body), topLevel)
  assert.deepEqual([body.format_version, body.exported_at], ['1', service.clock.now().toISOString()])
  assert.deepEqual([body.org.id, body.org.email, body.org.plan], [id, email, 'pro'])
  assert.deepEqual([body.agents, body.events, body.account_claims_initiated], [[], [], []])
  assert.equal(body.tos_acceptances.length, 1)
  assert.equal(body.tos_acceptances[0].source, 'console')
})

test('an export tells when a key died: it was revoked, or its agent decommissioned', async () => {
  const { token, key } = await makeOwner()
  const agent = await makeAgent(service, key)
  const revoked = (await call('POST', '/v1/keys', { key, body: { agent_id: agent.id } })).body
  await makeAgentKey(service, key, agent.id)
  await call('DELETE', `/v1/keys/${revoked.id}`, { key })
  const revokedAt = service.clock.now().toISOString()
  await service.clock.advance(1_000)
  await call('DELETE', `/v1/agents/${agent.id}`, { key })
  assert.deepEqual(
    (await exported(token)).body.api_keys.map((one: { revoked_at: string | null }) => one.revoked_at),
    [null, revokedAt, service.clock.now().toISOString()],
  )
})

test('an export has everything in plain text, and none of what is secret beyond that', async () => {
  const { id, token, key } = await makeOwner()
  const [agent, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const calendar = await makeCalendar(service, key, agent.id)
  const event = await makeEvent(service, key, calendar.id, {
    title: 'Läuft "gut"',
    description: 'Line\n2',
    metadata: { a: [1] },
  })
  const gone = await makeEvent(service, key, calendar.id, { title: 'Gone' })
  await call('DELETE', `/v1/calendars/${calendar.id}/events/${gone.id}`, { key })
  const rules = await call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, {
    key,
    body: { buffer_before_minutes: 5 },
  })
  const webhook = await makeWebhook(service, key, receiver.url, ['agent.created'])
  const feed = await call('POST', `/v1/agents/${agent.id}/ical-subscriptions`, {
    key,
    body: { calendar_id: calendar.id, url: 'https://feeds.example.com/secret-path.ics', label: 'Feed' },
  })
  assert.equal(feed.status, 201, JSON.stringify(feed.body))
  const agentKey = await makeAgentKey(service, key, agent.id)
  const proposal = await makeProposal(service, key, {
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id, other.id],
    calendar_id: calendar.id,
    title: 'Meet',
  })
  const full = (await call('GET', `/v1/scheduling/proposals/${proposal.id}`, { key })).body
  const responded = await call('POST', `/v1/scheduling/proposals/${proposal.id}/respond`, {
    key,
    body: { agent_id: agent.id, response: 'accept', selected_slot_id: full.slots[0].id },
  })
  await call('POST', `/v1/scheduling/proposals/${proposal.id}/resolve`, { key })
  const resolved = (await call('GET', `/v1/scheduling/proposals/${proposal.id}`, { key })).body
  await service.gate.flush()

  const { body } = await exported(token)
  assert.deepEqual(body.agents, [agent, other])
  assert.deepEqual(body.calendars, [{ ...calendar, ical_token: /ical\/(.+)\.ics$/.exec(calendar.ical_url)![1] }])
  const [first, second, third] = body.events
  assert.deepEqual(first, event)
  assert.deepEqual([second.title, second.deletedAt], ['Gone', service.clock.now().toISOString()])
  assert.equal(third.id, resolved.created_event_id)
  assert.deepEqual(body.availability_rules, [rules.body])
  assert.deepEqual(body.ical_subscriptions, [feed.body])
  assert.deepEqual(body.webhook_subscriptions, [webhook])
  assert.match(body.webhook_subscriptions[0].secret, /^whsec_/)
  const madeAt = service.clock.now().toISOString()
  const [own, scoped] = body.api_keys
  assert.deepEqual([own.key_prefix, own.agent_id, own.revoked_at], [key.slice(0, 20), null, null])
  assert.deepEqual(
    { ...scoped, id: null },
    {
      id: null,
      key_prefix: agentKey.slice(0, 20),
      agent_id: agent.id,
      label: null,
      created_at: madeAt,
      revoked_at: null,
    },
  )
  const { slots, responses, ...summary } = resolved
  assert.deepEqual(body.scheduling_proposals, [summary])
  const byId = (one: { id: string }, two: { id: string }) => (one.id < two.id ? -1 : 1)
  assert.deepEqual(
    body.proposal_slots.toSorted(byId),
    slots.map((slot: object) => ({ proposal_id: proposal.id, ...slot })).toSorted(byId),
  )
  assert.deepEqual(body.proposal_responses, [{ proposal_id: proposal.id, ...responded.body }])
  assert.deepEqual(responses, [responded.body])
  const calls = body.usage_records.find((record: { metric: string }) => record.metric === 'api_calls')
  assert.ok(calls.used > 0)
  const events = body.quota_counters.find((counter: { metric: string }) => counter.metric === 'events')
  assert.deepEqual([events.used, events.limit], [3, 125_000])

  const text = JSON.stringify(body)
  for (const secret of [
    key,
    agentKey,
    'a long enough password',
    'sealed',
    '"hash"',
    'revision',
    'generation',
    'argon2',
  ]) {
    assert.ok(!text.includes(secret), secret)
  }
  const orgIds = text.match(/org_[0-9a-z]{26}/g) ?? []
  assert.deepEqual([...new Set(orgIds)], [id])
})

test('an export reads page after page, and misses nothing', async () => {
  const { id, token, key } = await makeOwner()
  const calendar = await makeCalendar(service, key)
  const template = await makeEvent(service, key, calendar.id)
  const { sql, sealer } = service.app
  const ids = Array.from({ length: 1_234 }, () => newId())
  const rows = ids.map((one) => ({ id: one, title: sealer.seal(`events.title:${one}`, one).toString('hex') }))
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
    select ${decodeId('org', id)!}, r.id, ${decodeId('cal', calendar.id)!}, decode(r.title, 'hex'), now(), now() + interval '1 h',
      'confirmed', '{}', now(), now()
    from jsonb_to_recordset(${sql.json(rows)}) as r (id uuid, title text)`
  const { body } = await exported(token)
  assert.equal(body.events.length, 1_235)
  assert.equal(body.events[0].id, template.id)
  assert.deepEqual(
    body.events.slice(1).map((event: { title: string }) => event.title),
    ids,
  )
})

test('an export that fails in the middle breaks the connection', async () => {
  const { id, token, key } = await makeOwner()
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id)
  await service.app.sql`
    update events set title_sealed = set_byte(title_sealed, length(title_sealed) - 1,
      255 - get_byte(title_sealed, length(title_sealed) - 1))
    where org_id = ${decodeId('org', id)!}`
  const asked = httpRequest(`${service.baseUrl}/v1/auth/export`, { headers: { authorization: `Bearer ${token}` } })
  asked.end()
  const [response] = await once(asked, 'response')
  assert.equal(response.statusCode, 200)
  await assert.rejects(response.toArray(), /aborted/)
})

test('ten exports an hour and organization', async () => {
  const [one, other] = [await makeOwner(), await makeOwner()]
  await service.clock.advance(60_000)
  const answers = await Promise.all(Array.from({ length: 15 }, () => exported(one.token)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 10)
  const refused = answers.find(({ status }) => status === 429)!
  assertRefused(refused, 429, 'rate_limited')
  assert.equal(refused.headers.get('retry-after'), '3600')
  assert.equal((await exported(other.token)).status, 200)
  await service.clock.advance(3_599_000)
  assert.equal((await exported(one.token)).headers.get('retry-after'), '1')
  await service.clock.advance(1_000)
  assert.equal((await exported(one.token)).status, 200)
  await service.gate.flush()
  const { body } = await call('GET', '/v1/audit-log?action=rate_limit.exceeded', { key: one.key })
  assert.equal(body.data[0].path, '/v1/auth/export')
})

for (const [method, path] of [
  ['GET', '/v1/auth/export'],
  ['DELETE', '/v1/auth/account'],
] as const) {
  test(`${method} ${path} needs a session: API keys, the administrator and nobody get 401`, async () => {
    const { key, token } = await makeOwner()
    const agent = await makeAgent(service, key)
    const agentKey = await makeAgentKey(service, key, agent.id)
    const tampered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    for (const given of [undefined, key, agentKey, adminToken, tampered, 'x']) {
      assertRefused(await call(method, path, { key: given }), 401, 'authentication_error')
    }
    assert.equal((await call('GET', '/v1/agents', { key })).status, 200)
  })
}

const rowsOf = async (orgId: string) => {
  const tables = [
    ...['agents', 'api_keys', 'calendars', 'events', 'timers', 'webhook_subscriptions', 'webhook_deliveries'],
    ...['availability_rules', 'proposals', 'proposal_slots', 'proposal_responses', 'usage_counters', 'audit_entries'],
    ...['ical_subscriptions', 'booking_pages', 'accounts', 'sessions', 'terms_acceptances', 'erasures'],
  ]
  const { sql } = service.app
  const left: string[] = []
  for (const table of tables) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from ${sql(table)} where org_id = ${decodeId('org', orgId)!}`
    if (row!.count > 0) left.push(table)
  }
  return left
}

test('a deleted account: nobody gets at anything from the answer on, on every process, and nothing is left', async () => {
  const { id, email, token, key } = await makeOwner()
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const calendar = await makeCalendar(service, key, agent.id)
  await makeEvent(service, key, calendar.id, { recurrence_rule: 'FREQ=DAILY' })
  await makeHold(service, key, calendar.id)
  await makeWebhook(service, key, receiver.url, ['agent.created', 'event.started'])
  await call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, { key, body: {} })
  await makeProposal(service, key, {
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id],
    calendar_id: calendar.id,
    expires_at: ahead(service, 5),
  })
  const page = await call('POST', '/v1/booking-pages', { key, body: { calendar_id: calendar.id, title: 'B' } })
  await call('POST', `/v1/agents/${agent.id}/ical-subscriptions`, {
    key,
    body: { calendar_id: calendar.id, url: 'https://feeds.example.com/a.ics' },
  })
  await service.gate.flush()
  const feed = new URL(calendar.ical_url).pathname
  assert.equal((await call('GET', feed)).status, 200)
  assert.equal((await call('GET', `/book/${page.body.slug}/slots`)).status, 200)
  for (const by of [call, elsewhere.call]) assert.equal((await by('GET', '/v1/agents', { key })).status, 200)

  const answer = await erase(token)
  assert.equal(answer.status, 204)
  assert.equal(answer.body, '')
  assert.match(answer.headers.get('set-cookie') ?? '', /^svc_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/)
  for (const by of [call, elsewhere.call]) {
    for (const dead of [key, agentKey]) {
      assertRefused(await by('GET', '/v1/agents', { key: dead }), 401, 'authentication_error')
    }
    for (const path of ['/v1/auth/me', '/v1/auth/export']) {
      assertRefused(await by('GET', path, { key: token }), 401, 'authentication_error')
    }
    assert.equal((await by('GET', feed)).status, 404)
    assert.equal((await by('GET', `/book/${page.body.slug}/slots`)).status, 404)
  }
  assertRefused(await erase(token), 401, 'authentication_error')
  const listed = await call('GET', `/v1/admin/orgs?email=${email}`, { key: adminToken })
  assert.equal(listed.body.total, 0)
  assertRefused(
    await call('POST', '/v1/auth/signin', { body: { email, password: 'a long enough password' } }),
    401,
    'authentication_error',
  )

  const before = receiver.received.length
  await service.clock.advance(10 * 60_000)
  await service.drain()
  assert.equal(receiver.received.length, before)
  await upkeepHandlers(service.app).erase({ orgId: decodeId('org', id)! })
  assert.deepEqual(await rowsOf(id), [])
  const [kept] = await service.app.sql<{ count: number }[]>`
    select count(*)::integer as count from terms_acceptances where org_id is null`
  assert.ok(kept!.count > 0)

  const again = await call('GET', '/v1/auth/terms/current')
  const body = { email, password: 'a long enough password', tos_version: again.body.version }
  assert.equal((await call('POST', '/v1/auth/signup', { body })).status, 201)
})

test('the cookie of a browser deletes the account as well', async () => {
  const { token, key } = await makeOwner()
  const answer = await call('DELETE', '/v1/auth/account', { headers: { cookie: `svc_session=${token}` } })
  assert.equal(answer.status, 204)
  assertRefused(await call('GET', '/v1/agents', { key }), 401, 'authentication_error')
})

test('what is under way while the account goes ends in nothing: a delivery, a timer, a request', async () => {
  const { id, token, key } = await makeOwner()
  const { key: neighbour } = await makeOrganization(service)
  const calendar = await makeCalendar(service, key)
  await makeWebhook(service, key, receiver.url, ['agent.created', 'agent.updated', 'event.started'])
  await makeEvent(service, key, calendar.id, { start_time: ahead(service, 1), end_time: ahead(service, 2) })
  const inFlight = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  receiver.answer = async () => {
    inFlight.resolve()
    await mayAnswer.promise
    return 500
  }
  const agent = await makeAgent(service, key)
  const draining = service.drain()
  await inFlight.promise
  const [gone, ...late] = await Promise.all([
    erase(token),
    ...Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? call('POST', '/v1/agents', { key, body: { name: 'Late', type: 'ai' } })
        : call('POST', `/v1/calendars/${calendar.id}/events`, {
            key,
            body: { title: 'Late', start_time: ahead(service, 60), end_time: ahead(service, 90) },
          }),
    ),
  ])
  assert.equal(gone.status, 204)
  for (const { status } of late) assert.ok([201, 401, 404].includes(status), String(status))
  mayAnswer.resolve()
  await draining
  receiver.answer = () => 200
  const before = receiver.received.length
  await service.clock.advance(10 * 60_000)
  await service.drain()
  assert.equal(receiver.received.length, before, agent.id)
  await upkeepHandlers(service.app).erase({ orgId: decodeId('org', id)! })
  assert.deepEqual(await rowsOf(id), [])
  assert.equal((await call('GET', '/v1/agents', { key: neighbour })).status, 200)
})

test('the rows are removed once their rest is over, by one at a time, and by somebody else after a crash', async () => {
  const { id, token, key } = await makeOwner()
  await makeAgent(service, key)
  await erase(token)
  const orgId = decodeId('org', id)!
  const handlers = upkeepHandlers(service.app)
  await service.clock.advance(29_000)
  await handlers.erase({ orgId })
  assert.deepEqual(await rowsOf(id), ['agents', 'audit_entries', 'erasures'])
  await service.clock.advance(1_000)
  // Somebody took it and died.
  await service.app
    .sql`update erasures set next_run_at = ${new Date(service.clock.now().getTime() + 60_000)} where org_id = ${orgId}`
  await handlers.erase({ orgId })
  assert.ok((await rowsOf(id)).includes('agents'))
  await service.clock.advance(60_000)
  await Promise.all([handlers.erase({ orgId }), handlers.erase({ orgId })])
  assert.deepEqual(await rowsOf(id), [])
})

test("another organization's rows stay", async () => {
  const [one, other] = [await makeOwner(), await makeOwner()]
  const calendar = await makeCalendar(service, other.key)
  await makeEvent(service, other.key, calendar.id)
  await makeCalendar(service, one.key)
  const before = (await exported(other.token)).body
  await erase(one.token)
  await service.clock.advance(30_000)
  await upkeepHandlers(service.app).erase({ orgId: decodeId('org', one.id)! })
  const later = (await exported(other.token)).body
  assert.deepEqual({ ...later, exported_at: null }, { ...before, exported_at: null })
})
