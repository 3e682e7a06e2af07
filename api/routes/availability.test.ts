import assert from 'node:assert/strict'
import { at, availabilityTest, event, morning, short } from '../../src/testing/availability.ts'
import { ahead, makeAgent, makeCalendar, makeEvent, makeHold } from '../../src/testing/factories.ts'

const test = availabilityTest()

test('a calendar without events is free back to back, in half hours unless asked otherwise', async ({
  service,
  key,
  desk: { askCalendar },
}) => {
  const calendar = await makeCalendar(service, key)
  const answer = await askCalendar(calendar.id, { start: '2026-03-03T09:10:00Z', end: '2026-03-03T10:39:59Z' })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    agents: [],
    slots: [
      { start: at('09:10'), end: at('09:40') },
      { start: at('09:40'), end: at('10:10') },
    ],
    availability_state: 'complete',
    sources: { internal: 'current', external: 'none', last_synced_at: null },
    warnings: [],
  })
})

test('the calendar of an agent names its owner', async ({ service, key, desk: { askCalendar } }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  assert.deepEqual((await askCalendar(calendar.id, morning)).body.agents, [agent.id])
})

for (const [duration, slots] of [
  ['15m', 12],
  ['30m', 6],
  ['45m', 4],
  ['1h', 3],
  ['2h', 1],
] as const) {
  test(`slots of ${duration}, by either name of the parameter`, async ({ service, key, desk: { askCalendar } }) => {
    const calendar = await makeCalendar(service, key)
    for (const query of [{ duration }, { slot_duration: duration }, { duration, slot_duration: duration }]) {
      assert.equal((await askCalendar(calendar.id, { ...morning, ...query })).body.slots.length, slots)
    }
  })
}

test('confirmed and tentative events are busy, cancelled and deleted ones are not', async ({
  service,
  key,
  desk: { askCalendar },
}) => {
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id, event('09:00', '09:30'))
  await makeEvent(service, key, calendar.id, event('10:00', '10:30', { status: 'tentative' }))
  await makeEvent(service, key, calendar.id, event('10:30', '11:00', { status: 'cancelled' }))
  const deleted = await makeEvent(service, key, calendar.id, event('11:00', '11:30'))
  await service.call('DELETE', `/v1/calendars/${calendar.id}/events/${deleted.id}`, { key })
  const { body } = await askCalendar(calendar.id, { ...morning, include_busy: 'true' })
  assert.deepEqual(body.busy, [
    { start: at('09:00'), end: at('09:30') },
    { start: at('10:00'), end: at('10:30') },
  ])
  assert.deepEqual(short(body.slots), ['09:30-10:00', '10:30-11:00', '11:00-11:30', '11:30-12:00'])
})

test('imported events are busy like others', async ({ service, key, desk: { askCalendar, insertEvent } }) => {
  const calendar = await makeCalendar(service, key)
  await insertEvent(calendar.id, event('09:30', '11:45', { source: 'external_ical' }))
  const { body } = await askCalendar(calendar.id, { ...morning, duration: '15m' })
  assert.deepEqual(short(body.slots), ['09:00-09:15', '09:15-09:30', '11:45-12:00'])
  assert.equal(body.availability_state, 'complete')
})

test('busy time is merged, touching stretches too, and cut at the window', async ({
  service,
  key,
  desk: { askCalendar },
}) => {
  const calendar = await makeCalendar(service, key)
  for (const [start, end] of [
    ['08:00', '09:20'],
    ['09:20', '09:40'],
    ['09:30', '09:35'],
    ['11:50', '13:00'],
    ['12:00', '12:30'],
    ['07:00', '09:00'],
  ] as const) {
    await makeEvent(service, key, calendar.id, event(start, end))
  }
  const { body } = await askCalendar(calendar.id, { ...morning, include_busy: 'true', duration: '2h' })
  assert.deepEqual(short(body.busy), ['09:00-09:40', '11:50-12:00'])
  assert.deepEqual(short(body.slots), ['09:40-11:40'])
})

