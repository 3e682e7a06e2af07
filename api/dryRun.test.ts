// The report of a dry run, and the data that it does not change.
import assert from 'node:assert/strict'
import { decodeId } from '../src/shapes/ids.ts'
import { assertDryRun } from '../src/testing/dryRuns.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeProposal,
} from '../src/testing/factories.ts'
import { codeTo } from '../src/testing/mailbox.ts'
import { assertRefused } from '../src/testing/refused.ts'
import { remainsOf } from '../src/testing/remains.ts'
import { otherThan, sandboxTest } from '../src/testing/sandboxes.ts'
import { perFile } from '../src/testing/test.ts'

const test = sandboxTest()
  .extend('calendar', ({ service, key }) => makeCalendar(service, key))
  .extend(
    'dryly',
    perFile,
    ({ call, key }) =>
      (method: string, path: string, body?: object, by = key) =>
        call(method, `${path}${path.includes('?') ? '&' : '?'}dry_run=true`, { key: by, body }),
  )

const times = (service: Parameters<typeof ahead>[0], minutes: number) => ({
  start_time: ahead(service, minutes),
  end_time: ahead(service, minutes + 30),
})

test('a hold tells what it would end, in the order in which it would be told', async ({
  service,
  calendar,
  dryly,
  key,
}) => {
  const low = await makeHold(service, key, calendar.id, { hold_priority: 1, ...times(service, 60) })
  const body = {
    title: 'High',
    status: 'hold',
    hold_priority: 5,
    hold_expires_at: ahead(service, 10),
    ...times(service, 60),
  }
  const before = await remainsOf(service)
  const answer = await dryly('POST', `/v1/calendars/${calendar.id}/events`, body)
  assert.deepEqual(answer.body.effects, [
    { type: 'event.hold_expired', resource: { type: 'event', id: low.id } },
    { type: 'event.hold_created', resource: { type: 'event', id: null } },
  ])
  assert.deepEqual([answer.status, answer.body.status, answer.body.spends], [200, 201, { events: 1 }])
  assert.deepEqual([answer.body.body.id, answer.body.body.holdPriority], [null, 5])
  assert.deepEqual(await remainsOf(service), before)
})

test('the cancellation of one occurrence tells the series without it', async ({ service, calendar, key }) => {
  const series = await makeEvent(service, key, calendar.id, {
    ...times(service, 60),
    recurrence_rule: 'FREQ=DAILY;COUNT=3',
  })
  const path = `/v1/events/${series.id}?occurrence_start=${series.startTime}`
  const { status, body } = await assertDryRun(service, 'occurrence', { method: 'DELETE', path, key })
  assert.equal(status, 200)
  assert.deepEqual((body as typeof series).recurrenceExdates, [series.startTime])
})

