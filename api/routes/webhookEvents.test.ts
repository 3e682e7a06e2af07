// The reference of the webhooks agrees with what a receiver gets: every type, every field, every header.
import assert from 'node:assert/strict'
import { makeOwner } from '../../src/testing/accounts.ts'
import type { Answer } from '../../src/testing/answer.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeProposal,
  makeWebhook,
} from '../../src/testing/factories.ts'
import { bookSlot, startsOf } from '../../src/testing/guests.ts'
import type { TestService } from '../../src/testing/harness.ts'
import { groupBody } from '../../src/testing/holdGroups.ts'
import { type CaldavServer, openCaldavServer } from '../../src/testing/providers/caldavServer.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { eventTypes } from '../../src/webhooks/catalog.ts'
import { maxFailures } from '../../src/webhooks/rules.ts'
import { deliveryHeaders, webhookEvents } from './webhookEvents.ts'

type Desk = {
  service: TestService
  key: string
  receiver: Receiver
  failing: Receiver
  caldav: CaldavServer
  send(method: string, path: string, body?: object): Promise<Answer['body']>
}

const test = serviceTest({ plan: 'custom', receives: eventTypes })
  .extend('failing', perFile, async ({ service: _ }, { onCleanup }) => {
    const failing = await openReceiver()
    onCleanup(failing.close)
    failing.answer = () => 500
    return failing
  })
  .extend('caldav', perFile, async ({ service: _ }, { onCleanup }) => {
    const caldav = await openCaldavServer()
    onCleanup(caldav.close)
    caldav.addCalendar('personal', { name: 'Personal' })
    return caldav
  })
  .extend('received', perFile, async ({ service, key, receiver, failing, caldav }) => {
    const send: Desk['send'] = async (method, path, body) => {
      const answer = await service.call(method, path, { key, body })
      assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    await happen({ service, key, receiver, failing, caldav, send })
    return receiver.received
  })

/** Every event of the catalog, caused as a client causes it. */
async function happen(desk: Desk) {
  const { service, key, send, failing } = desk
  const agent = await makeAgent(service, key)
  const guardrails = { approval: { on: 'all' } }
  const asking = await makeAgentKey(service, key, agent.id, guardrails)
  const { body: asked } = await service.call('PATCH', `/v1/agents/${agent.id}`, {
    key: asking,
    body: { name: 'Asked' },
  })
  await send('POST', `/v1/approvals/${asked.approval.id}/reject`, {})
  await send('PATCH', `/v1/agents/${agent.id}`, { name: 'Renamed' })
  const calendar = await makeCalendar(service, key, agent.id)
  await happenToEvents(desk, calendar.id)
  await happenToProposals(desk, agent.id, calendar.id)
  await happenToGroups(desk, calendar.id)
  await makeEvent(service, key, calendar.id)
  await makeEvent(service, key, calendar.id, { recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  await service.drain()
  for (const minutes of [50, 10, 30]) {
    await service.clock.advance(minutes * 60_000)
    await service.drain()
  }
  await happenToConnections(desk)
  await makeWebhook(service, key, failing.url, ['agent.updated'])
  for (let i = 0; i < maxFailures; i++) await send('PATCH', `/v1/agents/${agent.id}`, { name: `Name ${i}` })
  await service.drain()
}

/** A human has an organization of their own: they sign in. */
async function happenToConnections({ service, receiver, caldav }: Desk) {
  const { key, token } = await makeOwner(service)
  const types = eventTypes.filter((type) => /^(connection_link|availability_source)/.test(type))
  await makeWebhook(service, key, receiver.url, types)
  const calendar = await makeCalendar(service, key, (await makeAgent(service, key)).id)
  const ask = async (method: string, path: string, body?: object, bearer = token) => {
    const answer = await service.call(method, path, { key: bearer, body })
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const links = `/v1/calendars/${calendar.id}/connection-links`
  await ask('DELETE', `/v1/connection-links/${(await ask('POST', links, {}, key)).id}`, undefined, key)
  const { id: setup_link_id } = await ask('POST', links, {}, key)
  const login = { server_url: caldav.origin, username: caldav.username, password: caldav.password }
  const { id, calendars } = await ask('POST', '/v1/calendar-connections/caldav', { ...login, setup_link_id })
  await ask('POST', `/connect/links/${setup_link_id}`, { external_calendar_ids: [calendars[0].id] })
  for (const verb of ['pause', 'resume']) await ask('POST', `/v1/calendar-connections/${id}/${verb}`)
  await service.drain()
}

async function happenToEvents({ service, key, send }: Desk, calendarId: string) {
  const path = `/v1/calendars/${calendarId}/events`
  const event = await makeEvent(service, key, calendarId)
  await send('PATCH', `${path}/${event.id}`, { title: 'Renamed' })
  await send('DELETE', `${path}/${event.id}`)
  await send('POST', `/v1/events/${event.id}/restore`, {})
  await send('DELETE', `${path}/${event.id}`)
  await send('PUT', `/v1/events/${(await makeHold(service, key, calendarId)).id}/release`)
  await makeHold(service, key, calendarId)
  const winner = await makeHold(service, key, calendarId, { hold_priority: 1 })
  await send('PUT', `/v1/events/${winner.id}/confirm`)
  const page = await send('POST', '/v1/booking-pages', { calendar_id: calendarId, title: 'Chat' })
  const [start] = await startsOf(service, page.slug)
  assert.equal((await bookSlot(service, page.slug, start!)).status, 201)
}

async function happenToGroups({ service, send }: Desk, calendarId: string) {
  const place = (minutes: number) =>
    send('POST', '/v1/hold-groups', {
      ...groupBody(service, [calendarId], { require_free: false }),
      ...{ start_time: ahead(service, minutes), end_time: ahead(service, minutes + 10) },
    })
  await send('PUT', `/v1/hold-groups/${(await place(200)).id}/confirm`)
  await send('PUT', `/v1/hold-groups/${(await place(300)).id}/release`)
  await place(400)
}

async function happenToProposals({ service, key, send }: Desk, agentId: string, calendarId: string) {
  const propose = (more: object = {}) =>
    makeProposal(service, key, {
      organizer_agent_id: agentId,
      participant_agent_ids: [agentId],
      calendar_id: calendarId,
      ...more,
    })
  const base = '/v1/scheduling/proposals'
  const accepted = await send('GET', `${base}/${(await propose()).id}`)
  const accept = { agent_id: agentId, response: 'accept', selected_slot_id: accepted.slots[0].id }
  await send('POST', `${base}/${accepted.id}/respond`, accept)
  await send('POST', `${base}/${(await propose()).id}/cancel`)
  const declined = await propose()
  await send('POST', `${base}/${declined.id}/respond`, { agent_id: agentId, response: 'decline' })
  await propose({ expires_at: ahead(service, 20) })
}

test('a receiver gets every type of the catalog, and each payload is what the reference says', ({ received }) => {
  assert.deepEqual([...new Set(received.map(({ type }) => type))].sort(), [...eventTypes].sort())
  for (const { type, payload } of received) {
    // The parser leaves out fields that the schema does not know.
    const parsed = webhookEvents[type as 'agent.created'].payload.safeParse(payload)
    assert.ok(parsed.success, `${type}: ${parsed.error?.message}`)
    assert.deepEqual(parsed.data, payload, type)
  }
})

test('every field of the reference is sent with some event', ({ received }) => {
  for (const type of eventTypes) {
    const sent = received.filter((one) => one.type === type).flatMap(({ payload }) => Object.keys(payload))
    assert.deepEqual([...new Set(sent)].sort(), Object.keys(webhookEvents[type].payload.shape).sort(), type)
  }
})

test('every delivery has the headers of the reference', ({ received }) => {
  for (const { type, headers } of received) {
    for (const [name, schema] of Object.entries(deliveryHeaders(type).shape)) {
      assert.ok(
        schema.safeParse(headers[name.toLowerCase()]).success,
        `${type} ${name}: ${headers[name.toLowerCase()]}`,
      )
    }
  }
})

test('the examples of the reference are complete payloads', async ({ call }) => {
  const { body: document } = await call('GET', '/openapi.json')
  for (const type of eventTypes) {
    const { example } = document.webhooks[type].post.requestBody.content['application/json']
    assert.deepEqual(webhookEvents[type].payload.parse(example), example, type)
  }
})
