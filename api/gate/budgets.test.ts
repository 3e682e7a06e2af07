// Which operation consumes which budget, row by row, and every cap and budget at its edge.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterAll, beforeAll, test } from 'vitest'
import { decodeId } from '../../src/shapes/ids.ts'
import type { Answer } from '../../src/testing/answer.ts'
import {
  ahead,
  makeAgent,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { openTestService, type TestService } from '../../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { forgetKeys } from '../../src/testing/redisKeys.ts'
import { assertRefused } from '../../src/testing/refused.ts'

let service: TestService
let call: TestService['call']
let receiver: Receiver

beforeAll(async () => {
  service = await openTestService()
  call = service.call
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await service.close()
})

type World = {
  key: string
  agent: string
  other: string
  calendar: string
  hold: string
  proposal: string
  slug: string
}

/** Something of everything, so that each operation finds what it works on. */
async function openWorld(limits?: Record<string, number | null>): Promise<World> {
  const { key } = await makeOrganization(service, { plan: 'custom', limits })
  const [agent, other] = [await makeAgent(service, key), await makeAgent(service, key)]
  const calendar = await makeCalendar(service, key, agent.id)
  const hold = await makeHold(service, key, calendar.id, {
    start_time: ahead(service, 600),
    end_time: ahead(service, 630),
  })
  const proposal = await makeProposal(service, key, {
    organizer_agent_id: agent.id,
    participant_agent_ids: [agent.id, other.id],
    calendar_id: calendar.id,
  })
  const page = await call('POST', '/v1/booking-pages', { key, body: { calendar_id: calendar.id, title: 'Book me' } })
  assert.equal(page.status, 201, JSON.stringify(page.body))
  return {
    key,
    agent: agent.id,
    other: other.id,
    calendar: calendar.id,
    hold: hold.id,
    proposal: proposal.id,
    slug: page.body.slug,
  }
}

const event = (more: object = {}) => ({
  title: 'Event',
  start_time: ahead(service, 60),
  end_time: ahead(service, 90),
  ...more,
})
const hold = (more: object = {}) => event({ status: 'hold', hold_expires_at: ahead(service, 5), ...more })
const proposal = (world: World, more: object = {}) => ({
  title: 'P',
  organizer_agent_id: world.agent,
  participant_agent_ids: [world.agent],
  calendar_id: world.calendar,
  slots: [{ start_time: ahead(service, 60), end_time: ahead(service, 90) }],
  ...more,
})
const range = () => `start=${ahead(service, 0)}&end=${ahead(service, 600)}`
const window = () => `start_after=${ahead(service, 0)}&start_before=${ahead(service, 600)}`

type Used = Record<string, number>

async function usage(key: string): Promise<Used> {
  const { status, body } = await call('GET', '/v1/usage', { key })
  assert.equal(status, 200, JSON.stringify(body))
  const meters = Object.entries(body).filter(([, value]) => typeof value === 'object' && value !== null)
  return Object.fromEntries(meters.map(([name, value]) => [name, (value as { used: number }).used]))
}

/** What changed, without the asking itself: `holds` are those that live. */
async function consumed(key: string, operation: () => Promise<unknown>): Promise<Used> {
  const before = await usage(key)
  await operation()
  const later = await usage(key)
  later.api_calls = later.api_calls! - 1
  return Object.fromEntries(
    Object.entries(later)
      .map(([name, used]) => [name, used - before[name]!] as const)
      .filter(([, difference]) => difference !== 0),
  )
}

type Operation = [
  name: string,
  status: number,
  consumes: Used,
  run: (world: World) => [method: string, path: string, body?: object, as?: 'guest'],
]

const events = (world: World) => `/v1/calendars/${world.calendar}/events`
const proposals = '/v1/scheduling/proposals'
const respond = (world: World) => `${proposals}/${world.proposal}/respond`
const rules = (world: World) => `/v1/calendars/${world.calendar}/availability-rules`
const weekly = 'FREQ=WEEKLY;COUNT=3'

const operations: Operation[] = [
  ['create event', 201, { events: 1, api_calls: 1 }, (w) => ['POST', events(w), event()]],
  ['create hold', 201, { events: 1, api_calls: 1, holds: 1 }, (w) => ['POST', events(w), hold()]],
  [
    'create recurring series',
    201,
    { events: 1, recurring_events: 1, api_calls: 1 },
    (w) => ['POST', events(w), event({ recurrence_rule: weekly })],
  ],
  ['list', 200, { api_calls: 1 }, (w) => ['GET', events(w)]],
  ['list with expand', 200, { api_calls: 1 }, (w) => ['GET', `${events(w)}?expand=true&${window()}`]],
  ['confirm', 200, { api_calls: 1, holds: -1 }, (w) => ['PUT', `/v1/events/${w.hold}/confirm`]],
  ['release', 200, { api_calls: 1, holds: -1 }, (w) => ['PUT', `/v1/events/${w.hold}/release`]],
  ['context', 200, { api_calls: 1 }, (w) => ['GET', `/v1/calendars/${w.calendar}/context`]],
  ['set availability rules', 200, { api_calls: 1 }, (w) => ['PUT', rules(w), {}]],
  ['read availability rules that are not there', 404, { api_calls: 1 }, (w) => ['GET', rules(w)]],
  ['respond', 200, { api_calls: 1 }, (w) => ['POST', respond(w), { agent_id: w.agent, response: 'decline' }]],
  ['create proposal', 201, { proposals: 1, api_calls: 1 }, (w) => ['POST', proposals, proposal(w)]],
  ['cancel proposal', 200, { api_calls: 1 }, (w) => ['POST', `${proposals}/${w.proposal}/cancel`]],
  [
    'availability of a calendar',
    200,
    { availability_queries: 1, api_calls: 1 },
    (w) => ['GET', `/v1/calendars/${w.calendar}/availability?${range()}`],
  ],
  [
    'availability of an agent',
    200,
    { availability_queries: 1, api_calls: 1 },
    (w) => ['GET', `/v1/agents/${w.agent}/availability?${range()}`],
  ],
  [
    'availability of agents',
    200,
    { availability_queries: 1, api_calls: 1 },
    (w) => ['GET', `/v1/availability?agents=${w.agent}&${range()}`],
  ],
  [
    'booking',
    201,
    { events: 1 },
    (w) => [
      'POST',
      `/book/${w.slug}`,
      { name: 'Guest', email: 'guest@example.com', start: ahead(service, 120) },
      'guest',
    ],
  ],
  ['feedback', 202, { api_calls: 1 }, () => ['POST', '/v1/feedback', { type: 'bug', message: 'It does not work.' }]],
  ['read the audit log', 200, { api_calls: 1 }, () => ['GET', '/v1/audit-log']],
  ['read the plans', 200, {}, () => ['GET', '/v1/plans']],
  ['no such route', 404, {}, () => ['GET', '/v1/nothing']],

  // What is refused consumes nothing but the call.
  ['malformed event', 400, { api_calls: 1 }, (w) => ['POST', events(w), event({ title: '' })]],
  [
    'event with a bad rule',
    400,
    { api_calls: 1 },
    (w) => ['POST', events(w), event({ recurrence_rule: 'FREQ=HOURLY' })],
  ],
  ['event on no calendar', 404, { api_calls: 1 }, () => ['POST', '/v1/calendars/cal_x/events', event()]],
  [
    'hold in the way of another',
    409,
    { api_calls: 1 },
    (w) => ['POST', events(w), hold({ start_time: ahead(service, 600), end_time: ahead(service, 610) })],
  ],
  ['malformed proposal', 400, { api_calls: 1 }, (w) => ['POST', proposals, proposal(w, { slots: [] })]],
  [
    'proposal of nobody',
    404,
    { api_calls: 1 },
    (w) => ['POST', proposals, proposal(w, { organizer_agent_id: 'agt_x' })],
  ],
  ['availability without a window', 400, { api_calls: 1 }, (w) => ['GET', `/v1/calendars/${w.calendar}/availability`]],
  ['availability of no calendar', 404, { api_calls: 1 }, () => ['GET', `/v1/calendars/cal_x/availability?${range()}`]],
  ['resolve before anybody responded', 409, { api_calls: 1 }, (w) => ['POST', `${proposals}/${w.proposal}/resolve`]],
  [
    'booking off the grid',
    400,
    {},
    (w) => [
      'POST',
      `/book/${w.slug}`,
      { name: 'Guest', email: 'guest@example.com', start: ahead(service, 121) },
      'guest',
    ],
  ],
  [
    'booking what is taken',
    409,
    {},
    (w) => [
      'POST',
      `/book/${w.slug}`,
      { name: 'Guest', email: 'guest@example.com', start: ahead(service, 600) },
      'guest',
    ],
  ],
]

for (const [name, status, consumes, run] of operations) {
  test(`${name}: ${status}, ${JSON.stringify(consumes)}`, async () => {
    // Guests book on half hours.
    await service.clock.advance(30 * 60_000)
    const world = await openWorld()
    const used = await consumed(world.key, async () => {
      const [method, path, body, as] = run(world)
      const answer = await call(method, path, { key: as === 'guest' ? undefined : world.key, body })
      assert.equal(answer.status, status, JSON.stringify(answer.body))
    })
    assert.deepEqual(used, consumes)
  })
}

test('resolving consumes an event, by request and by the last response', async () => {
  const one = await openWorld()
  const accept = async (world: World, agent: string) => {
    const { body } = await call('GET', `${proposals}/${world.proposal}`, { key: world.key })
    const response = { agent_id: agent, response: 'accept', selected_slot_id: body.slots[0].id }
    assert.equal((await call('POST', respond(world), { key: world.key, body: response })).status, 200)
  }
  await accept(one, one.agent)
  const resolved = await consumed(one.key, () => call('POST', `${proposals}/${one.proposal}/resolve`, { key: one.key }))
  assert.deepEqual(resolved, { events: 1, api_calls: 1 })
  const two = await openWorld()
  await accept(two, two.agent)
  // Two calls: the proposal is read for its slots.
  assert.deepEqual(await consumed(two.key, () => accept(two, two.other)), { events: 1, api_calls: 2 })
})

test('a delivery consumes a delivery when it is tried, not when it waits or is refused', async () => {
  const { key } = await openWorld({ webhook_deliveries: 2 })
  await makeWebhook(service, key, receiver.url, ['agent.created'])
  assert.deepEqual(await consumed(key, () => makeAgent(service, key)), { agents: 1, api_calls: 1 })
  assert.deepEqual(await consumed(key, () => service.drain()), { webhooks: 1 })
  for (let n = 0; n < 3; n++) await makeAgent(service, key)
  assert.deepEqual(await consumed(key, () => service.drain()), { webhooks: 1 })
})

test('a request that is refused for rate consumes nothing at all', async () => {
  const { key } = await makeOrganization(service, { rate: 3 })
  const before = await usage(key)
  const answers = await Promise.all(Array.from({ length: 20 }, () => call('GET', '/v1/calendars', { key })))
  const served = answers.filter(({ status }) => status === 200).length
  assert.equal(served, 2)
  for (const { status, headers } of answers) if (status === 429) assert.equal(headers.get('retry-after'), '1')
  await service.clock.advance(1_000)
  assert.equal((await usage(key)).api_calls, before.api_calls! + served + 1)
})

// The edges.

const secondsLeft = (answer: Answer) => Number(answer.headers.get('retry-after'))
const periodSeconds = 30 * 24 * 60 * 60

type Edge = [
  limit: string,
  max: number,
  status: number,
  /** What the world already holds of it. */
  held: number,
  run: (world: World) => [method: string, path: string, body?: object],
]
let nth = 0
const edges: Edge[] = [
  ['agents', 5, 429, 2, () => ['POST', '/v1/agents', { name: 'A', type: 'ai' }]],
  ['calendars', 4, 429, 1, () => ['POST', '/v1/calendars', { name: 'C', timezone: 'UTC' }]],
  ['calendars', 4, 429, 1, (w) => ['POST', `/v1/agents/${w.agent}/calendars`, { name: 'C', timezone: 'UTC' }]],
  [
    'webhooks',
    3,
    429,
    0,
    () => ['POST', '/v1/webhooks', { url: `${receiver.url}/${nth++}`, events: ['agent.created'] }],
  ],
  ['scoped_keys', 3, 429, 0, (w) => ['POST', '/v1/keys', { agent_id: w.agent }]],
  ['recurring_events', 3, 429, 0, (w) => ['POST', events(w), event({ recurrence_rule: weekly })]],
  ['booking_pages', 3, 429, 1, (w) => ['POST', '/v1/booking-pages', { calendar_id: w.calendar, title: 'B' }]],
  [
    'ical_subscriptions',
    3,
    402,
    0,
    (w) => [
      'POST',
      `/v1/agents/${w.agent}/ical-subscriptions`,
      { calendar_id: w.calendar, url: `https://feeds.example.com/${nth++}.ics` },
    ],
  ],
  ['events', 12, 429, 1, (w) => ['POST', events(w), event()]],
  ['proposals', 6, 429, 1, (w) => ['POST', proposals, proposal(w)]],
  ['availability_queries', 9, 429, 0, (w) => ['GET', `/v1/calendars/${w.calendar}/availability?${range()}`]],
]

for (const [limit, max, status, held, run] of edges) {
  test(`${limit}: of 100 at once exactly as many succeed as are left, the rest are ${status} until the period ends`, async () => {
    const world = await openWorld({ [limit]: max })
    await service.clock.advance(5_000)
    const send = () => {
      const [method, path, body] = run(world)
      return call(method, path, { key: world.key, body })
    }
    const answers = await Promise.all(Array.from({ length: 100 }, send))
    const refused = answers.filter((answer) => answer.status === status)
    assert.equal(answers.filter((answer) => answer.status < 300).length, max - held)
    assert.equal(refused.length, 100 - (max - held))
    assertRefused(refused[0]!, status, 'quota_exceeded')
    for (const answer of refused) assert.equal(secondsLeft(answer), periodSeconds - 5)
    assert.equal((await send()).status, status)
  })
}

test('API calls: of 100 at once exactly as many are served as are left, then everything is 429', async () => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 30 } })
  const answers = await Promise.all(Array.from({ length: 100 }, () => call('GET', '/v1/calendars', { key })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 30)
  for (const path of ['/v1/usage', '/v1/audit-log', '/v1/agents']) {
    const refused = await call('GET', path, { key })
    assertRefused(refused, 429, 'quota_exceeded')
    assert.equal(secondsLeft(refused), periodSeconds)
    assert.match(refused.headers.get('ratelimit') ?? '', /^"quota";r=0;t=2592000$/)
  }
})

