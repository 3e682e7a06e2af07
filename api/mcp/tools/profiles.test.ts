// The tools besides scheduling: each is its twin, with ids that may be left out, times in words, and answers that are kept.
import assert from 'node:assert/strict'
import { makeAgent, makeAgentKey, makeCalendar, makeOrganization } from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const query = '?profile=full,coordination,meetings'

const test = serviceTest({ plan: 'custom' })
  .extend('world', async ({ service }) => {
    await service.clock.set('2026-11-29T13:03:00Z')
    const { key } = await makeOrganization(service, { plan: 'custom' })
    const agent = await makeAgent(service, key, { name: 'One' })
    const calendar: Any = await makeCalendar(service, key, agent.id, { timezone: 'Europe/Berlin' })
    return { key, agent, calendar }
  })
  .extend('ask', ({ service, world }) => async (tool: string, args: object = {}, key = world.key): Promise<Any> => {
    const result = await callMcp(service, tool, { ...args }, { key, query })
    assert.ok(!result.isError, JSON.stringify(result))
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
    return result.structuredContent
  })
  .extend(
    'refused',
    ({ service, world }) =>
      async (tool: string, args: object = {}, key = world.key): Promise<Any> =>
        mcpError(await callMcp(service, tool, { ...args }, { key, query })),
  )

test('agents', async ({ service, world, ask, refused }) => {
  const made = await ask('create_agent', { name: 'Two', type: 'human', idempotency_key: 'a' })
  const again = await ask('create_agent', { name: 'Two', type: 'human', idempotency_key: 'a' })
  assert.deepEqual(again, { ...made, replayed: true })
  const agent_id = made.agent.id
  assert.deepEqual((await ask('list_agents', { type: 'human' })).agents, [
    { id: agent_id, name: 'Two', type: 'human', status: 'active' },
  ])
  assert.equal((await ask('get_agent', { agent_id })).agent.createdAt, '2026-11-29T13:03:00Z')
  assert.equal((await refused('get_agent')).code, 'agent_required')
  const named = await refused('get_agent', { agent_id: 'two' })
  assert.deepEqual([named.type, named.suggestions[0].arguments], ['not_found', { agent_id }])
  assert.equal((await ask('update_agent', { agent_id, status: 'paused' })).agent.status, 'paused')
  const nothing = await refused('update_agent', { agent_id })
  assert.deepEqual([nothing.type, nothing.message.split(':')[0]], ['validation_error', 'The arguments'])
  const deleted = await ask('delete_agent', { agent_id, idempotency_key: 'd' })
  assert.deepEqual([deleted.deleted, deleted.agent.name], [true, 'Two'])
  assert.equal((await ask('delete_agent', { agent_id, idempotency_key: 'd' })).replayed, true)
  assert.equal((await ask('get_agent')).agent.id, world.agent.id)
  const key = await makeAgentKey(service, world.key, world.agent.id)
  assert.equal((await ask('get_agent', {}, key)).agent.id, world.agent.id)
  assert.equal((await refused('create_agent', { name: 'X', type: 'ai' }, key)).type, 'forbidden')
})

