import assert from 'node:assert/strict'
import { test } from 'vitest'
import { features, isPaid, type LimitName, limitNames, limitsOf, type PlanId, planIds, plans } from './plans.ts'

/** The tables of caps: free, pro, sandbox. */
const caps: Record<LimitName, [free: number, pro: number | null, sandbox: number]> = {
  agents: [3, 50, 1],
  calendars: [10, 250, 1],
  ical_subscriptions: [5, 100, 1],
  webhooks: [3, 25, 1],
  scoped_keys: [0, 50, 0],
  organization_keys: [2, 20, 1],
  recurring_events: [5, 250, 5],
  events: [2_500, 125_000, 10],
  api_calls: [50_000, 1_000_000, 1_000],
  webhook_deliveries: [5_000, 250_000, 25],
  availability_queries: [10_000, 1_000_000, 50],
  proposals: [0, null, 0],
  booking_pages: [1, 25, 1],
  audit_retention_days: [3, 90, 3],
  changes_retention_days: [3, 30, 3],
  change_waits: [50, 1_000, 50],
  calendar_connections: [2, 50, 0],
  members: [3, 25, 1],
  agents_per_query: [5, 20, 5],
  query_range_days: [30, 90, 30],
}

test('every limit is in the tables, and every entry of the tables is a limit', () => {
  assert.deepEqual(Object.keys(caps).sort(), [...limitNames].sort())
})

for (const name of limitNames) {
  const [free, pro, sandbox] = caps[name]
  test(`${name}: ${free} on free, ${pro ?? 'unlimited'} on pro, ${sandbox} in the sandbox`, () => {
    assert.equal(limitsOf('free', {})[name], free)
    assert.equal(limitsOf('pro', {})[name], pro)
    assert.equal(limitsOf('free-agent-unverified', {})[name], sandbox)
  })
}

test('a verified agent sign-up has what free has', () => {
  assert.deepEqual(plans['free-agent'], plans.free)
})

test('custom is unlimited where nothing was agreed, and what was agreed holds', () => {
  const agreed = limitsOf('custom', { agents: 7, events: null })
  assert.deepEqual(agreed, { ...Object.fromEntries(limitNames.map((name) => [name, null])), agents: 7 })
})

test('agreed caps count on the custom plan only', () => {
  assert.equal(limitsOf('free', { agents: 1_000 }).agents, 3)
  assert.equal(limitsOf('pro', { agents: 1_000 }).agents, 50)
})

const rates: [PlanId, number | null][] = [
  ['free', 10],
  ['pro', 50],
  ['custom', null],
  ['free-agent', 10],
  ['free-agent-unverified', 10],
]
for (const [plan, rate] of rates) {
  test(`${plan} allows ${rate ?? 'any number of'} requests per second`, () => {
    assert.equal(plans[plan].requestsPerSecond, rate)
  })
}

test('pro and custom are the paid plans', () => {
  assert.deepEqual(planIds.filter(isPaid), ['pro', 'custom'])
})

test('free tries a delivery 4 times, pro and custom 8 times, at the waits that are promised', () => {
  const [m, h] = [60, 3_600]
  assert.deepEqual(plans.free.retryScheduleSeconds, [m, 5 * m, 30 * m])
  assert.deepEqual(plans.pro.retryScheduleSeconds, [m, 5 * m, 30 * m, h, 2 * h, 6 * h, 12 * h])
  assert.deepEqual(plans.custom.retryScheduleSeconds, plans.pro.retryScheduleSeconds)
  assert.deepEqual(plans['free-agent-unverified'].retryScheduleSeconds, plans.free.retryScheduleSeconds)
})

test('the gated features go by the names of the errors', () => {
  assert.deepEqual([...features].sort(), [
    'cross_agent_availability',
    'scheduling_proposals',
    'scoped_keys',
    'temporal_holds',
    'unbounded_recurrence',
  ])
})
