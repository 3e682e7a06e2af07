// Decisions at one moment, and everything that can change between a request and its approval.
import assert from 'node:assert/strict'
import { openApprovalDesk } from '../../src/testing/approvals.ts'
import { makeEvent, makeHold } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ plan: 'pro' }).extend('desk', ({ service, key }) => openApprovalDesk(service, key))

test('one Idempotency-Key is one approval, on every process', async ({ call, second, desk }) => {
  const { path, body, guarded } = desk
  const agentKey = await guarded()
  const headers = { 'Idempotency-Key': 'once' }
  const ask = (at: typeof call, nth: number) =>
    at('POST', path, { key: agentKey, body: body(), headers: { ...headers, 'x-nth': `${nth}` } })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, nth) => ask(nth % 2 ? call : second.call, nth)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
  assert.equal(new Set(answers.map(({ body: one }) => JSON.stringify(one))).size, 1)
  assert.equal(answers.filter(({ headers: one }) => one.get('idempotent-replayed') === 'true').length, 9)
  assert.equal((await call('GET', '/v1/approvals', { key: agentKey })).body.total, 1)
})

test('deciding again with one Idempotency-Key has the same answer', async ({ call, key, desk }) => {
  const { path, body, guarded, ask, titles } = desk
  const { id } = await ask(await guarded(), 'POST', path, body())
  const decide = () =>
    call('POST', `/v1/approvals/${id}/approve`, { key, body: {}, headers: { 'Idempotency-Key': 'd' } })
  const [first, again] = [await decide(), await decide()]
  assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(await titles(), ['New'])
})

test('of many decisions at one moment one wins, and the change happens once', async ({ call, second, key, desk }) => {
  const { path, body, guarded, ask, read, titles } = desk
  const agentKey = await guarded()
  for (let round = 0; round < 4; round++) {
    const before = (await titles()).length
    const { id } = await ask(agentKey, 'POST', path, body('Once', 60 + round * 10))
    const decide = (at: typeof call, decision: string) =>
      at('POST', `/v1/approvals/${id}/${decision}`, { key, body: {} })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => decide(nth % 2 ? call : second.call, nth % 3 ? 'approve' : 'reject')),
    )
    const [won, lost] = [200, 409].map((status) => answers.filter((answer) => answer.status === status))
    assert.deepEqual([won!.length, lost!.length], [1, 11], JSON.stringify(answers.map((answer) => answer.body)))
    for (const answer of lost!) assertRefused(answer, 409, 'conflict', { code: 'approval_decided' })
    const shown = await read(id)
    assert.equal(shown.status, won![0]!.body.status)
    assert.equal((await titles()).length - before, shown.status === 'approved' ? 1 : 0)
  }
  const { body: feed } = await call('GET', '/v1/changes?cursor=oldest&types=approval.decided', { key: agentKey })
  assert.equal(feed.data.length, 4)
})