test('an event that began long before the window is found, as is one that lasts for weeks', async ({
  service,
  key,
  desk: { askCalendar, insertEvent },
}) => {
  for (const [from, to] of [
    ['2026-02-24T09:00:00Z', '2026-03-03T10:00:00Z'],
    ['2026-02-24T08:59:59Z', '2026-03-03T10:00:00Z'],
    ['2025-01-01T00:00:00Z', '2026-03-03T10:00:00Z'],
  ]) {
    const calendar = await makeCalendar(service, key)
    await insertEvent(calendar.id, { start_time: from, end_time: to })
    assert.deepEqual(short((await askCalendar(calendar.id, { ...morning, duration: '2h' })).body.slots), [
      '10:00-12:00',
    ])
    const { body } = await askCalendar(calendar.id, { ...morning, include_busy: 'true' })
    assert.deepEqual(short(body.busy), ['09:00-10:00'], from)
  }
})

test('a hold is busy until the very moment it expires, whether its timer ran or not', async ({
  service,
  key,
  desk: { askCalendar },
}) => {
  const calendar = await makeCalendar(service, key)
  await makeHold(service, key, calendar.id, event('09:00', '11:00', { hold_expires_at: ahead(service, 5) }))
  await makeHold(service, key, calendar.id, event('11:00', '12:00', { hold_expires_at: ahead(service, 10) }))
  const free = async () => short((await askCalendar(calendar.id, { ...morning, duration: '1h' })).body.slots)
  assert.deepEqual(await free(), [])
  await service.clock.advance(5 * 60_000 - 1)
  assert.deepEqual(await free(), [])
  await service.clock.advance(1)
  assert.deepEqual(await free(), ['09:00-10:00', '10:00-11:00'])
  await service.drain()
  assert.deepEqual(await free(), ['09:00-10:00', '10:00-11:00'])
  await service.clock.advance(5 * 60_000)
  assert.deepEqual(await free(), ['09:00-10:00', '10:00-11:00', '11:00-12:00'])
})

test('a released hold frees its time at once, a confirmed one stays busy', async ({
  service,
  key,
  desk: { askCalendar },
}) => {
  const calendar = await makeCalendar(service, key)
  const hold = () => makeHold(service, key, calendar.id, event('09:00', '11:00'))
  const free = async () => short((await askCalendar(calendar.id, { ...morning, duration: '1h' })).body.slots)
  const released = await hold()
  assert.deepEqual(await free(), ['11:00-12:00'])
  await service.call('PUT', `/v1/events/${released.id}/release`, { key })
  assert.deepEqual(await free(), ['09:00-10:00', '10:00-11:00', '11:00-12:00'])
  const confirmed = await hold()
  await service.call('PUT', `/v1/events/${confirmed.id}/confirm`, { key })
  await service.clock.advance(16 * 60_000)
  assert.deepEqual(await free(), ['11:00-12:00'])
})

test('every occurrence of a series is busy but the cancelled ones, its first included', async ({
  service,
  key,
  desk: { askCalendar, insertEvent },
}) => {
  const calendar = await makeCalendar(service, key)
  await insertEvent(calendar.id, {
    start_time: '2026-03-03T09:30:00Z',
    end_time: '2026-03-03T10:00:00Z',
    recurrence_rule: 'FREQ=DAILY;COUNT=4',
    recurrence_exdates: ['2026-03-03T09:30:00Z', '2026-03-05T09:30:00Z'],
  })
  await insertEvent(calendar.id, { ...event('11:00', '11:30'), status: 'cancelled', recurrence_rule: 'FREQ=DAILY' })
  await insertEvent(calendar.id, {
    ...event('11:30', '12:00'),
    deleted_at: service.clock.now(),
    recurrence_rule: 'FREQ=DAILY',
  })
  const { body } = await askCalendar(calendar.id, {
    start: '2026-03-03T09:00:00Z',
    end: '2026-03-10T00:00:00Z',
    include_busy: 'true',
  })
  assert.deepEqual(body.busy, [
    { start: '2026-03-04T09:30:00.000Z', end: '2026-03-04T10:00:00.000Z' },
    { start: '2026-03-06T09:30:00.000Z', end: '2026-03-06T10:00:00.000Z' },
  ])
})

