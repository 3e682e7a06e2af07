import assert from 'node:assert/strict'
import type { Answer } from '../testing/answer.ts'
import { makeAgent, makeCalendar, makeOrganization } from '../testing/factories.ts'
import type { TestService } from '../testing/harness.ts'
import { assertRefused } from '../testing/refused.ts'
import { serviceTest } from '../testing/test.ts'

type Desk = { key: string; agentId: string; calendarId: string }

/** Each test has an agent of its own, which it decommissions. */
const test = serviceTest().extend('desk', async ({ service }): Promise<Desk> => {
  const { key } = await makeOrganization(service)
  const { id: agentId } = await makeAgent(service, key)
  return { key, agentId, calendarId: (await makeCalendar(service, key, agentId)).id }
})

/** Decommissions the agent while what is sent waits for `table`. */
async function decommissionDuring(
  { app: { sql }, call }: TestService,
  { key, agentId }: Desk,
  table: string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const other = await sql.reserve()
  await other`begin`
  await other`lock table ${other(table)} in share row exclusive mode`
  let isAnswered = false
  const sent = send().finally(() => {
    isAnswered = true
  })
  for (let waiting = 0; waiting === 0 && !isAnswered; ) {
    const [row] = await sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    waiting = row!.waiting
  }
  const { status } = await call('DELETE', `/v1/agents/${agentId}`, { key })
  await other`commit`
  other.release()
  assert.equal(status, 204)
  return sent
}

type Creation = { what: string; table: string; path: (desk: Desk) => string; body: (desk: Desk) => object }

/** Each counts the rows of its table against the cap after it has seen its agent live. */
const creations: Creation[] = [
  {
    what: 'calendar',
    table: 'calendars',
    path: ({ agentId }) => `/v1/agents/${agentId}/calendars`,
    body: () => ({ name: 'Late', timezone: 'UTC' }),
  },
  {
    what: 'iCal subscription',
    table: 'ical_subscriptions',
    path: ({ agentId }) => `/v1/agents/${agentId}/ical-subscriptions`,
    body: ({ calendarId }) => ({ calendar_id: calendarId, url: 'https://feeds.example.com/late.ics' }),
  },
  {
    what: 'booking page',
    table: 'booking_pages',
    path: () => '/v1/booking-pages',
    body: ({ calendarId }) => ({ calendar_id: calendarId, title: 'Late', duration_minutes: 30, timezone: 'UTC' }),
  },
]

for (const { what, table, path, body } of creations) {
  test(`no ${what} is made for an agent that is decommissioned while the request is under way`, async ({
    service,
    desk,
  }) => {
    const { sql } = service.app
    const before = await sql`select id from ${sql(table)}`
    const answer = await decommissionDuring(service, desk, table, () =>
      service.call('POST', path(desk), { key: desk.key, body: body(desk) }),
    )
    assertRefused(answer, 409, 'conflict', { code: 'agent_decommissioned' })
    assert.deepEqual(await sql`select id from ${sql(table)}`, before)
  })
}