test('the same for a hold that is confirmed, and for the expiry', async ({ service, call, second, key, desk }) => {
  const { calendar, path, body, guarded, ask, read, titles } = desk
  const agentKey = await guarded({ on: 'all', expires_in_minutes: 5 })
  const hold = await makeHold(service, key, calendar.id)
  const { id } = await ask(agentKey, 'PUT', `/v1/events/${hold.id}/confirm`)
  const decide = (at: typeof call, approval: string, decision: string) =>
    at('POST', `/v1/approvals/${approval}/${decision}`, { key, body: {} })
  const answers = await Promise.all([1, 2, 3, 4].map((nth) => decide(nth % 2 ? call : second.call, id, 'approve')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
  assert.equal((await call('GET', `/v1/events/${hold.id}`, { key })).body.status, 'confirmed')

  const before = await titles()
  const asked = await Promise.all(
    Array.from({ length: 8 }, (_, nth) => ask(agentKey, 'POST', path, body('Late', 100 + nth * 2))),
  )
  // The requests have passed their check, and the timers are due: both sides start.
  await service.clock.advance(5 * 60_000 - 1)
  const deciding = Promise.all(asked.map((one, nth) => decide(call, one.id, nth % 2 ? 'approve' : 'reject')))
  await service.clock.advance(1)
  await Promise.all([deciding, service.drain()])
  await service.drain()
  const ends = await Promise.all(asked.map((one) => read(one.id)))
  const approved = ends.filter(({ status }) => status === 'approved').length
  assert.deepEqual(
    ends.filter(({ status }) => status === 'pending'),
    [],
  )
  assert.equal((await titles()).length, before.length + approved)
  const { body: feed } = await call('GET', '/v1/changes?cursor=oldest&types=approval.decided', { key: agentKey })
  const decisions = feed.data.map(
    ({ payload }: { payload: { approval: { id: string; status: string } } }) => payload.approval,
  )
  for (const { id: one, status } of ends)
    assert.deepEqual(
      decisions
        .filter((decision: { id: string }) => decision.id === one)
        .map((decision: { status: string }) => decision.status),
      [status],
    )
})

test('a request expires: it reads so at once, cannot be decided, and is told', async ({ service, call, desk }) => {
  const { path, body, guarded, ask, decide, read } = desk
  const agentKey = await guarded({ on: 'all', expires_in_minutes: 5 })
  const { id } = await ask(agentKey, 'POST', path, body())
  await service.clock.advance(5 * 60_000)
  const expired = await read(id)
  assert.deepEqual([expired.status, expired.decided_at], ['expired', null])
  for (const decision of ['approve', 'reject'] as const)
    assertRefused(await decide(id, decision), 409, 'conflict', { code: 'approval_expired' })
  await service.drain()
  assert.deepEqual(await read(id), expired)
  assert.equal((await call('GET', '/v1/approvals?status=expired', { key: agentKey })).body.total, 1)
  assert.equal((await call('GET', '/v1/approvals?status=pending', { key: agentKey })).body.total, 0)
  const { body: feed } = await call('GET', '/v1/changes?cursor=oldest&types=approval.decided', { key: agentKey })
  assert.deepEqual(
    feed.data.map((entry: { cause: string; payload: { approval: { status: string } } }) => [
      entry.cause,
      entry.payload.approval.status,
    ]),
    [['timer', 'expired']],
  )
})

test('at most a hundred requests of a key wait; each decision and each expiry makes room', async ({
  service,
  call,
  second,
  desk,
}) => {
  const { path, body, guarded, decide } = desk
  const agentKey = await guarded({ on: 'all', expires_in_minutes: 60 })
  const ask = (nth: number) =>
    (nth % 2 ? call : second.call)('POST', path, { key: agentKey, body: body(`${nth}`, 60 + nth) })
  const answers = await Promise.all(Array.from({ length: 104 }, (_, nth) => ask(nth)))
  const waiting = answers.filter(({ status }) => status === 202)
  assert.equal(waiting.length, 100)
  for (const answer of answers.filter(({ status }) => status !== 202)) {
    assertRefused(answer, 429, 'quota_exceeded', { code: 'guardrail', guardrail: 'approval' })
    assert.ok(answer.headers.get('retry-after'))
  }
  const [one, two] = waiting.map((answer) => answer.body.approval.id)
  await decide(one, 'reject')
  await decide(two, 'approve')
  assert.deepEqual([(await ask(201)).status, (await ask(202)).status, (await ask(203)).status], [202, 202, 429])
  await service.clock.advance(60 * 60_000)
  await service.drain()
  assert.equal((await ask(300)).status, 202)
})

test('a revoked key, a paused agent and a decommissioned one fail their requests', async ({ call, key, desk }) => {
  const { agent, path, body, guarded, ask, decide, titles } = desk
  const agentKey = await guarded()
  const [one, two, three] = [
    await ask(agentKey, 'POST', path, body('One')),
    await ask(agentKey, 'POST', path, body('Two', 70)),
    await ask(await guarded(), 'POST', path, body('Three', 80)),
  ]
  const setStatus = (status: string) => call('PATCH', `/v1/agents/${agent.id}`, { key, body: { status } })
  await setStatus('paused')
  const paused = await decide(one.id, 'approve')
  assert.deepEqual([paused.status, paused.body.status, paused.body.result.status], [200, 'failed', 403])
  await setStatus('active')
  const { body: list } = await call('GET', '/v1/keys', { key })
  const { id } = list.keys.find(({ key_prefix }: { key_prefix: string }) => agentKey.startsWith(key_prefix))
  await call('DELETE', `/v1/keys/${id}`, { key })
  const revoked = await decide(two.id, 'approve')
  assert.deepEqual([revoked.body.status, revoked.body.result.status], ['failed', 401])
  assert.equal(revoked.body.result.body.error.type, 'authentication_error')
  assert.equal((await call('DELETE', `/v1/agents/${agent.id}`, { key })).status, 204)
  const gone = await decide(three.id, 'approve')
  assert.deepEqual([gone.body.status, gone.body.result.status], ['failed', 401])
  assert.deepEqual(await titles(), [])
})

test('the guardrails of the moment of the approval count', async ({ call, key, desk }) => {
  const { path, body, guarded, ask, decide } = desk
  const agentKey = await guarded()
  const { body: list } = await call('GET', '/v1/keys', { key })
  const { id } = list.keys.find(({ key_prefix }: { key_prefix: string }) => agentKey.startsWith(key_prefix))
  const guard = (guardrails: object | null) => call('PATCH', `/v1/keys/${id}`, { key, body: { guardrails } })
  for (const [nth, [guardrails, outcome]] of [
    [{ read_only: true }, 'read_only'],
    [{ max_minutes: 0 }, 'max_minutes'],
    [{ max_days_ahead: 0 }, 'max_days_ahead'],
    [{ max_events_per_day: 0 }, 'max_events_per_day'],
    [null, undefined],
  ].entries() as Iterable<[number, [object | null, string | undefined]]>) {
    await guard({ approval: { on: 'all' } })
    const approval = await ask(agentKey, 'POST', path, body('New', 2_000 + nth * 5))
    await guard(guardrails)
    const { body: decided } = await decide(approval.id, 'approve')
    assert.equal(decided.status, outcome === undefined ? 'approved' : 'failed', JSON.stringify(decided))
    if (outcome !== undefined) assert.equal(decided.result.body.error.guardrail, outcome)
  }
})

test('what was deleted meanwhile is missing, and a budget is spent when the request happens', async ({
  service,
  call,
  key,
  desk,
}) => {
  const { calendar, path, body, guarded, ask, decide } = desk
  const agentKey = await guarded()
  const used = async (): Promise<number> => (await call('GET', '/v1/usage', { key })).body.events.used
  const event = await makeEvent(service, key, calendar.id)
  const spent = await used()
  const [patching, creating, rejecting, missing] = [
    await ask(agentKey, 'PATCH', `/v1/events/${event.id}`, { title: 'Other' }),
    await ask(agentKey, 'POST', path, body('One', 200)),
    await ask(agentKey, 'POST', path, body('Two', 210)),
    await ask(agentKey, 'POST', path, body('Three', 220)),
  ]
  assert.equal(await used(), spent)
  await call('DELETE', `/v1/events/${event.id}`, { key })
  const gone = await decide(patching.id, 'approve')
  assert.deepEqual([gone.body.status, gone.body.result.status], ['failed', 404])
  await decide(creating.id, 'approve')
  await decide(rejecting.id, 'reject')
  assert.equal(await used(), spent + 1)
  await call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  const without = await decide(missing.id, 'approve')
  assert.deepEqual([without.body.status, without.body.result.status], ['failed', 404])
  assert.equal(await used(), spent + 1)
})
