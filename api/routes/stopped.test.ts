// An organization that is stopped: what is open ends, and strangers see nothing of it.
import assert from 'node:assert/strict'
import { openPages } from '../../src/organizations/organizations.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { openEventStream } from '../../src/testing/eventStream.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, startsOf } from '../../src/testing/guests.ts'
import { adminToken, openTestService, type TestService } from '../../src/testing/harness.ts'
import { mailsTo } from '../../src/testing/mailbox.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { untilWaiting } from '../../src/testing/waits.ts'

const test = serviceTest().override('service', perFile, async ({ options: _ }, { onCleanup }) => {
  const service = await openTestService({ env: guestEnv })
  onCleanup(service.close)
  return service
})

const waitlist = ({ call }: TestService, orgId: string, is_waitlisted: boolean) =>
  call('PATCH', `/v1/admin/orgs/${orgId}`, { key: adminToken, body: { is_waitlisted } })

const requestAt = (startedAt: Date) => ({
  ...{ id: 'req_1', method: 'OPS', path: 'ops pages off', ip: null, userAgent: null },
  ...{ startedAt, successStatus: 200 },
})

test('its streams and waits end, and tell nothing that happens afterwards', async ({ service }) => {
  const { key, orgId, page, calendar } = await makePage(service)
  const [start] = await startsOf(service, page.slug)
  const stream = await openEventStream(`${service.baseUrl}/v1/changes/stream`, { authorization: `Bearer ${key}` })
  await stream.next()
  const waiting = service.call('GET', '/v1/changes?wait=55', { key })
  await untilWaiting(service.app, 2)
  assert.equal((await waitlist(service, orgId, true)).status, 200)
  assertRefused(await waiting, 403, 'account_waitlisted', {})
  const bye = await stream.next()
  assert.ok(bye && 'event' in bye && bye.event === 'bye')
  assertRefused(await bookSlot(service, page.slug, start!), 404, 'not_found')
  assertRefused(await service.call('GET', `/v1/calendars/${calendar.id}`, { key }), 403, 'account_waitlisted', {})
})

test('a revoked key gets no change that is made after its revocation', async ({ service, key }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const agentKey = await makeAgentKey(service, key, agent.id)
  const stream = await openEventStream(`${service.baseUrl}/v1/changes/stream`, { authorization: `Bearer ${agentKey}` })
  await stream.next()
  const waiting = service.call('GET', '/v1/changes?wait=55', { key: agentKey })
  await untilWaiting(service.app, 2)
  const { keys } = (await service.call('GET', '/v1/keys', { key })).body
  await service.call('DELETE', `/v1/keys/${keys[0].id}`, { key })
  await makeEvent(service, key, calendar.id)
  const bye = await stream.next()
  assert.ok(bye && 'event' in bye && bye.event === 'bye')
  assert.equal((await waiting).status, 401)
})

for (const how of ['waitlist', 'pages'] as const) {
  test(`its pages and feeds are closed, and its mails wait (${how})`, async ({ service }) => {
    const { orgId, page, calendar } = await makePage(service)
    const stop = (isStopped: boolean) =>
      how === 'waitlist'
        ? waitlist(service, orgId, isStopped)
        : openPages(service.app, requestAt(service.clock.now()), orgId, !isStopped)
    const feed = new URL(calendar.ical_url).pathname
    const email = `guest.${how}@example.com`
    const [, , start, later] = await startsOf(service, page.slug)
    assert.equal((await bookSlot(service, page.slug, start!, { email })).status, 201)
    await stop(true)
    await service.drain()
    assert.deepEqual(await mailsTo(service, email), [])
    assertRefused(await service.call('GET', `/book/${page.slug}/slots`), 404, 'not_found')
    assertRefused(await bookSlot(service, page.slug, later!), 404, 'not_found')
    assert.equal((await service.call('GET', feed)).status, 404)
    await stop(false)
    await service.drain()
    const [mail] = await mailsTo(service, email)
    const token = /\/booking\/(\S+)/.exec(mail!.text)![1]
    assert.equal((await service.call('GET', feed)).status, 200)

    await stop(true)
    const body = { start: later }
    assertRefused(await service.call('POST', `/booking/${token}/reschedule`, { body }), 409, 'conflict')
    assert.equal((await service.call('POST', `/booking/${token}/cancel`, { body: {} })).status, 200)
    await service.drain()
    assert.equal((await mailsTo(service, email)).length, 1)
    // The booking is over before its organization continues.
    await service.clock.advance(2 * dayMs)
    await stop(false)
    await service.drain()
    assert.equal((await mailsTo(service, email)).length, 1)
    assert.equal((await service.app.sql`select from mails`).length, 0)
  })
}