test('buffers widen events, occurrences and holds, also those that lie outside the window', async ({
  service,
  key,
  desk: { askCalendar, setRules, insertEvent },
}) => {
  const calendar = await makeCalendar(service, key)
  await setRules(calendar.id, { buffer_before_minutes: 10, buffer_after_minutes: 20 })
  await makeEvent(service, key, calendar.id, event('08:00', '08:50'))
  await makeEvent(service, key, calendar.id, event('12:05', '13:00'))
  await makeEvent(service, key, calendar.id, event('08:30', '08:40'))
  await makeHold(service, key, calendar.id, event('10:00', '10:10'))
  await insertEvent(calendar.id, {
    start_time: '2026-03-02T10:50:00Z',
    end_time: '2026-03-02T11:00:00Z',
    recurrence_rule: 'FREQ=DAILY',
  })
  const { body } = await askCalendar(calendar.id, { ...morning, include_busy: 'true' })
  assert.deepEqual(short(body.busy), ['09:00-09:10', '09:50-10:30', '10:40-11:20', '11:55-12:00'])
  assert.deepEqual(short(body.slots), ['09:10-09:40', '11:20-11:50'])
})

test('outside working hours a calendar is busy', async ({ service, key, desk: { askCalendar, setRules } }) => {
  const calendar = await makeCalendar(service, key)
  await setRules(calendar.id, {
    working_hours: { tue: { start: '10:30', end: '12:15' } },
    timezone: 'Europe/Berlin',
  })
  const { body } = await askCalendar(calendar.id, { ...morning, include_busy: 'true', duration: '15m' })
  assert.deepEqual(short(body.busy), ['09:00-09:30', '11:15-12:00'])
  assert.equal(body.slots.length, 7)
  await service.call('DELETE', `/v1/calendars/${calendar.id}/availability-rules`, { key })
  assert.equal((await askCalendar(calendar.id, { ...morning, duration: '15m' })).body.slots.length, 12)
})

test('an agent is free when all its calendars are, each by its own rules', async ({
  service,
  key,
  desk: { askAgent, setRules },
}) => {
  const agent = await makeAgent(service, key)
  const [first, second] = [await makeCalendar(service, key, agent.id), await makeCalendar(service, key, agent.id)]
  await setRules(first.id, { buffer_after_minutes: 15 })
  await makeEvent(service, key, first.id, event('09:00', '09:30'))
  await makeEvent(service, key, second.id, event('10:00', '10:30'))
  const gone = await makeCalendar(service, key, agent.id)
  await makeEvent(service, key, gone.id, event('11:00', '12:00'))
  await service.call('DELETE', `/v1/calendars/${gone.id}`, { key })
  const { status, body } = await askAgent(agent.id, { ...morning, include_busy: 'true' })
  assert.equal(status, 200)
  assert.deepEqual(body.agents, [agent.id])
  assert.deepEqual(body.per_agent_busy, {
    [agent.id]: [
      { start: at('09:00'), end: at('09:45') },
      { start: at('10:00'), end: at('10:30') },
    ],
  })
  assert.equal('busy' in body, false)
  assert.deepEqual(short(body.slots), ['10:30-11:00', '11:00-11:30', '11:30-12:00'])
})

test('an agent without calendars is free all the time', async ({ service, key, desk: { askAgent } }) => {
  const agent = await makeAgent(service, key)
  const { body } = await askAgent(agent.id, { ...morning, include_busy: 'true', duration: '1h' })
  assert.deepEqual(short(body.slots), ['09:00-10:00', '10:00-11:00', '11:00-12:00'])
  assert.deepEqual(body.per_agent_busy, { [agent.id]: [] })
})

test('a calendar of the organization concerns no agent', async ({ service, key, desk: { askAgent } }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id, event('09:00', '12:00'))
  assert.equal((await askAgent(agent.id, morning)).body.slots.length, 6)
})

test('several agents are free when each of them is', async ({ service, key, desk: { askAgents } }) => {
  const agents = await Promise.all([makeAgent(service, key), makeAgent(service, key), makeAgent(service, key)])
  const ids = agents.map(({ id }) => id)
  const [one, two] = await Promise.all(ids.slice(0, 2).map((id) => makeCalendar(service, key, id)))
  await makeEvent(service, key, one.id, event('09:00', '10:00'))
  await makeEvent(service, key, two.id, event('09:30', '11:00'))
  const { status, body } = await askAgents([...ids, ids[0]], { ...morning, include_busy: 'true' })
  assert.equal(status, 200)
  assert.deepEqual(body.agents, ids)
  assert.deepEqual(short(body.slots), ['11:00-11:30', '11:30-12:00'])
  assert.deepEqual(Object.keys(body.per_agent_busy), ids)
  assert.deepEqual(
    ids.map((id) => short(body.per_agent_busy[id])),
    [['09:00-10:00'], ['09:30-11:00'], []],
  )
})

