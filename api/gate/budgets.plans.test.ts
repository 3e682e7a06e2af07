// The sandbox and the free plan, through the whole product.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import type { Answer } from '../../src/testing/answer.ts'
import { periodSeconds, proposals, weekly } from '../../src/testing/budgets.ts'
import { makeCalendar, makeOrganization } from '../../src/testing/factories.ts'
import { gateTest, times, withStatus } from '../../src/testing/gate.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = gateTest()

/** Numbers what must have a URL of its own. */
let nth = 0

const tiers = [
  ['free-agent-unverified', 'unverified', { agents: 1, calendars: 1, webhooks: 1, ical_subscriptions: 1 }],
  ['free-agent', 'verified', { agents: 3, calendars: 10, webhooks: 3, ical_subscriptions: 5 }],
  ['free', null, { agents: 3, calendars: 10, webhooks: 3, ical_subscriptions: 5 }],
] as const

for (const [plan, verification, caps] of tiers) {
  test(`${plan}: its limits of records, no proposals, no scoped keys`, async ({
    service,
    call,
    eventBody,
    forgetEverything,
  }) => {
    const { id, key } = await makeOrganization(service, { plan: 'free' })
    await service.app.sql`
      update organizations set plan = ${plan}, verification_status = ${verification} where id = ${decodeId('org', id)!}`
    await forgetEverything()
    const until = async (status: number, run: () => Promise<Answer>) => {
      for (let made = 0; ; made++) {
        const answer = await run()
        if (answer.status >= 300) {
          assertRefused(answer, status, 'quota_exceeded')
          assert.equal(Number(answer.headers.get('retry-after')), periodSeconds)
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
    const webhooks = send('/v1/webhooks', () => ({ url: `https://example.com/${nth++}`, events: ['agent.created'] }))
    assert.equal(await until(429, webhooks), caps.webhooks)
    const feeds = send(`/v1/agents/${agent}/ical-subscriptions`, () => ({
      calendar_id: calendar,
      url: `https://feeds.example.com/${nth++}.ics`,
    }))
    assert.equal(await until(402, feeds), caps.ical_subscriptions)
    const pages = send('/v1/booking-pages', () => ({ calendar_id: calendar, title: 'B' }))
    assert.equal(await until(429, pages), 1)
    const series = send(`/v1/calendars/${calendar}/events`, () => ({ ...eventBody(), recurrence_rule: weekly }))
    assert.equal(await until(429, series), 5)
    const gated = await call('POST', proposals, { key, body: {} })
    assertRefused(gated, 403, 'plan_required', { feature: 'scheduling_proposals' })
    const scoped = await call('POST', '/v1/keys', { key, body: { agent_id: agent } })
    assertRefused(scoped, 403, 'plan_required', { feature: 'scoped_keys' })
  })
}

test('the sandbox: 10 events a month, series among them', async ({ service, call, eventBody, forgetEverything }) => {
  const { id, key } = await makeOrganization(service, { plan: 'free' })
  await service.app.sql`
    update organizations set plan = 'free-agent-unverified', verification_status = 'unverified'
    where id = ${decodeId('org', id)!}`
  await forgetEverything()
  const calendar = await makeCalendar(service, key)
  const answers = await times(30, (n) => {
    const body = { ...eventBody(), ...(n % 10 === 0 && { recurrence_rule: weekly }) }
    return call('POST', `/v1/calendars/${calendar.id}/events`, { key, body })
  })
  assert.equal(withStatus(answers, 201), 10)
  const { events: used, api_calls: calls } = (await call('GET', '/v1/usage', { key })).body
  assert.deepEqual(
    [used, calls],
    [
      { used: 10, limit: 10 },
      { used: 32, limit: 1_000 },
    ],
  )
})
