import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { titleContext } from '../../src/changeLog/sealed.ts'
import { openExport } from '../../src/export/export.ts'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import { accountTest, password } from '../../src/testing/accounts.ts'
import {
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { pageActor } from '../gate/pageSession.ts'

const test = accountTest()

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
  'hold_groups',
  'usage_records',
  'quota_counters',
  'tos_acceptances',
  'account_claims_initiated',
]

test('an export of next to nothing has every key, in order, and is a file', async ({
  service,
  makeOwner,
  exported,
}) => {
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

test('an export tells when a key died: it was revoked, or its agent decommissioned', async ({
  service,
  call,
  makeOwner,
  exported,
}) => {
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

test('an export has everything in plain text, and none of what is secret beyond that', async ({
  service,
  call,
  receiver,
  makeOwner,
  exported,
}) => {
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
  const [first, deleted, third] = body.events
  assert.deepEqual(first, event)
  assert.deepEqual([deleted.title, deleted.deletedAt], ['Gone', service.clock.now().toISOString()])
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
  for (const secret of [key, agentKey, password, 'sealed', '"hash"', 'revision', 'generation', 'argon2']) {
    assert.ok(!text.includes(secret), secret)
  }
  const orgIds = text.match(/org_[0-9a-z]{26}/g) ?? []
  assert.deepEqual([...new Set(orgIds)], [id])
})

test('an export reads page after page, and misses nothing', async ({ service, makeOwner, exported }) => {
  const { id, token, key } = await makeOwner()
  const calendar = await makeCalendar(service, key)
  const template = await makeEvent(service, key, calendar.id)
  const { sql, sealer } = service.app
  const ids = Array.from({ length: 1_234 }, () => newId())
  const rows = ids.map((one) => ({ id: one, title: sealer.seal(titleContext(one), one).toString('hex') }))
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

for (const how of ['signed out', 'stopped'] as const) {
  test(`an export under way ${how === 'stopped' ? 'goes on for a stopped organization' : 'ends with its session'}`, async ({
    service,
    call,
    makeOwner,
  }) => {
    const { id, token, key } = await makeOwner()
    const calendar = await makeCalendar(service, key)
    // More than a stream reads ahead, so that most of it is still to be read.
    const body = { title: 'x'.repeat(200), description: 'x'.repeat(4_000) }
    const events = Array.from({ length: 60 }, () => makeEvent(service, key, calendar.id, body))
    await Promise.all(events)
    const path = '/v1/auth/export'
    const request = {
      ...{ id: 'req_1', method: 'GET', path, ip: null, userAgent: null },
      ...{ startedAt: service.clock.now(), successStatus: 200 },
    }
    const { body: stream } = await openExport(
      service.app,
      (await pageActor(service.app, { authorization: `Bearer ${token}` }, request, path))!,
    )
    const parts = stream[Symbol.asyncIterator]()
    await parts.next()
    const ended =
      how === 'stopped'
        ? await call('PATCH', `/v1/admin/orgs/${id}`, { key: adminToken, body: { is_waitlisted: true } })
        : await call('POST', '/v1/auth/signout', { key: token })
    assert.ok(ended.status < 300)
    const rest = Array.fromAsync({ [Symbol.asyncIterator]: () => parts })
    if (how === 'stopped') assert.match((await rest).join(''), /\}\n$/)
    else await assert.rejects(rest, { type: 'authentication_error' })
  })
}

test('an export that fails in the middle breaks the connection', async ({ service, makeOwner }) => {
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

test('ten exports an hour and organization', async ({ service, call, makeOwner, exported }) => {
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
  test(`${method} ${path} needs a session: API keys, the administrator and nobody get 401`, async ({
    service,
    call,
    makeOwner,
  }) => {
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