test('calendars and their rules', async ({ world, ask, refused }) => {
  const calendar_id = world.calendar.id
  assert.deepEqual(await ask('get_availability_rules'), { rules: null })
  const hours = { mon: { start: '09:00', end: '17:00' } }
  const { rules } = await ask('set_availability_rules', {
    working_hours: JSON.stringify(hours),
    timezone: 'Europe/Berlin',
  })
  assert.deepEqual([rules.calendar_id, rules.working_hours], [calendar_id, hours])
  const days = { dates: [{ from: '2026-12-24', hours: [] }], max_meetings_per_day: 4 }
  const dated = await ask('set_availability_rules', { working_hours: hours, ...days })
  assert.deepEqual([dated.rules.dates[0].from, dated.rules.max_meetings_per_day], ['2026-12-24', 4])
  const kept = await ask('set_availability_rules', { buffer_after_minutes: 5, dates: [] })
  assert.deepEqual(
    [kept.rules.dates, kept.rules.max_meetings_per_day, kept.rules.working_hours],
    [undefined, 4, undefined],
  )
  assert.equal((await refused('set_availability_rules', { buffer_after_minutes: 121 })).param, 'buffer_after_minutes')
  const cleared = await ask('clear_availability_rules', { calendar_id })
  assert.deepEqual([cleared.deleted, cleared.rules.id], [true, rules.id])
  assert.match((await refused('clear_availability_rules')).next_step, /set_availability_rules/)
  const { calendar } = await ask('get_calendar')
  assert.match(calendar.ical_url, /\.ics$/)
  assert.equal(calendar.createdAt, '2026-11-29T14:03:00+01:00')
  assert.equal((await ask('update_calendar', { agent_status: 'working' })).calendar.agent_status, 'working')
  const own = await ask('create_calendar', { name: 'Own', timezone: 'UTC' })
  assert.equal(own.calendar.agentId, undefined)
  const ofAgent = await ask('create_calendar', { name: 'His', timezone: 'UTC', agent_id: world.agent.id })
  assert.equal(ofAgent.calendar.agentId, world.agent.id)
  const choice = await refused('get_calendar')
  assert.deepEqual([choice.code, choice.suggestions.length], ['calendar_required', 3])
  const { deleted, calendar: gone } = await ask('delete_calendar', { calendar_id: own.calendar.id })
  assert.deepEqual([deleted, gone.name], [true, 'Own'])
})

test('feeds', async ({ world, ask, refused }) => {
  const url = 'http://calendars.example.com/a.ics'
  const error = await refused('subscribe_ical', { url })
  assert.deepEqual([error.param, error.suggestions[0].arguments.url], ['url', 'https://calendars.example.com/a.ics'])
  const made = await ask('subscribe_ical', { url: 'https://calendars.example.com/a.ics', label: 'A' })
  const list = await ask('list_ical_subscriptions')
  assert.equal(list.total, 1)
  const subscription_id = made.subscription.id
  assert.deepEqual([made.subscription.calendar_id, made.subscription.agent_id], [world.calendar.id, world.agent.id])
  assert.equal((await ask('get_ical_subscription', { subscription_id })).subscription.label, 'A')
  const changed = await ask('update_ical_subscription', { subscription_id, label: 'B' })
  assert.equal(changed.subscription.label, 'B')
  const sync = { subscription_id, idempotency_key: 'sync' }
  const synced = await ask('sync_ical_subscription', sync)
  assert.deepEqual([synced.status, synced.subscription.id], ['syncing', subscription_id])
  assert.equal((await ask('delete_ical_subscription', { subscription_id })).subscription.label, 'B')
  const again = await ask('sync_ical_subscription', sync)
  assert.deepEqual([again.replayed, again.subscription.label], [true, 'B'])
  assert.match((await refused('get_ical_subscription', { subscription_id })).next_step, /list_ical_subscriptions/)
})

