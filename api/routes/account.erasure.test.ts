import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { accountTest, password } from '../../src/testing/accounts.ts'
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
import { adminToken } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile } from '../../src/testing/test.ts'
import { upkeepHandlers } from '../../workers/upkeep.ts'

const test = accountTest()
  .extend(
    'erase',
    perFile,
    ({ call }) =>
      (token: string) =>
        call('DELETE', '/v1/auth/account', { key: token }),
  )
  .extend('rowsOf', perFile, ({ service }) => async (orgId: string) => {
    const tables = [
      ...['agents', 'api_keys', 'calendars', 'events', 'timers', 'webhook_subscriptions', 'webhook_deliveries'],
      ...[
        'availability_rules',
        'proposals',
        'proposal_slots',
        'proposal_responses',
        'usage_counters',
        'audit_entries',
        'changes',
      ],
      ...[
        'usage_rollups',
        'ical_subscriptions',
        'booking_pages',
        'memberships',
        'sessions',
        'terms_acceptances',
        'erasures',
      ],
    ]
    const { sql } = service.app
    const left: string[] = []
    for (const table of tables) {
      const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from ${sql(table)} where org_id = ${decodeId('org', orgId)!}`
      if (row!.count > 0) left.push(table)
    }
    return left
  })

test('a deleted account: nobody gets at anything from the answer on, on every process, and nothing is left', async ({
  service,
  call,
  second,
  receiver,
  makeOwner,
  erase,
  rowsOf,
}) => {
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
  await service.app.sql`
    insert into usage_rollups select org_id, metric, period_start, used, period_start from usage_counters
    where org_id = ${decodeId('org', id)!} and metric = 'api_calls'`
  const feed = new URL(calendar.ical_url).pathname
  assert.equal((await call('GET', feed)).status, 200)
  assert.equal((await call('GET', `/book/${page.body.slug}/slots`)).status, 200)
  for (const by of [call, second.call]) assert.equal((await by('GET', '/v1/agents', { key })).status, 200)

  const answer = await erase(token)
  assert.equal(answer.status, 204)
  assert.equal(answer.body, '')
  assert.match(answer.headers.get('set-cookie') ?? '', /^svc_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/)
  for (const by of [call, second.call]) {
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
    await call('POST', '/v1/auth/signin', { body: { email, password: password } }),
    401,
    'authentication_error',
  )

  const before = receiver.received.length
  await service.clock.advance(10 * 60_000)
  await service.drain()
  assert.equal(receiver.received.length, before)
  await upkeepHandlers(service.app).erase({ orgId: decodeId('org', id)! })
  assert.deepEqual(await rowsOf(id), [])
  assert.deepEqual([...(await service.app.sql`select from accounts where email = ${email}`)], [])
  const [kept] = await service.app.sql<{ count: number }[]>`
    select count(*)::integer as count from terms_acceptances where org_id is null`
  assert.ok(kept!.count > 0)

  const again = await call('GET', '/v1/auth/terms/current')
  const body = { email, password: password, tos_version: again.body.version }
  assert.equal((await call('POST', '/v1/auth/signup', { body })).status, 201)
})

test('the cookie of a browser deletes the account as well', async ({ call, makeOwner }) => {
  const { token, key } = await makeOwner()
  const answer = await call('DELETE', '/v1/auth/account', { headers: { cookie: `svc_session=${token}` } })
  assert.equal(answer.status, 204)
  assertRefused(await call('GET', '/v1/agents', { key }), 401, 'authentication_error')
})

test('what is under way while the account goes ends in nothing: a delivery, a timer, a request', async ({
  service,
  call,
  receiver,
  makeOwner,
  erase,
  rowsOf,
}) => {
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

test('the rows are removed once their rest is over, by one at a time, and by somebody else after a crash', async ({
  service,
  makeOwner,
  erase,
  rowsOf,
}) => {
  const { id, token, key } = await makeOwner()
  await makeAgent(service, key)
  await erase(token)
  const orgId = decodeId('org', id)!
  const handlers = upkeepHandlers(service.app)
  await service.clock.advance(29_000)
  await handlers.erase({ orgId })
  assert.deepEqual(await rowsOf(id), ['agents', 'audit_entries', 'changes', 'erasures'])
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

test("another organization's rows stay", async ({ service, makeOwner, exported, erase }) => {
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