test('a cap on what lives is free again at once; a budget of the month stays spent', async () => {
  const world = await openWorld({ calendars: 2, events: 3 })
  const { key } = world
  const calendar = await makeCalendar(service, key)
  assert.equal((await call('POST', '/v1/calendars', { key, body: { name: 'C', timezone: 'UTC' } })).status, 429)
  await call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  await makeCalendar(service, key)
  const last = await makeEvent(service, key, world.calendar)
  await makeEvent(service, key, world.calendar)
  await call('DELETE', `${events(world)}/${last.id}`, { key })
  assertRefused(await call('POST', events(world), { key, body: event() }), 429, 'quota_exceeded')
})

test('when the period ends every budget is fresh', async () => {
  const world = await openWorld({ events: 1, availability_queries: 0, proposals: 1 })
  assertRefused(await call('POST', events(world), { key: world.key, body: event() }), 429, 'quota_exceeded')
  await service.clock.advance(periodSeconds * 1000)
  assert.equal((await call('POST', events(world), { key: world.key, body: event() })).status, 201)
  assert.equal((await call('POST', proposals, { key: world.key, body: proposal(world) })).status, 201)
})

const flush = () => forgetKeys(service.app.redis, `${service.app.config.redisPrefix}:*`)

async function withoutRedis(work: () => Promise<void>) {
  const { redis } = service.app
  const ended = once(redis, 'end')
  redis.disconnect()
  await ended
  try {
    await work()
  } finally {
    await redis.connect()
  }
}