test('what would be refused is refused with the same words', async ({ service, calendar, dryly, key, call }) => {
  const stranger = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const agentKey = await makeAgentKey(service, key, agent.id)
  await makeHold(service, key, calendar.id, { hold_priority: 5, ...times(service, 60) })
  const event = await makeEvent(service, key, calendar.id, times(service, 300))
  const events = `/v1/calendars/${calendar.id}/events`
  const hold = { title: 'H', status: 'hold', hold_expires_at: ahead(service, 10), ...times(service, 60) }
  const asked: [method: string, path: string, body?: object, by?: string][] = [
    ['POST', `${events}?explain=true`, { ...hold, hold_priority: 4 }],
    ['POST', events, { ...hold, hold_expires_at: ahead(service, 20) }],
    ['POST', events, { title: 'E', ...times(service, 300), require_free: true }],
    ['POST', events, { title: 'E', ...times(service, 60), recurrence_rule: 'FREQ=NEVER' }],
    ['POST', events, { ...times(service, 60) }],
    ['POST', events, { title: 'E', ...times(service, 60) }, stranger.key],
    ['POST', events, { title: 'E', ...times(service, 60) }, agentKey],
    ['POST', `${events}`, hold, stranger.key],
    ['POST', '/v1/calendars/cal_none/events', { title: 'E', ...times(service, 60) }],
    ['PUT', `/v1/events/${event.id}/confirm`],
    ['DELETE', `/v1/events/${event.id}?occurrence_start=2026-01-01T00:00:00Z`],
    ['PATCH', `/v1/events/${event.id}`, { end_time: event.startTime }],
    ['POST', '/v1/agents', { name: 'A', type: 'ai' }, agentKey],
    ['DELETE', `/v1/calendars/${calendar.id}/availability-rules`],
    ['POST', '/v1/keys', { agent_id: agent.id, label: 5 }],
    ['POST', '/v1/agents', { name: 'A', type: 'ai' }, 'svc_sk_unknown_key_of_nobody'],
  ]
  for (const [method, path, body, by = key] of asked) {
    const dry = await dryly(method, path, body, by)
    const real = await call(method, path, { key: by, body })
    for (const one of [dry, real]) delete one.body.error.request_id
    assert.ok(real.status >= 400, path)
    assert.deepEqual([dry.status, dry.body], [real.status, real.body], `${method} ${path}`)
    assert.equal(dry.headers.get('retry-after'), real.headers.get('retry-after'))
  }
})

test('an exhausted budget refuses it, and it takes nothing of one', async ({ service, call, dryly }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { events: 2 } })
  const calendar = await makeCalendar(service, key)
  const path = `/v1/calendars/${calendar.id}/events`
  const body = { title: 'E', ...times(service, 60) }
  for (let n = 0; n < 5; n++) assert.equal((await dryly('POST', path, body, key)).status, 200)
  for (let n = 0; n < 2; n++) assert.equal((await call('POST', path, { key, body })).status, 201)
  assertRefused(await dryly('POST', path, body, key), 429, 'quota_exceeded')
  assertRefused(await dryly('POST', path, {}, key), 429, 'quota_exceeded')
  const { body: usage } = await call('GET', '/v1/usage', { key })
  assert.deepEqual(usage.usage?.events ?? usage.events, { used: 2, limit: 2 })
})

test('a key is neither stored nor asked for, but must be one', async ({ calendar, call, key, service }) => {
  const path = `/v1/calendars/${calendar.id}/events`
  const body = { title: 'E', ...times(service, 60) }
  const headers = { 'idempotency-key': `of ${calendar.id}`.replaceAll(' ', '-') }
  const ask = (query: string, more = headers) => call('POST', `${path}${query}`, { key, body, headers: more })
  assert.equal((await ask('?dry_run=true')).body.dry_run, true)
  const real = await ask('')
  assert.deepEqual([real.status, real.headers.get('idempotent-replayed')], [201, null])
  const again = await ask('?dry_run=true')
  assert.deepEqual([again.status, again.body.dry_run, again.headers.get('idempotent-replayed')], [200, true, null])
  assertRefused(await ask('?dry_run=true', { 'idempotency-key': 'a b' }), 400, 'validation_error', {
    param: 'Idempotency-Key',
  })
  assert.equal((await ask('?dry%5Frun=true')).body.dry_run, true)
  assert.equal((await ask('?dry_run=false')).headers.get('idempotent-replayed'), null)
})

test('a hold whose time is up stays as it is, and is told as it will be', async ({ service, calendar, dryly, key }) => {
  const hold = await makeHold(service, key, calendar.id, times(service, 60))
  await service.clock.advance(20 * 60_000)
  const before = await remainsOf(service)
  const path = `/v1/events/${hold.id}`
  const edited = await dryly('PATCH', path, { title: 'New' })
  assert.deepEqual([edited.status, edited.body.body.status, edited.body.body.title], [200, 'cancelled', 'New'])
  assertRefused(await dryly('PATCH', path, { status: 'confirmed' }), 400, 'invalid_transition', {
    param: 'status',
  })
  assertRefused(await dryly('PUT', `${path}/confirm`), 409, 'conflict', { code: 'hold_expired' })
  const removed = await dryly('DELETE', path)
  assert.deepEqual([removed.body.status, removed.body.body], [204, null])
  assert.deepEqual(removed.body.effects, [{ type: 'event.deleted', resource: { type: 'event', id: hold.id } }])
  assert.deepEqual(await remainsOf(service), before)
})

