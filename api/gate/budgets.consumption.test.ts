// Which operation consumes which budget, row by row.
import assert from 'node:assert/strict'
import { budgetsTest, proposals, type Used, type World, weekly } from '../../src/testing/budgets.ts'
import { makeAgent, makeOrganization, makeWebhook } from '../../src/testing/factories.ts'
import { times, withStatus } from '../../src/testing/gate.ts'

const test = budgetsTest()

type Operation = [
  name: string,
  status: number,
  consumes: Used,
  run: (world: World) => [method: string, path: string, body?: object, as?: 'guest'],
]

const operations: Operation[] = [
  ['create event', 201, { events: 1, api_calls: 1 }, (w) => ['POST', w.events, w.newEvent()]],
  ['create hold', 201, { events: 1, api_calls: 1, holds: 1 }, (w) => ['POST', w.events, w.newHold()]],
  [
    'create recurring series',
    201,
    { events: 1, recurring_events: 1, api_calls: 1 },
    (w) => ['POST', w.events, w.newEvent({ recurrence_rule: weekly })],
  ],
  ['list', 200, { api_calls: 1 }, (w) => ['GET', w.events]],
  ['list with expand', 200, { api_calls: 1 }, (w) => ['GET', `${w.events}?expand=true&${w.window()}`]],
  ['confirm', 200, { api_calls: 1, holds: -1 }, (w) => ['PUT', `/v1/events/${w.hold}/confirm`]],
  ['release', 200, { api_calls: 1, holds: -1 }, (w) => ['PUT', `/v1/events/${w.hold}/release`]],
  ['context', 200, { api_calls: 1 }, (w) => ['GET', `/v1/calendars/${w.calendar}/context`]],
  ['set availability rules', 200, { api_calls: 1 }, (w) => ['PUT', w.rules, {}]],
  ['read availability rules that are not there', 404, { api_calls: 1 }, (w) => ['GET', w.rules]],
  ['respond', 200, { api_calls: 1 }, (w) => ['POST', w.respond, { agent_id: w.agent, response: 'decline' }]],
  ['create proposal', 201, { proposals: 1, api_calls: 1 }, (w) => ['POST', proposals, w.newProposal()]],
  ['cancel proposal', 200, { api_calls: 1 }, (w) => ['POST', `${proposals}/${w.proposal}/cancel`]],
  [
    'availability of a calendar',
    200,
    { availability_queries: 1, api_calls: 1 },
    (w) => ['GET', `/v1/calendars/${w.calendar}/availability?${w.range()}`],
  ],
  [
    'availability of an agent',
    200,
    { availability_queries: 1, api_calls: 1 },
    (w) => ['GET', `/v1/agents/${w.agent}/availability?${w.range()}`],
  ],
  [
    'availability of agents',
    200,
    { availability_queries: 1, api_calls: 1 },
    (w) => ['GET', `/v1/availability?agents=${w.agent}&${w.range()}`],
  ],
  [
    'booking',
    201,
    { events: 1 },
    (w) => ['POST', `/book/${w.slug}`, { name: 'Guest', email: 'guest@example.com', start: w.at(120) }, 'guest'],
  ],
  ['feedback', 202, { api_calls: 1 }, () => ['POST', '/v1/feedback', { type: 'bug', message: 'It does not work.' }]],
  ['read the audit log', 200, { api_calls: 1 }, () => ['GET', '/v1/audit-log']],
  ['read the plans', 200, {}, () => ['GET', '/v1/plans']],
  ['no such route', 404, {}, () => ['GET', '/v1/nothing']],

  // A refused request consumes only the call.
  ['malformed event', 400, { api_calls: 1 }, (w) => ['POST', w.events, w.newEvent({ title: '' })]],
  [
    'event with a bad rule',
    400,
    { api_calls: 1 },
    (w) => ['POST', w.events, w.newEvent({ recurrence_rule: 'FREQ=HOURLY' })],
  ],
  ['event on no calendar', 404, { api_calls: 1 }, (w) => ['POST', '/v1/calendars/cal_x/events', w.newEvent()]],
  [
    'hold in the way of another',
    409,
    { api_calls: 1 },
    (w) => ['POST', w.events, w.newHold({ start_time: w.at(600), end_time: w.at(610) })],
  ],
  ['malformed proposal', 400, { api_calls: 1 }, (w) => ['POST', proposals, w.newProposal({ slots: [] })]],
  [
    'proposal of nobody',
    404,
    { api_calls: 1 },
    (w) => ['POST', proposals, w.newProposal({ organizer_agent_id: 'agt_x' })],
  ],
  ['availability without a window', 400, { api_calls: 1 }, (w) => ['GET', `/v1/calendars/${w.calendar}/availability`]],
  [
    'availability of no calendar',
    404,
    { api_calls: 1 },
    (w) => ['GET', `/v1/calendars/cal_x/availability?${w.range()}`],
  ],
  ['resolve before anybody responded', 409, { api_calls: 1 }, (w) => ['POST', `${proposals}/${w.proposal}/resolve`]],
  [
    'booking off the grid',
    400,
    {},
    (w) => ['POST', `/book/${w.slug}`, { name: 'Guest', email: 'guest@example.com', start: w.at(121) }, 'guest'],
  ],
  [
    'booking what is taken',
    409,
    {},
    (w) => ['POST', `/book/${w.slug}`, { name: 'Guest', email: 'guest@example.com', start: w.at(600) }, 'guest'],
  ],
]

