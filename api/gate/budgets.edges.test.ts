// Every limit at its edge.
import assert from 'node:assert/strict'
import type { Answer } from '../../src/testing/answer.ts'
import { budgetsTest, periodSeconds, proposals, type World, weekly } from '../../src/testing/budgets.ts'
import { makeCalendar, makeEvent, makeOrganization } from '../../src/testing/factories.ts'
import { times, withStatus } from '../../src/testing/gate.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = budgetsTest()

const secondsLeft = (answer: Answer) => Number(answer.headers.get('retry-after'))
const succeeded = (answers: Answer[]) => answers.filter((answer) => answer.status < 300).length

type Edge = [
  limit: string,
  max: number,
  status: number,
  /** How many the world has already. */
  held: number,
  run: (world: World) => [method: string, path: string, body?: object],
]

/** Numbers what must have a URL of its own. */
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
    () => ['POST', '/v1/webhooks', { url: `https://example.com/${nth++}`, events: ['agent.created'] }],
  ],
  ['scoped_keys', 3, 429, 0, (w) => ['POST', '/v1/keys', { agent_id: w.agent }]],
  ['recurring_events', 3, 429, 0, (w) => ['POST', w.events, w.newEvent({ recurrence_rule: weekly })]],
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
  ['events', 12, 429, 1, (w) => ['POST', w.events, w.newEvent()]],
  ['proposals', 6, 429, 1, (w) => ['POST', proposals, w.newProposal()]],
  ['availability_queries', 9, 429, 0, (w) => ['GET', `/v1/calendars/${w.calendar}/availability?${w.range()}`]],
]

for (const [limit, max, status, held, run] of edges) {
  test(`${limit}: of 100 at once as many succeed as are left, the rest are ${status} until the period ends`, async ({
    service,
    call,
    openWorld,
  }) => {
    const world = await openWorld({ [limit]: max })
    await service.clock.advance(5_000)
    const send = () => {
      const [method, path, body] = run(world)
      return call(method, path, { key: world.key, body })
    }
    const answers = await times(100, send)
    const refused = answers.filter((answer) => answer.status === status)
    assert.equal(succeeded(answers), max - held)
    assert.equal(refused.length, 100 - (max - held))
    assertRefused(refused[0]!, status, 'quota_exceeded')
    for (const answer of refused) assert.equal(secondsLeft(answer), periodSeconds - 5)
    assert.equal((await send()).status, status)
  })
}

test('API calls: of 100 at once as many are served as are left, then everything is 429', async ({ service, call }) => {
  const { key } = await makeOrganization(service, { plan: 'custom', limits: { api_calls: 30 } })
  const answers = await times(100, () => call('GET', '/v1/calendars', { key }))
  assert.equal(withStatus(answers, 200), 30)
  for (const path of ['/v1/usage', '/v1/audit-log', '/v1/agents']) {
    const refused = await call('GET', path, { key })
    assertRefused(refused, 429, 'quota_exceeded')
    assert.equal(secondsLeft(refused), periodSeconds)
    assert.match(refused.headers.get('ratelimit') ?? '', /^"quota";r=0;t=2592000$/)
  }
})

test('a removed record makes room at once; a budget of the month stays spent', async ({ service, call, openWorld }) => {
  const world = await openWorld({ calendars: 2, events: 3 })
  const { key } = world
  const calendar = await makeCalendar(service, key)
  assert.equal((await call('POST', '/v1/calendars', { key, body: { name: 'C', timezone: 'UTC' } })).status, 429)
  await call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  await makeCalendar(service, key)
  const last = await makeEvent(service, key, world.calendar)
  await makeEvent(service, key, world.calendar)
  await call('DELETE', `${world.events}/${last.id}`, { key })
  assertRefused(await call('POST', world.events, { key, body: world.newEvent() }), 429, 'quota_exceeded')
})

test('when the period ends every budget is fresh', async ({ service, call, openWorld }) => {
  const world = await openWorld({ events: 1, availability_queries: 0, proposals: 1 })
  assertRefused(await call('POST', world.events, { key: world.key, body: world.newEvent() }), 429, 'quota_exceeded')
  await service.clock.advance(periodSeconds * 1000)
  assert.equal((await call('POST', world.events, { key: world.key, body: world.newEvent() })).status, 201)
  assert.equal((await call('POST', proposals, { key: world.key, body: world.newProposal() })).status, 201)
})

const counted: Edge[] = edges.filter(([limit]) => ['events', 'proposals', 'availability_queries'].includes(limit))

for (const [limit, max, status, held, run] of counted) {
  test(`${limit} are still counted when Redis is flushed, and while it is away`, async ({
    call,
    openWorld,
    forgetEverything,
    withoutRedis,
  }) => {
    const world = await openWorld({ [limit]: max })
    const send = () => {
      const [method, path, body] = run(world)
      return call(method, path, { key: world.key, body })
    }
    assert.equal(succeeded(await Promise.all([send(), send()])), 2)
    await forgetEverything()
    assert.equal((await send()).status < 300, true)
    await withoutRedis(async () => {
      const answers = await times(40, send)
      assert.equal(succeeded(answers), max - held - 3)
      const refused = answers.find((answer) => answer.status === status)!
      assertRefused(refused, status, 'quota_exceeded')
    })
    assert.equal((await send()).status, status)
  })
}