test('`calendars` narrows each agent to those it owns of them', async ({ service, key, desk: { askAgents } }) => {
  const [one, two] = await Promise.all([makeAgent(service, key), makeAgent(service, key)])
  const [first, second, third] = [
    await makeCalendar(service, key, one.id),
    await makeCalendar(service, key, one.id),
    await makeCalendar(service, key, two.id),
  ]
  const shared = await makeCalendar(service, key)
  await makeEvent(service, key, first.id, event('09:00', '10:00'))
  await makeEvent(service, key, second.id, event('10:00', '11:00'))
  await makeEvent(service, key, third.id, event('11:00', '12:00'))
  await makeEvent(service, key, shared.id, event('09:00', '12:00'))
  const free = async (calendars: string | undefined) =>
    short((await askAgents([one.id, two.id], { ...morning, duration: '1h', calendars })).body.slots)
  assert.deepEqual(await free(undefined), [])
  assert.deepEqual(await free(first.id), ['10:00-11:00', '11:00-12:00'])
  assert.deepEqual(await free(`${first.id}, ${third.id}`), ['10:00-11:00'])
  assert.deepEqual(await free(`${first.id},${first.id},${shared.id}`), ['10:00-11:00', '11:00-12:00'])
})

test('the same question asked again follows every change at once', async ({
  service,
  key,
  desk: { askCalendar, askAgent, askAgents, setRules },
}) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const answers = async () => {
    const query = { ...morning, duration: '1h' }
    const all = await Promise.all([
      askCalendar(calendar.id, query),
      askAgent(agent.id, query),
      askAgents([agent.id], query),
    ])
    const shown = all.map(({ body }) => short(body.slots).join(' '))
    assert.equal(new Set(shown).size, 1, shown.join(' | '))
    return shown[0]
  }
  assert.equal(await answers(), '09:00-10:00 10:00-11:00 11:00-12:00')
  assert.equal(await answers(), '09:00-10:00 10:00-11:00 11:00-12:00')
  const made = await makeEvent(service, key, calendar.id, event('09:00', '10:00'))
  assert.equal(await answers(), '10:00-11:00 11:00-12:00')
  const path = `/v1/calendars/${calendar.id}/events/${made.id}`
  await service.call('PATCH', path, { key, body: { start_time: at('09:45'), end_time: at('10:45') } })
  assert.equal(await answers(), '10:45-11:45')
  await service.call('PATCH', path, { key, body: { status: 'cancelled' } })
  assert.equal(await answers(), '09:00-10:00 10:00-11:00 11:00-12:00')
  await setRules(calendar.id, { working_hours: { tue: { start: '10:00', end: '23:00' } } })
  assert.equal(await answers(), '10:00-11:00 11:00-12:00')
  const further = await makeCalendar(service, key, agent.id)
  await makeEvent(service, key, further.id, event('11:00', '12:00'))
  assert.deepEqual(short((await askAgent(agent.id, { ...morning, duration: '1h' })).body.slots), ['10:00-11:00'])
  await service.call('DELETE', `/v1/calendars/${further.id}`, { key })
  assert.equal(await answers(), '10:00-11:00 11:00-12:00')
  await service.call('DELETE', `/v1/calendars/${calendar.id}/availability-rules`, { key })
  assert.equal(await answers(), '09:00-10:00 10:00-11:00 11:00-12:00')
  await service.call('DELETE', `/v1/calendars/${calendar.id}`, { key })
  assert.equal((await askCalendar(calendar.id, { ...morning, duration: '1h' })).status, 404)
})

test('questions that differ in one parameter do not share an answer', async ({
  service,
  key,
  desk: { askCalendar },
}) => {
  const calendar = await makeCalendar(service, key)
  await makeEvent(service, key, calendar.id, event('09:00', '10:00'))
  const plain = (await askCalendar(calendar.id, morning)).body
  assert.equal('busy' in plain, false)
  assert.deepEqual(short((await askCalendar(calendar.id, { ...morning, include_busy: 'true' })).body.busy), [
    '09:00-10:00',
  ])
  assert.equal((await askCalendar(calendar.id, { ...morning, duration: '15m' })).body.slots.length, 8)
  assert.equal((await askCalendar(calendar.id, { ...morning, end: '2026-03-03T13:00:00Z' })).body.slots.length, 6)
  assert.deepEqual((await askCalendar(calendar.id, { ...morning, allow_stale: 'true' })).body, plain)
})