const counted: Edge[] = edges.filter(([limit]) => ['events', 'proposals', 'availability_queries'].includes(limit))

for (const [limit, max, status, held, run] of counted) {
  test(`${limit} are counted on when Redis is flushed, and while it is away`, async () => {
    const world = await openWorld({ [limit]: max })
    const send = () => {
      const [method, path, body] = run(world)
      return call(method, path, { key: world.key, body })
    }
    const succeeded = (answers: Answer[]) => answers.filter((answer) => answer.status < 300).length
    assert.equal(succeeded(await Promise.all([send(), send()])), 2)
    await flush()
    assert.equal((await send()).status < 300, true)
    await withoutRedis(async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, send))
      assert.equal(succeeded(answers), max - held - 3)
      const refused = answers.find((answer) => answer.status === status)!
      assertRefused(refused, status, 'quota_exceeded')
    })
    assert.equal((await send()).status, status)
  })
}

// The sandbox and the free plan, through the whole product.

const tiers = [
  ['free-agent-unverified', 'unverified', { agents: 1, calendars: 1, webhooks: 1, ical_subscriptions: 1 }],
  ['free-agent', 'verified', { agents: 3, calendars: 10, webhooks: 3, ical_subscriptions: 5 }],
  ['free', null, { agents: 3, calendars: 10, webhooks: 3, ical_subscriptions: 5 }],
] as const