test('a proposal whose time is up stays as it is, and nothing can change it', async ({
  service,
  dryly,
  key,
  calendar,
}) => {
  const [asker, asked] = [await makeAgent(service, key), await makeAgent(service, key)]
  const { id } = await makeProposal(service, key, {
    organizer_agent_id: asker.id,
    participant_agent_ids: [asked.id],
    calendar_id: calendar.id,
    expires_at: ahead(service, 5),
  })
  await service.clock.advance(10 * 60_000)
  const before = await remainsOf(service)
  const path = `/v1/scheduling/proposals/${id}`
  for (const verb of ['resolve', 'cancel']) assertRefused(await dryly('POST', `${path}/${verb}`), 409, 'conflict')
  assertRefused(await dryly('POST', `${path}/respond`, { agent_id: asked.id, response: 'decline' }), 409, 'conflict')
  assert.deepEqual(await remainsOf(service), before)
})

test('the last response tells of the event that it would make, and of its unit', async ({
  service,
  dryly,
  key,
  calendar,
}) => {
  const [asker, asked] = [await makeAgent(service, key), await makeAgent(service, key)]
  const { id } = await makeProposal(service, key, {
    organizer_agent_id: asker.id,
    participant_agent_ids: [asked.id],
    calendar_id: calendar.id,
  })
  const path = `/v1/scheduling/proposals/${id}`
  const { body: proposal } = await service.call('GET', path, { key })
  const body = { agent_id: asked.id, response: 'accept', selected_slot_id: proposal.slots[0].id }
  const before = await remainsOf(service)
  const answer = await dryly('POST', `${path}/respond`, body)
  assert.deepEqual(await remainsOf(service), before)
  assert.deepEqual(answer.body.effects, [
    { type: 'proposal.responded', resource: { type: 'proposal', id } },
    { type: 'event.created', resource: { type: 'event', id: null } },
    { type: 'proposal.confirmed', resource: { type: 'proposal', id } },
  ])
  assert.deepEqual(answer.body.spends, { events: 1 })
  assert.deepEqual([answer.body.status, answer.body.body.id], [200, null])
})

test('feedback of a dry run is not counted, and is refused beyond the day’s limit', async ({
  service,
  call,
  dryly,
}) => {
  const { key } = await makeOrganization(service)
  const body = { type: 'bug', message: 'Ten chars.' }
  for (let n = 0; n < 30; n++) assert.equal((await dryly('POST', '/v1/feedback', body, key)).body.status, 202)
  for (let n = 0; n < 25; n++) assert.equal((await call('POST', '/v1/feedback', { key, body })).status, 202)
  assertRefused(await dryly('POST', '/v1/feedback', body, key), 429, 'quota_exceeded')
})

test('a dry run sees its times as local, too', async ({ service, calendar, dryly }) => {
  const body = { title: 'E', ...times(service, 60) }
  const answer = await dryly('POST', `/v1/calendars/${calendar.id}/events?view=local&tz=Europe/Berlin`, body)
  assert.deepEqual([answer.body.body.id, answer.body.body.local.timezone], [null, 'Europe/Berlin'])
})

