// The reference of the webhooks is held against what a receiver really gets: every type, every field, every header.
import assert from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
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
import { bookSlot, startsOf } from '../../src/testing/guests.ts'
import { openTestService, type TestService } from '../../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { eventTypes } from '../../src/webhooks/catalog.ts'
import { maxFailures } from '../../src/webhooks/rules.ts'
import { deliveryHeaders, webhookEvents } from './webhookEvents.ts'

let service: TestService
let receiver: Receiver
let failing: Receiver
let key: string

beforeAll(async () => {
  service = await openTestService()
  receiver = await openReceiver()
  failing = await openReceiver()
  failing.answer = () => 500
  key = (await makeOrganization(service, { plan: 'custom' })).key
  await makeWebhook(service, key, receiver.url, eventTypes)
  await happen()
})
afterAll(async () => {
  await receiver.close()
  await failing.close()
  await service.close()
})

async function send(method: string, path: string, body?: object) {
  const answer = await service.call(method, path, { key, body })
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Everything that the catalog names, each as a client brings it about. */
async function happen() {
  const agent = await makeAgent(service, key)
  await send('PATCH', `/v1/agents/${agent.id}`, { name: 'Renamed' })
  const calendar = await makeCalendar(service, key, agent.id)
  await happenToEvents(calendar.id)
  await happenToProposals(agent.id, calendar.id)
  await makeEvent(service, key, calendar.id)
  await makeEvent(service, key, calendar.id, { recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  await service.drain()
  for (const minutes of [50, 10, 30]) {
    await service.clock.advance(minutes * 60_000)
    await service.drain()
  }
  await makeWebhook(service, key, failing.url, ['agent.updated'])
  for (let i = 0; i < maxFailures; i++) await send('PATCH', `/v1/agents/${agent.id}`, { name: `Name ${i}` })
  await service.drain()
}

async function happenToEvents(calendarId: string) {
  const path = `/v1/calendars/${calendarId}/events`
  const event = await makeEvent(service, key, calendarId)
  await send('PATCH', `${path}/${event.id}`, { title: 'Renamed' })
  await send('DELETE', `${path}/${event.id}`)
  await send('PUT', `/v1/events/${(await makeHold(service, key, calendarId)).id}/release`)
  await makeHold(service, key, calendarId)
  const winner = await makeHold(service, key, calendarId, { hold_priority: 1 })
  await send('PUT', `/v1/events/${winner.id}/confirm`)
  const page = await send('POST', '/v1/booking-pages', { calendar_id: calendarId, title: 'Chat' })
  const [start] = await startsOf(service, page.slug)
  assert.equal((await bookSlot(service, page.slug, start!)).status, 201)
}

async function happenToProposals(agentId: string, calendarId: string) {
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

test('a receiver gets every type of the catalog, and each payload is what the reference says', () => {
  assert.deepEqual([...new Set(receiver.types())].sort(), [...eventTypes].sort())
  for (const { type, payload } of receiver.received) {
    // What the schema does not know is not in the answer of its parser.
    const parsed = webhookEvents[type as 'agent.created'].payload.safeParse(payload)
    assert.ok(parsed.success, `${type}: ${parsed.error?.message}`)
    assert.deepEqual(parsed.data, payload, type)
  }
})

test('every field that the reference names is sent by something', () => {
  for (const type of eventTypes) {
    const sent = receiver.received.filter((one) => one.type === type).flatMap(({ payload }) => Object.keys(payload))
    assert.deepEqual([...new Set(sent)].sort(), Object.keys(webhookEvents[type].payload.shape).sort(), type)
  }
})

test('the headers of the reference are those that come', () => {
  for (const { type, headers } of receiver.received) {
    for (const [name, schema] of Object.entries(deliveryHeaders(type).shape)) {
      assert.ok(
        schema.safeParse(headers[name.toLowerCase()]).success,
        `${type} ${name}: ${headers[name.toLowerCase()]}`,
      )
    }
  }
})

test('the examples of the reference are such payloads, and whole', async () => {
  const { body: document } = await service.call('GET', '/openapi.json')
  for (const type of eventTypes) {
    const { example } = document.webhooks[type].post.requestBody.content['application/json']
    assert.deepEqual(webhookEvents[type].payload.parse(example), example, type)
  }
})