for (const [plan, verification, caps] of tiers) {
  test(`${plan}: its caps on what lives, no proposals, no scoped keys`, async () => {
    const { id, key } = await makeOrganization(service, { plan: 'free' })
    await service.app.sql`
      update organizations set plan = ${plan}, verification_status = ${verification} where id = ${decodeId('org', id)!}`
    await flush()
    const until = async (status: number, run: () => Promise<Answer>) => {
      for (let made = 0; ; made++) {
        const answer = await run()
        if (answer.status >= 300) {
          assertRefused(answer, status, 'quota_exceeded')
          assert.equal(secondsLeft(answer), periodSeconds)
          return made
        }
      }
    }
    const send = (path: string, body: () => object) => () => call('POST', path, { key, body: body() })
    assert.equal(
      await until(
        429,
        send('/v1/agents', () => ({ name: 'A', type: 'ai' })),
      ),
      caps.agents,
    )
    const agent = (await call('GET', '/v1/agents', { key })).body.data[0].id
    const calendars = send(`/v1/agents/${agent}/calendars`, () => ({ name: 'C', timezone: 'UTC' }))
    assert.equal(await until(429, calendars), caps.calendars)
    const calendar = (await call('GET', `/v1/agents/${agent}/calendars`, { key })).body.data[0].id
    const webhooks = send('/v1/webhooks', () => ({ url: `${receiver.url}/${nth++}`, events: ['agent.created'] }))
    assert.equal(await until(429, webhooks), caps.webhooks)
    const feeds = send(`/v1/agents/${agent}/ical-subscriptions`, () => ({
      calendar_id: calendar,
      url: `https://feeds.example.com/${nth++}.ics`,
    }))
    assert.equal(await until(402, feeds), caps.ical_subscriptions)
    const pages = send('/v1/booking-pages', () => ({ calendar_id: calendar, title: 'B' }))
    assert.equal(await until(429, pages), 1)
    const series = send(`/v1/calendars/${calendar}/events`, () => event({ recurrence_rule: weekly }))
    assert.equal(await until(429, series), 5)
    const gated = await call('POST', proposals, { key, body: {} })
    assertRefused(gated, 403, 'plan_required', { feature: 'scheduling_proposals' })
    const scoped = await call('POST', '/v1/keys', { key, body: { agent_id: agent } })
    assertRefused(scoped, 403, 'plan_required', { feature: 'scoped_keys' })
  })
}

test('the sandbox: 10 events a month, holds and series among them', async () => {
  const { id, key } = await makeOrganization(service, { plan: 'free' })
  await service.app.sql`
    update organizations set plan = 'free-agent-unverified', verification_status = 'unverified'
    where id = ${decodeId('org', id)!}`
  await flush()
  const calendar = await makeCalendar(service, key)
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => call('POST', `/v1/calendars/${calendar.id}/events`, { key, body: event() })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 10)
  const { events: used, api_calls: calls } = (await call('GET', '/v1/usage', { key })).body
  assert.deepEqual(
    [used, calls],
    [
      { used: 10, limit: 10 },
      { used: 32, limit: 1_000 },
    ],
  )
})