test('proposals, with local times', async ({ service, world, ask, refused }) => {
  const other = await makeAgent(service, world.key, { name: 'Other' })
  const body = { title: 'Review', organizer_agent_id: world.agent.id, participant_agent_ids: `${other.id}` }
  const slots = [
    { start_time: '2026-12-01T09:00', end_time: '2026-12-01T10:00' },
    { start_time: '2026-12-02T09:00:00Z', end_time: '2026-12-02T10:00:00Z', weight: 2 },
  ]
  const { proposal } = await ask('create_proposal', { ...body, slots })
  const proposal_id = proposal.id
  const whole = (await ask('get_proposal', { proposal_id })).proposal
  assert.deepEqual(
    [whole.slots[0].start_time, whole.slots[0].when],
    ['2026-12-01T09:00:00+01:00', 'Tue 1 Dec 2026 09:00-10:00 Europe/Berlin (in 2 days)'],
  )
  assert.deepEqual(
    [(await ask('list_proposals', { status: 'pending' })).total, whole.calendar_id],
    [1, world.calendar.id],
  )
  const skipped = await refused('create_proposal', {
    ...body,
    slots: [slots[0], { start_time: '2027-03-28T02:30', end_time: '2027-03-28T04:00' }],
  })
  assert.deepEqual([skipped.code, skipped.param], ['nonexistent_local_time', 'slots.1.start_time'])
  assert.equal(skipped.suggestions[0].arguments.slots[1].end_time, '2027-03-28T04:00')
  await ask('create_proposal', { ...body, ...skipped.suggestions[0].arguments })
  const answer = { proposal_id, agent_id: other.id, response: 'accept', selected_slot_id: whole.slots[0].id }
  const responded = await ask('respond_to_proposal', { ...answer, idempotency_key: 'r' })
  assert.deepEqual([responded.response.agent_id, responded.proposal.status], [other.id, 'confirmed'])
  assert.equal((await ask('respond_to_proposal', { ...answer, idempotency_key: 'r' })).replayed, true)
  assert.match((await refused('respond_to_proposal', answer)).next_step, /get_proposal/)
  const second = (await ask('create_proposal', { ...body, slots })).proposal.id
  const counter = { agent_id: other.id, response: 'counter', counter_slots: [slots[0]] }
  const countered = await ask('respond_to_proposal', { proposal_id: second, ...counter })
  assert.equal(countered.response.counter_slots[0].start_time, '2026-12-01T09:00:00+01:00')
  const third = (await ask('create_proposal', { ...body, slots })).proposal.id
  assert.equal((await ask('cancel_proposal', { proposal_id: third })).proposal.status, 'cancelled')
  assert.equal((await refused('resolve_proposal', { proposal_id: third })).type, 'conflict')
})

test('the calendar of a proposal is first one of the organizer', async ({ service, world, ask, refused }) => {
  const other = await makeAgent(service, world.key)
  await makeCalendar(service, world.key, other.id, { name: 'Newer' })
  const proposal = {
    ...{ title: 'P', organizer_agent_id: world.agent.id, participant_agent_ids: [other.id] },
    slots: [{ start: '2026-12-04T09:00', end: '2026-12-04T10:00', when: 'Fri 4 Dec 2026' }],
  }
  const error = await refused('create_proposal', proposal)
  const [{ arguments: merged, note }] = error.suggestions
  assert.deepEqual(merged, {
    slots: [{ start_time: '2026-12-04T09:00', end_time: '2026-12-04T10:00' }],
    calendar_id: world.calendar.id,
  })
  assert.match(note, /^The nearest value that is allowed; Calendar \(Europe\/Berlin\)$/)
  assert.match(error.message, /slots\.0\.start_time.*calendar_id/)
  await ask('create_proposal', { ...proposal, ...merged })
})

test('an answer to a proposal that lacks something is refused with what may stand there', async ({
  service,
  world,
  ask,
  refused,
}) => {
  const [one, two] = [
    await makeAgent(service, world.key, { name: 'Ada' }),
    await makeAgent(service, world.key, { name: 'Bob' }),
  ]
  const { proposal } = await ask('create_proposal', {
    ...{ title: 'A', organizer_agent_id: world.agent.id, participant_agent_ids: [one.id, two.id] },
    slots: [{ start_time: '2026-12-04T09:00', end_time: '2026-12-04T10:00' }],
  })
  const proposal_id = proposal.id
  const decline = { proposal_id, response: 'decline' }
  const agents = [
    { arguments: { agent_id: one.id }, note: 'Ada' },
    { arguments: { agent_id: two.id }, note: 'Bob' },
  ]
  const none = await refused('respond_to_proposal', decline)
  assert.deepEqual([none.code, none.suggestions], ['agent_required', agents])
  const organizer = await refused('respond_to_proposal', { ...decline, agent_id: world.agent.id })
  assert.deepEqual([organizer.type, organizer.param, organizer.suggestions], ['forbidden', 'agent_id', agents])
  await ask('respond_to_proposal', { ...decline, agent_id: one.id })
  assert.deepEqual((await refused('respond_to_proposal', decline)).suggestions, [agents[1]])
  const accept = { proposal_id, agent_id: two.id, response: 'accept' }
  const slots = [
    {
      arguments: { selected_slot_id: proposal.slots[0].id },
      when: 'Fri 4 Dec 2026 09:00-10:00 Europe/Berlin (in 5 days)',
    },
  ]
  for (const wrong of [accept, { ...accept, selected_slot_id: 'slt_none' }]) {
    const error = await refused('respond_to_proposal', wrong)
    assert.deepEqual([error.param, error.suggestions], ['selected_slot_id', slots])
  }
  await ask('respond_to_proposal', { ...accept, ...slots[0]!.arguments })
})