test('a wrong guess at a code counts in a dry run as well; a right one does not', async ({
  service,
  makeSandbox,
  dryly,
}) => {
  const { email, key, orgId } = await makeSandbox()
  const code = await codeTo(service, email)
  const attempts = async () => {
    const id = decodeId('org', orgId)!
    const [row] = await service.app.sql<{ attempts: number }[]>`
      select attempts from verification_codes where org_id = ${id}`
    return row?.attempts
  }
  for (let n = 0; n < 3; n++) {
    const wrong = await dryly('POST', '/v1/agent/verify', { otp: otherThan(code) }, key)
    assertRefused(wrong, 400, 'validation_error', { param: 'otp' })
    assert.equal((await dryly('POST', '/v1/agent/verify', { otp: code }, key)).body.dry_run, true)
  }
  assert.equal(await attempts(), 3)
})

test('it costs a call, and is counted', async ({ service, call, dryly }) => {
  const { key } = await makeOrganization(service)
  const used = async () => (await call('GET', '/v1/usage', { key })).headers.get('ratelimit')
  const left = (header: string | null) => Number(/r=(\d+)/.exec(header ?? '')?.[1])
  const before = left(await used())
  await dryly('POST', '/v1/agents', { name: 'A', type: 'ai' }, key)
  assert.equal(left(await used()), before - 2)
  const metrics = await service.app.metrics.registry.metrics()
  assert.match(metrics, /^calendar_dry_runs_total [1-9]/m)
})

test('dry runs and changes of one calendar do not disturb each other', async ({
  service,
  calendar,
  call,
  dryly,
  key,
}) => {
  const path = `/v1/calendars/${calendar.id}/events`
  const hold = (minutes: number) => ({
    title: 'H',
    status: 'hold',
    hold_expires_at: ahead(service, 10),
    ...times(service, minutes),
  })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      n % 2 ? dryly('POST', path, hold(60)) : call('POST', path, { key, body: hold(100 + 40 * n) }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }, n) => `${n % 2} ${status}`))].toSorted(), ['0 201', '1 200'])
  const { body } = await call('GET', `${path}?limit=100`, { key })
  assert.equal(body.data.length, 15)
})

test('dry runs of new events that share a statement are told apart', async ({ service, calendar, dryly, key }) => {
  const stranger = await makeOrganization(service)
  const gone = await makeCalendar(service, key)
  await service.call('DELETE', `/v1/calendars/${gone.id}`, { key })
  await makeAgent(service, stranger.key)
  const body = { title: 'E', ...times(service, 60) }
  // The counter of a budget begins when it is first looked at.
  await dryly('POST', `/v1/calendars/${calendar.id}/events`, body, stranger.key)
  const before = await remainsOf(service)
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => {
      const id = n % 7 === 3 ? gone.id : calendar.id
      return dryly('POST', `/v1/calendars/${id}/events`, { ...body, title: `E${n}` }, n % 5 === 2 ? stranger.key : key)
    }),
  )
  for (const [n, { status, body: told }] of answers.entries()) {
    const isRefused = n % 7 === 3 || n % 5 === 2
    assert.equal(status, isRefused ? 404 : 200, `${n}`)
    if (isRefused) continue
    assert.deepEqual([told.body.title, told.body.id, told.spends], [`E${n}`, null, { events: 1 }])
    assert.deepEqual(told.effects, [{ type: 'event.created', resource: { type: 'event', id: null } }])
  }
  assert.deepEqual(await remainsOf(service), before)
})

test('a public route passes it over', async ({ calendar, call, key }) => {
  const page = await call('POST', '/v1/booking-pages', {
    key,
    body: { calendar_id: calendar.id, title: 'P', duration_minutes: 30, timezone: 'UTC' },
  })
  const { slug } = page.body
  const { body: free } = await call('GET', `/book/${slug}/slots`)
  const body = { start: free.slots[0].start, name: 'Guest', email: 'guest@example.com' }
  const booked = await call('POST', `/book/${slug}?dry_run=true`, { body, headers: { accept: 'application/json' } })
  assert.equal(booked.body.dry_run, undefined)
  assert.ok(booked.status < 300, JSON.stringify(booked.body))
})