for (const [name, status, consumes, run] of operations) {
  test(`${name}: ${status}, ${JSON.stringify(consumes)}`, async ({ service, call, openWorld, consumed }) => {
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

test('resolving consumes an event, by request and by the last response', async ({ call, openWorld, consumed }) => {
  const one = await openWorld()
  const accept = async (world: World, agent: string) => {
    const { body } = await call('GET', `${proposals}/${world.proposal}`, { key: world.key })
    const response = { agent_id: agent, response: 'accept', selected_slot_id: body.slots[0].id }
    assert.equal((await call('POST', world.respond, { key: world.key, body: response })).status, 200)
  }
  await accept(one, one.agent)
  const resolved = await consumed(one.key, () => call('POST', `${proposals}/${one.proposal}/resolve`, { key: one.key }))
  assert.deepEqual(resolved, { events: 1, api_calls: 1 })
  const two = await openWorld()
  await accept(two, two.agent)
  // Two calls: the proposal is read for its slots.
  assert.deepEqual(await consumed(two.key, () => accept(two, two.other)), { events: 1, api_calls: 2 })
})

test('a delivery is consumed when it is tried, not while it waits and not when it is refused', async ({
  service,
  receiver,
  openWorld,
  consumed,
}) => {
  const { key } = await openWorld({ webhook_deliveries: 2 })
  await makeWebhook(service, key, receiver.url, ['agent.created'])
  assert.deepEqual(await consumed(key, () => makeAgent(service, key)), { agents: 1, api_calls: 1 })
  assert.deepEqual(await consumed(key, () => service.drain()), { webhooks: 1 })
  for (let n = 0; n < 3; n++) await makeAgent(service, key)
  assert.deepEqual(await consumed(key, () => service.drain()), { webhooks: 1 })
})

test('a request over the rate limit consumes nothing', async ({ service, call, usage }) => {
  const { key } = await makeOrganization(service, { rate: 3 })
  const before = await usage(key)
  const answers = await times(20, () => call('GET', '/v1/calendars', { key }))
  const served = withStatus(answers, 200)
  assert.equal(served, 2)
  for (const { status, headers } of answers) if (status === 429) assert.equal(headers.get('retry-after'), '1')
  await service.clock.advance(1_000)
  assert.equal((await usage(key)).api_calls, before.api_calls! + served + 1)
})
