import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ahead, makeAgent, makeCalendar, makeOrganization, makeWebhook } from '../src/testing/factories.ts'
import { openTestService, type TestService } from '../src/testing/harness.ts'
import { openReceiver, type Receiver } from '../src/testing/receiver.ts'

let service: TestService
let receiver: Receiver

before(async () => {
  service = await openTestService()
  receiver = await openReceiver()
})
after(async () => {
  await receiver.close()
  await service.close()
})

test('the last response resolves a proposal into an event on the winning slot', async () => {
  const { key } = await makeOrganization(service)
  const types = ['proposal.created', 'proposal.responded', 'event.created', 'proposal.confirmed']
  await makeWebhook(service, key, receiver.url, types)
  const [organizer, first, second] = [
    await makeAgent(service, key),
    await makeAgent(service, key),
    await makeAgent(service, key),
  ]
  const calendar = await makeCalendar(service, key)
  const created = await service.call('POST', '/v1/scheduling/proposals', {
    key,
    body: {
      title: 'Review',
      organizer_agent_id: organizer.id,
      participant_agent_ids: [first.id, second.id],
      calendar_id: calendar.id,
      slots: [
        { start_time: ahead(service, 60), end_time: ahead(service, 90) },
        { start_time: ahead(service, 120), end_time: ahead(service, 150), weight: 1.5 },
      ],
      expires_at: ahead(service, 30),
    },
  })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  assert.equal('slots' in created.body, false)
  await service.drain()
  const path = `/v1/scheduling/proposals/${created.body.id}`
  const full = await service.call('GET', path, { key })
  const [early, late] = full.body.slots
  const accept = (agent: { id: string }, slot: { id: string }) =>
    service.call('POST', `${path}/respond`, {
      key,
      body: { agent_id: agent.id, response: 'accept', selected_slot_id: slot.id },
    })
  assert.equal((await accept(first, early)).status, 200)
  const again = await accept(first, early)
  assert.deepEqual(
    [again.status, again.body.error.type, again.body.error.code],
    [409, 'conflict', 'duplicate_response'],
  )
  assert.equal((await accept(second, late)).status, 200)
  const ended = await service.call('GET', path, { key })
  assert.equal(ended.body.status, 'confirmed')
  assert.equal(ended.body.resolved_slot.id, late.id)
  assert.equal(ended.body.resolved_slot.calendar_id, calendar.id)
  await service.drain()
  assert.deepEqual(receiver.types(), [
    'proposal.created',
    'proposal.responded',
    'proposal.responded',
    'event.created',
    'proposal.confirmed',
  ])
  const event = await service.call('GET', `/v1/calendars/${calendar.id}/events/${ended.body.created_event_id}`, { key })
  assert.equal(event.body.title, 'Review')
  assert.deepEqual(event.body.metadata, { proposal_id: created.body.id })
})