test('a proposal is resolved with its event', async ({ service, world, ask }) => {
  const [one, two] = [await makeAgent(service, world.key), await makeAgent(service, world.key)]
  const { proposal } = await ask('create_proposal', {
    ...{ title: 'R', organizer_agent_id: world.agent.id, participant_agent_ids: [one.id, two.id] },
    slots: [{ start_time: '2026-12-03T09:00', end_time: '2026-12-03T10:00' }],
  })
  const proposal_id = proposal.id
  const { slots } = (await ask('get_proposal', { proposal_id })).proposal
  await ask('respond_to_proposal', { proposal_id, agent_id: one.id, response: 'accept', selected_slot_id: slots[0].id })
  const resolved = await ask('resolve_proposal', { proposal_id, idempotency_key: 'r' })
  assert.deepEqual(
    [resolved.status, resolved.resolved_slot.id, resolved.event.start],
    ['confirmed', slots[0].id, '2026-12-03T09:00:00+01:00'],
  )
  assert.deepEqual(await ask('resolve_proposal', { proposal_id, idempotency_key: 'r' }), {
    ...resolved,
    replayed: true,
  })
})

test('booking pages', async ({ world, ask, refused }) => {
  const { booking_page } = await ask('create_booking_page', { title: 'P', timezone: 'Asia/Tokyo' })
  const booking_page_id = booking_page.id
  assert.deepEqual(
    [booking_page.calendar_id, booking_page.duration_minutes, booking_page.created_at],
    [world.calendar.id, 30, '2026-11-29T22:03:00+09:00'],
  )
  assert.equal((await ask('list_booking_pages')).booking_pages[0].id, booking_page_id)
  assert.equal((await ask('update_booking_page', { booking_page_id, active: 'false' })).booking_page.active, false)
  assert.equal((await refused('update_booking_page', { booking_page_id, window_days: 0 })).param, 'window_days')
  assert.equal((await ask('get_booking_page', { booking_page_id })).booking_page.title, 'P')
  assert.equal((await ask('delete_booking_page', { booking_page_id })).deleted, true)
  assert.match((await refused('get_booking_page', { booking_page_id })).next_step, /list_booking_pages/)
})

test('what a page says of its host is taken, though the list does not name it', async ({ world, ask }) => {
  const page = { calendar_id: world.calendar.id, title: 'Half an hour', host_name: 'Ada Lovelace' }
  const { booking_page } = await ask('create_booking_page', page)
  const { id } = booking_page
  const changed = await ask('update_booking_page', { booking_page_id: id, location: 'Room 3' })
  assert.deepEqual(
    [booking_page.host_name, changed.booking_page.location, changed.booking_page.host_name],
    ['Ada Lovelace', 'Room 3', 'Ada Lovelace'],
  )
})

test('webhooks', async ({ ask, refused }) => {
  const { webhook } = await ask('create_webhook', { url: 'https://example.com/hook', events: 'event.created' })
  assert.match(webhook.secret, /^whsec_/)
  const webhook_id = webhook.id
  const twice = await refused('create_webhook', { url: 'https://example.com/hook', events: ['event.created'] })
  assert.deepEqual([twice.type, /list_webhooks/.test(twice.next_step)], ['conflict', true])
  const all = await refused('create_webhook', { url: 'https://example.com/all', events: '*' })
  assert.match(all.message, /The schema of the tool lists all \d+\.$/)
  const { webhooks, total } = await ask('list_webhooks', { limit: '1' })
  assert.deepEqual([webhooks[0].id, webhooks[0].secret, total], [webhook_id, undefined, 1])
  assert.equal((await ask('update_webhook', { webhook_id, active: false })).webhook.active, false)
  assert.deepEqual((await ask('get_webhook', { webhook_id })).webhook.events, ['event.created'])
  const { deliveries, stats } = await ask('list_webhook_deliveries', { webhook_id })
  assert.deepEqual([deliveries, stats], [[], { pending: 0, delivered: 0, failed: 0 }])
  assert.equal((await ask('delete_webhook', { webhook_id })).webhook.id, webhook_id)
  assert.match((await refused('get_webhook', { webhook_id })).next_step, /list_webhooks/)
})

