// The entries of each change, whoever listens.
import assert from 'node:assert/strict'
import { changesOf, idText, type StoredChange } from '../testing/changes.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
  makeProposal,
  makeWebhook,
} from '../testing/factories.ts'
import { bookSlot, makePage, startsOf } from '../testing/guests.ts'
import { testStart } from '../testing/harness.ts'
import { serviceTest } from '../testing/test.ts'

/** An organization of its own for each test, with an agent and its calendar. */
const test = serviceTest().extend('desk', async ({ service }) => {
  await service.clock.set(testStart)
  const organization = await makeOrganization(service)
  const { key, id } = organization
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const before = (await changesOf(service, id)).length
  /** The entries since the beginning of the test. */
  const told = async () => (await changesOf(service, id)).slice(before)
  async function ask(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object, by = key) {
    const answer = await service.call(method, path, { key: by, body })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return { ...organization, agent, calendar, told, ask }
})

const types = (entries: readonly StoredChange[]) => entries.map(({ type }) => type)

/** `type, calendar, agent, revision, cause`, and the id of what it is about. */
const told = (prefix: Parameters<typeof idText>[0]) => (entry: StoredChange) => [
  entry.type,
  idText('cal', entry.calendarId),
  idText('agt', entry.agentId),
  entry.revision,
  entry.cause,
  idText(prefix, entry.resourceId),
]

test('an entry says what happened, when, to what, at which revision of whose calendar, and who did it', async ({
  service,
  desk,
}) => {
  const { key, agent, calendar } = desk
  const agentKey = await makeAgentKey(service, key, agent.id)
  const event = await makeEvent(service, agentKey, calendar.id)
  await service.clock.advance(60_000)
  await desk.ask('PATCH', `/v1/calendars/${calendar.id}/events/${event.id}`, { title: 'Other' })
  await desk.ask('DELETE', `/v1/calendars/${calendar.id}/events/${event.id}`)
  const entries = await desk.told()
  const of = [calendar.id, agent.id]
  assert.deepEqual(entries.map(told('evt')), [
    ['event.created', ...of, 1, 'api', event.id],
    ['event.updated', ...of, 2, 'api', event.id],
    ['event.deleted', ...of, 3, 'api', event.id],
  ])
  const [created, updated, deleted] = entries
  assert.deepEqual(created!.actor, { agent_id: agent.id, key_prefix: agentKey.slice(0, 20) })
  assert.deepEqual(updated!.actor, { agent_id: null, key_prefix: key.slice(0, 20) })
  assert.equal(updated!.createdAt.getTime() - created!.createdAt.getTime(), 60_000)
  assert.equal(created!.payload.event.title, 'Event')
  assert.deepEqual(deleted!.payload, { calendar_id: calendar.id, event_id: event.id })
})

test('each change of calendars, rules, pages, subscriptions and agents is told, with the record or its id', async ({
  desk,
}) => {
  const { ask, agent } = desk
  const calendar = await ask('POST', `/v1/agents/${agent.id}/calendars`, { name: 'Second', timezone: 'UTC' })
  const path = `/v1/calendars/${calendar.id}`
  const renamed = await ask('PATCH', path, { name: 'Renamed' })
  const rules = await ask('PUT', `${path}/availability-rules`, { timezone: 'UTC', buffer_before_minutes: 5 })
  await ask('DELETE', `${path}/availability-rules`)
  const page = await ask('POST', '/v1/booking-pages', {
    calendar_id: calendar.id,
    title: 'Talk',
    duration_minutes: 30,
    timezone: 'UTC',
  })
  const edited = await ask('PATCH', `/v1/booking-pages/${page.id}`, { title: 'Other talk' })
  await ask('DELETE', `/v1/booking-pages/${page.id}`)
  const feeds = `/v1/agents/${agent.id}/ical-subscriptions`
  const feed = await ask('POST', feeds, { calendar_id: calendar.id, url: 'https://example.com/feed.ics' })
  const labelled = await ask('PATCH', `/v1/ical-subscriptions/${feed.id}`, { label: 'Team' })
  await ask('DELETE', `/v1/ical-subscriptions/${feed.id}`)
  await ask('DELETE', path)
  await ask('DELETE', `/v1/agents/${agent.id}`)
  const entries = await desk.told()
  const of = [calendar.id, agent.id]
  assert.deepEqual(
    entries.map((entry) => told(prefixOf(entry.type))(entry)),
    [
      ['calendar.created', ...of, 0, 'api', calendar.id],
      ['calendar.updated', ...of, 1, 'api', calendar.id],
      ['availability_rules.set', ...of, 2, 'api', calendar.id],
      ['availability_rules.removed', ...of, 3, 'api', calendar.id],
      ['booking_page.created', ...of, null, 'api', page.id],
      ['booking_page.updated', ...of, null, 'api', page.id],
      ['booking_page.removed', ...of, null, 'api', page.id],
      ['ical_subscription.created', ...of, null, 'api', feed.id],
      ['ical_subscription.updated', ...of, null, 'api', feed.id],
      ['ical_subscription.removed', ...of, null, 'api', feed.id],
      ['calendar.deleted', ...of, 4, 'api', calendar.id],
      ['agent.decommissioned', null, agent.id, null, 'api', agent.id],
    ],
  )
  const gone = { ...agent, status: 'decommissioned' }
  assert.deepEqual(
    entries.map(({ payload }) => payload),
    [
      { calendar },
      { calendar: renamed },
      { rules },
      { rules_id: rules.id },
      { booking_page: page },
      { booking_page: edited },
      { booking_page_id: page.id },
      { ical_subscription: feed },
      { ical_subscription: labelled },
      { ical_subscription_id: feed.id },
      { calendar_id: calendar.id },
      { agent: gone },
    ],
  )
})

const prefixOf = (type: string) =>
  (({ booking_page: 'bkp', ical_subscription: 'ics', agent: 'agt', proposal: 'spr', event: 'evt' }) as const)[
    type.split('.')[0] as 'agent'
  ] ?? 'cal'

test('entries of one change stand together, in the order in which they were emitted', async ({ service, desk }) => {
  const { key, agent, calendar, ask } = desk
  const low = await makeHold(service, key, calendar.id)
  const high = await makeHold(service, key, calendar.id, { hold_priority: 5 })
  const organizer = await makeAgent(service, key)
  const proposal = await makeProposal(service, key, {
    organizer_agent_id: organizer.id,
    participant_agent_ids: [agent.id],
    calendar_id: calendar.id,
  })
  const slot = (await service.call('GET', `/v1/scheduling/proposals/${proposal.id}`, { key })).body.slots[0]
  await ask('POST', `/v1/scheduling/proposals/${proposal.id}/respond`, {
    agent_id: agent.id,
    response: 'accept',
    selected_slot_id: slot.id,
  })
  const entries = (await desk.told()).filter(({ type }) => !type.startsWith('agent.'))
  const changes = [...Map.groupBy(entries, ({ changeId }) => changeId).values()]
  assert.deepEqual(changes.map(types), [
    ['event.hold_created'],
    ['event.hold_expired', 'event.hold_created'],
    ['proposal.created'],
    ['proposal.responded', 'event.created', 'proposal.confirmed'],
  ])
  const [, expired, created, proposed, responded, placed, confirmed] = changes.flat()
  assert.deepEqual(
    [expired!.position, created!.position, responded!.position, placed!.position, confirmed!.position],
    [0, 1, 0, 1, 2],
  )
  const of = [calendar.id, agent.id]
  assert.deepEqual(told('evt')(expired!), ['event.hold_expired', ...of, 2, 'api', low.id])
  assert.deepEqual(told('evt')(created!), ['event.hold_created', ...of, 2, 'api', high.id])
  const ofProposal = [calendar.id, organizer.id, null, 'api', proposal.id]
  assert.deepEqual(told('spr')(proposed!), ['proposal.created', ...ofProposal])
  assert.deepEqual(told('spr')(responded!), ['proposal.responded', ...ofProposal])
  assert.deepEqual(told('spr')(confirmed!), ['proposal.confirmed', ...ofProposal])
  assert.deepEqual(told('evt')(placed!).slice(0, 5), ['event.created', ...of, 3, 'api'])
})

test('what comes due by itself is told without an actor, and a moment without a revision', async ({
  service,
  desk,
}) => {
  const { key, agent, calendar } = desk
  const event = await makeEvent(service, key, calendar.id, { reminders: [10] })
  const hold = await makeHold(service, key, calendar.id)
  const proposal = await makeProposal(service, key, {
    organizer_agent_id: agent.id,
    participant_agent_ids: [(await makeAgent(service, key)).id],
    calendar_id: calendar.id,
    expires_at: ahead(service, 20),
  })
  const made = (await desk.told()).length
  for (const minutes of [6, 15, 30, 10, 30]) {
    await service.clock.advance(minutes * 60_000)
    await service.drain()
  }
  const entries = (await desk.told()).slice(made)
  const of = [calendar.id, agent.id]
  assert.deepEqual(
    entries.map((entry) => told(prefixOf(entry.type))(entry)),
    [
      ['event.hold_expired', ...of, 3, 'timer', hold.id],
      ['proposal.expired', calendar.id, agent.id, null, 'timer', proposal.id],
      ['event.reminder', ...of, null, 'timer', event.id],
      ['event.started', ...of, null, 'timer', event.id],
      ['event.ended', ...of, null, 'timer', event.id],
    ],
  )
  for (const { actor } of entries) assert.equal(actor, null)
})

test('a booking is told as such: nobody who has a key made it', async ({ service }) => {
  await service.clock.set(testStart)
  const { orgId, calendar, page } = await makePage(service)
  const before = (await changesOf(service, orgId)).length
  const [start] = await startsOf(service, page.slug)
  assert.equal((await bookSlot(service, page.slug, start!)).status, 201)
  const [entry, ...more] = (await changesOf(service, orgId)).slice(before)
  const eventId = entry!.payload.event.id
  assert.deepEqual(told('evt')(entry!), ['event.created', calendar.id, calendar.agentId, 1, 'booking', eventId])
  assert.deepEqual([entry!.actor, entry!.payload.booking_page_id, more], [null, page.id, []])
})

test('a request that changes nothing tells nothing', async ({ service, call, desk }) => {
  const { key, calendar } = desk
  const event = await makeEvent(service, key, calendar.id)
  const before = (await desk.told()).length
  const path = `/v1/calendars/${calendar.id}/events`
  const refused = [
    call('POST', path, { key, body: { title: 'Event', start_time: ahead(service, 60), end_time: ahead(service, 30) } }),
    call('PUT', `/v1/events/${event.id}/confirm`, { key }),
    call('PATCH', `${path}/${event.id}`, { key, body: { status: 'hold' } }),
    call('DELETE', `/v1/calendars/${(await makeCalendar(service, (await makeOrganization(service)).key)).id}`, { key }),
  ]
  for (const answer of await Promise.all(refused)) assert.ok(answer.status >= 400, `${answer.status}`)
  assert.equal((await desk.told()).length, before)
})

test('a deleted calendar has one entry, and what went with it none', async ({ service, desk }) => {
  const { key, calendar } = desk
  await makeEvent(service, key, calendar.id)
  await makeHold(service, key, calendar.id)
  const before = (await desk.told()).length
  await desk.ask('DELETE', `/v1/calendars/${calendar.id}`)
  await service.clock.advance(2 * 60 * 60_000)
  await service.drain()
  assert.deepEqual(types((await desk.told()).slice(before)), ['calendar.deleted'])
})

test('what only the feed tells reaches no webhook, and the others reach it with the bytes of their entry', async ({
  service,
  desk,
  receiver,
}) => {
  const { key, agent, ask } = desk
  await makeWebhook(service, key, receiver.url, ['agent.created', 'agent.updated', 'event.created'])
  const before = (await desk.told()).length
  const calendar = await makeCalendar(service, key, agent.id)
  await makeEvent(service, key, calendar.id)
  await ask('DELETE', `/v1/calendars/${calendar.id}`)
  await ask('DELETE', `/v1/agents/${agent.id}`)
  await service.drain()
  const entries = (await desk.told()).slice(before)
  assert.deepEqual(types(entries), ['calendar.created', 'event.created', 'calendar.deleted', 'agent.decommissioned'])
  assert.deepEqual(
    receiver.received.map(({ type }) => type),
    ['event.created'],
  )
  assert.equal(receiver.received[0]!.raw, JSON.stringify(entries[1]!.payload))
})