test('keys, usage, the audit log and feedback', async ({ world, ask, refused }) => {
  const { key } = await ask('create_scoped_key', { label: 'L' })
  assert.match(key.key, /^svc_ak_/)
  const { keys, total } = await ask('list_scoped_keys')
  assert.deepEqual([keys[0].id, keys[0].key, total, keys[0].agent_id], [key.id, undefined, 1, world.agent.id])
  assert.deepEqual([(await ask('revoke_scoped_key', { key_id: key.id })).key.id], [key.id])
  assert.match((await refused('revoke_scoped_key', { key_id: key.id })).next_step, /list_scoped_keys/)
  const { usage } = await ask('get_usage')
  assert.equal(usage.agents.used, 1)
  const log = await ask('get_audit_log', { from: '2026-11-29', to: '2026-11-29', timezone: 'Europe/Berlin', limit: 2 })
  assert.deepEqual([log.entries.length, log.entries[0].path], [2, '/mcp/revoke_scoped_key'])
  assert.equal(log.entries[0].created_at, '2026-11-29T14:03:00+01:00')
  const next = await ask('get_audit_log', {
    limit: 2,
    cursor: log.cursor,
    from: '2026-11-29T00:00',
    timezone: 'Europe/Berlin',
  })
  assert.notEqual(next.entries[0].id, log.entries[0].id)
  assert.deepEqual(await ask('submit_feedback', { type: 'bug', message: 'It does not ring.' }), { status: 'accepted' })
  assert.equal((await refused('submit_feedback', { type: 'bug', message: 'x' })).param, 'message')
})

test('a day of the audit log ends before the next midnight', async ({ service, ask }) => {
  const day = { from: '2026-12-05', to: '2026-12-05', timezone: 'Europe/Berlin' }
  await service.clock.set('2026-12-05T22:59:59.999Z')
  await ask('create_agent', { name: 'Late', type: 'ai' })
  await service.clock.set('2026-12-05T23:00:00.000Z')
  await ask('create_agent', { name: 'Next day', type: 'ai' })
  const { entries } = await ask('get_audit_log', day)
  assert.deepEqual(
    entries.map(({ created_at }: Record<string, string>) => created_at),
    ['2026-12-05T23:59:59.999+01:00'],
  )
})

test('agents of a proposal that are named are refused with all their ids', async ({ service, world, ask, refused }) => {
  const two = await makeAgent(service, world.key, { name: 'Two' })
  const slots = [{ start_time: '2027-01-05T10:00', end_time: '2027-01-05T11:00' }]
  const body = { title: 'R', organizer_agent_id: 'one', participant_agent_ids: ['Two'], slots }
  const error = await refused('create_proposal', body)
  assert.deepEqual([error.type, error.param], ['not_found', 'organizer_agent_id'])
  const meant = { organizer_agent_id: world.agent.id, participant_agent_ids: [two.id] }
  assert.deepEqual(error.suggestions[0].arguments, meant)
  assert.ok((await ask('create_proposal', { ...body, ...meant })).proposal)
  const alone = await refused('create_proposal', { ...body, organizer_agent_id: world.agent.id })
  assert.deepEqual(alone.suggestions[0].arguments, { participant_agent_ids: [two.id] })
})

test('what is not found is named by the argument that asked for it', async ({ refused }) => {
  for (const [tool, param] of [
    ['get_booking_page', 'booking_page_id'],
    ['get_ical_subscription', 'subscription_id'],
    ['get_webhook', 'webhook_id'],
    ['revoke_scoped_key', 'key_id'],
    ['get_proposal', 'proposal_id'],
  ] as const) {
    const error = await refused(tool, { [param]: 'none' })
    assert.deepEqual([error.type, error.param], ['not_found', param])
  }
})
