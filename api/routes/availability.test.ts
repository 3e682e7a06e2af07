import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import { type BusyCase, busyCase, ruleOf } from '../../src/testing/busyCases.ts'
import {
  ahead,
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
} from '../../src/testing/factories.ts'
import { busyOf, type MappedCalendar, mapBusy, slotsOf, union } from '../../src/testing/minuteMap.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

type Query = Record<string, string | undefined>

/** The morning of Tuesday, 3 March 2026, after the set time. */
const morning = { start: '2026-03-03T09:00:00Z', end: '2026-03-03T12:00:00Z' }
const at = (time: string) => `2026-03-03T${time}:00.000Z`
const event = (start: string, end: string, more: object = {}) => ({ start_time: at(start), end_time: at(end), ...more })
/** `09:00-09:30` of that morning. */
const short = (stretches: { start: string; end: string }[]) =>
  stretches.map(({ start, end }) => `${start.slice(11, 16)}-${end.slice(11, 16)}`)

const test = serviceTest().extend('desk', perFile, ({ service, key, organization }) => {
  const ask = (path: string, query: Query, as = key) => {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
    return service.call('GET', `${path}?${new URLSearchParams(given)}`, { key: as })
  }
  const askCalendar = (id: string, query: Query, as = key) => ask(`/v1/calendars/${id}/availability`, query, as)
  const askAgent = (id: string, query: Query, as = key) => ask(`/v1/agents/${id}/availability`, query, as)
  const askAgents = (agents: readonly string[], query: Query, as = key) =>
    ask('/v1/availability', { agents: agents.join(','), ...query }, as)
  const setRules = async (calendarId: string, body: object) => {
    const answer = await service.call('PUT', `/v1/calendars/${calendarId}/availability-rules`, { key, body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  /** Series cannot be made over the API yet. Counts on the revision, as every change of a calendar does. */
  async function insertEvent(calendarId: string, columns: Record<string, unknown>, orgId = organization.id) {
    const { sql } = service.app
    const ids = { org_id: decodeId('org', orgId)!, calendar_id: decodeId('cal', calendarId)! }
    const now = service.clock.now()
    const row = {
      ...ids,
      id: newId(),
      title_sealed: Buffer.from('x'),
      status: 'confirmed',
      metadata: '{}',
      created_at: now,
      updated_at: now,
      ...columns,
    }
    for (const [name, value] of Object.entries(row)) {
      if (/_(time|at)$/.test(name)) Object.assign(row, { [name]: new Date(value as string | Date) })
    }
    await sql`insert into events ${sql(row as never)}`
    await sql`update calendars set revision = revision + 1 where id = ${ids.calendar_id}`
  }
  /** Inserts them as they are; some lapsed holds, cancelled and deleted events besides, which count for nothing. */
  async function fill(calendarId: string, orgId: string, { events, series }: MappedCalendar) {
    const iso = (minute: number) => new Date(minute * 60_000).toISOString()
    const expires = (minutes: number) => ahead(service, minutes)
    for (const [i, { start, end }] of events.entries()) {
      const times = { start_time: iso(start), end_time: iso(end) }
      const variants: Record<string, unknown>[] = [
        { status: 'confirmed' },
        { status: 'tentative' },
        { status: 'hold', hold_expires_at: expires(10) },
      ]
      await insertEvent(calendarId, { ...times, ...variants[i % 3] }, orgId)
      const ghosts: Record<string, unknown>[] = [
        { status: 'cancelled' },
        { deleted_at: iso(start) },
        { status: 'hold', hold_expires_at: expires(0) },
      ]
      const moved = { start_time: iso(start + 60), end_time: iso(end + 90) }
      await insertEvent(calendarId, { ...moved, ...ghosts[i % 3] }, orgId)
    }
    for (const one of series) {
      await insertEvent(
        calendarId,
        {
          start_time: iso(one.start),
          end_time: iso(one.end),
          recurrence_rule: ruleOf(one),
          recurrence_exdates: one.cancelled.map(iso),
        },
        orgId,
      )
    }
  }
  async function agrees({ window, calendars, slotMinutes, duration }: BusyCase) {
    const org = await makeOrganization(service)
    const agents = [await makeAgent(service, org.key), await makeAgent(service, org.key)]
    const owned: { id: string; agent: number; mapped: MappedCalendar }[] = []
    for (const [i, mapped] of calendars.entries()) {
      const { id } = await makeCalendar(service, org.key, agents[i % 2].id)
      owned.push({ id, agent: i % 2, mapped })
      const body = {
        buffer_before_minutes: mapped.before,
        buffer_after_minutes: mapped.after,
        working_hours: mapped.hours,
        timezone: mapped.zone,
      }
      await service.call('PUT', `/v1/calendars/${id}/availability-rules`, { key: org.key, body })
      await fill(id, org.id, mapped)
    }
    const times = {
      start: new Date(window.from * 60_000).toISOString(),
      end: new Date(window.to * 60_000).toISOString(),
    }
    const query = { ...times, duration, include_busy: 'true' }
    const mapsOf = (of: typeof owned) =>
      mapBusy(
        of.map(({ mapped }) => mapped),
        window,
      )

    for (const one of owned) {
      const { body } = await askCalendar(one.id, query, org.key)
      const map = mapsOf([one])
      assert.deepEqual([body.busy, body.slots], [busyOf(map, window), slotsOf(map, window, slotMinutes)])
    }
    const agentMaps = agents.map((_, agent) => mapsOf(owned.filter((one) => one.agent === agent)))
    const ids = agents.map(({ id }) => id)
    const all = union(agentMaps)
    for (const include_busy of ['true', 'false', 'true']) {
      const { body } = await askAgents(ids, { ...query, include_busy }, org.key)
      assert.deepEqual(body.slots, slotsOf(all, window, slotMinutes))
      const expected = Object.fromEntries(ids.map((id, i) => [id, busyOf(agentMaps[i]!, window)]))
      assert.deepEqual(body.per_agent_busy, include_busy === 'true' ? expected : undefined)
    }
    const { body } = await askAgent(ids[0], query, org.key)
    assert.deepEqual(body.slots, slotsOf(agentMaps[0]!, window, slotMinutes))
  }
  return { ask, askCalendar, askAgent, askAgents, setRules, insertEvent, fill, agrees }
})

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

test('an agent key sees its own availability; that across agents is the organization key’s', async ({
  service,
  key,
  desk: { askCalendar, askAgent, askAgents },
}) => {
  const [agent, other] = await Promise.all([makeAgent(service, key), makeAgent(service, key)])
  const agentKey = await makeAgentKey(service, key, agent.id)
  const own = await makeCalendar(service, key, agent.id)
  const foreign = await makeCalendar(service, key, other.id)
  await askCalendar(foreign.id, morning)
  await askAgent(other.id, morning)
  assert.equal((await askCalendar(own.id, morning, agentKey)).status, 200)
  assert.equal((await askAgent(agent.id, morning, agentKey)).status, 200)
  for (const answer of [
    await askCalendar(foreign.id, morning, agentKey),
    await askAgent(other.id, morning, agentKey),
    await askAgents([agent.id], morning, agentKey),
  ]) {
    assert.equal(answer.status, 403)
    assert.equal(answer.body.error.type, 'forbidden')
  }
})

test('on the free plan one agent or calendar can be asked about, several agents cannot', async ({
  service,
  desk: { askCalendar, askAgent, askAgents },
}) => {
  const free = await makeOrganization(service, { plan: 'free' })
  const agent = await makeAgent(service, free.key)
  const calendar = await makeCalendar(service, free.key, agent.id)
  const quarter = { start: '2026-03-01T00:00:00Z', end: '2026-06-01T00:00:00Z' }
  assert.equal((await askCalendar(calendar.id, quarter, free.key)).status, 200)
  assert.equal((await askAgent(agent.id, quarter, free.key)).status, 200)
  const answer = await askAgents([agent.id], { start: 'no' }, free.key)
  assert.equal(answer.status, 403)
  assert.equal(answer.body.error.type, 'plan_required')
  assert.equal(answer.body.error.feature, 'cross_agent_availability')
})

test('each answered query takes one of the budget, a refused one none', async ({
  service,
  desk: { askCalendar, askAgent, askAgents },
}) => {
  const limited = await makeOrganization(service, { plan: 'custom', limits: { availability_queries: 3 } })
  const agent = await makeAgent(service, limited.key)
  const calendar = await makeCalendar(service, limited.key, agent.id)
  for (const query of [
    { ...morning, end: morning.start },
    { ...morning, duration: '20m' },
  ]) {
    assert.equal((await askCalendar(calendar.id, query, limited.key)).status, 400)
  }
  assert.equal((await askAgent('agt_x', morning, limited.key)).status, 404)
  assert.equal((await askCalendar(calendar.id, morning, limited.key)).status, 200)
  assert.equal((await askAgent(agent.id, morning, limited.key)).status, 200)
  assert.equal((await askAgents([agent.id], morning, limited.key)).status, 200)
  const answer = await askCalendar(calendar.id, morning, limited.key)
  assert.equal(answer.status, 429)
  assert.equal(answer.body.error.type, 'quota_exceeded')
  assert.equal(
    (await service.call('GET', `/v1/calendars/${calendar.id}/availability-rules`, { key: limited.key })).status,
    404,
  )
})

const badQueries: [name: string, query: Query, param: string][] = [
  ['no start', { start: undefined }, 'start'],
  ['no end', { end: undefined }, 'end'],
  ['a start without an offset', { start: '2026-03-03T09:00:00' }, 'start'],
  ['a day that is none', { end: '2026-02-30T09:00:00Z' }, 'end'],
  ['an end at the start', { end: morning.start }, 'end'],
  ['an end before the start', { end: '2026-03-03T08:00:00Z' }, 'end'],
  ['a length that is not offered', { duration: '10m' }, 'duration'],
  ['a former name with a length that is not offered', { slot_duration: '30' }, 'slot_duration'],
  ['two names with two lengths', { duration: '30m', slot_duration: '1h' }, 'slot_duration'],
  ['a boolean that is none', { include_busy: '1' }, 'include_busy'],
  ['another boolean that is none', { allow_stale: 'yes' }, 'allow_stale'],
]

for (const [name, query, param] of badQueries) {
  test(`${name} is refused on every endpoint`, async ({ service, key, desk: { askCalendar, askAgent, askAgents } }) => {
    const agent = await makeAgent(service, key)
    const calendar = await makeCalendar(service, key, agent.id)
    const given = { ...morning, ...query }
    for (const answer of [
      await askCalendar(calendar.id, given),
      await askAgent(agent.id, given),
      await askAgents([agent.id], given),
    ]) {
      assert.equal(answer.status, 400, JSON.stringify(answer.body))
      assert.equal(answer.body.error.type, 'validation_error')
      assert.equal(answer.body.error.param, param)
    }
    await service.call('DELETE', `/v1/agents/${agent.id}`, { key })
  })
}

for (const [name, query, param] of [
  ['no agents', { agents: undefined }, 'agents'],
  ['an empty list of agents', { agents: '' }, 'agents'],
  ['a list with a hole', { agents: 'agt_a,,agt_b' }, 'agents'],
  ['an empty list of calendars', { calendars: '' }, 'calendars'],
] as [string, Query, string][]) {
  test(`${name} is refused`, async ({ desk: { ask } }) => {
    const answer = await ask('/v1/availability', { ...morning, agents: 'agt_a', ...query })
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    assert.equal(answer.body.error.type, 'validation_error')
    assert.equal(answer.body.error.param, param)
  })
}

const unknown = { agt: 'agt_01k9xr8m3fe8tbc4x9m2v7h5qd', cal: 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd' }

test('what does not exist, or belongs to somebody else, is not found', async ({
  service,
  key,
  desk: { ask, askCalendar, askAgent, askAgents },
}) => {
  const other = await makeOrganization(service)
  const foreignAgent = await makeAgent(service, other.key)
  const foreignCalendar = await makeCalendar(service, other.key, foreignAgent.id)
  const agent = await makeAgent(service, key)
  const deleted = await makeCalendar(service, key, agent.id)
  await service.call('DELETE', `/v1/calendars/${deleted.id}`, { key })
  const expectNotFound = async (answer: ReturnType<typeof ask>, param: string | null) => {
    const { status, body } = await answer
    assert.equal(status, 404, JSON.stringify(body))
    assert.equal(body.error.type, 'not_found')
    assert.equal(body.error.param, param)
  }
  for (const id of [unknown.cal, unknown.agt, 'cal_x', foreignCalendar.id, deleted.id]) {
    await expectNotFound(askCalendar(id, morning), null)
    await expectNotFound(askAgents([agent.id], { ...morning, calendars: id }), 'calendars')
  }
  for (const id of [unknown.agt, unknown.cal, 'agt_x', foreignAgent.id]) {
    await expectNotFound(askAgent(id, morning), null)
    await expectNotFound(askAgents([agent.id, id], morning), 'agents')
  }
})

test('a decommissioned agent can still be asked about', async ({ service, key, desk: { askCalendar, askAgent } }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  await makeEvent(service, key, calendar.id, event('09:00', '11:00'))
  await service.call('DELETE', `/v1/agents/${agent.id}`, { key })
  for (const answer of [await askAgent(agent.id, morning), await askCalendar(calendar.id, morning)]) {
    assert.deepEqual(short(answer.body.slots), ['11:00-11:30', '11:30-12:00'])
  }
})

const days = (count: number, more = 0) => ({
  start: '2026-03-01T00:00:00.000Z',
  end: new Date(Date.parse('2026-03-01T00:00:00Z') + count * 86_400_000 + more).toISOString(),
})

test('the plan limits the agents and the range of a query across agents', async ({ service, desk: { askAgents } }) => {
  const pro = await makeOrganization(service)
  const agents = []
  for (let i = 0; i < 21; i++) agents.push((await makeAgent(service, pro.key)).id)
  const within = await askAgents([...agents.slice(0, 20), agents[0]], { ...days(90), duration: '2h' }, pro.key)
  assert.equal(within.status, 200)
  assert.equal(within.body.agents.length, 20)
  for (const [answer, param] of [
    [await askAgents(agents, days(1), pro.key), 'agents'],
    [await askAgents(agents.slice(0, 1), days(90, 1), pro.key), 'end'],
  ] as const) {
    assert.equal(answer.status, 400)
    assert.equal(answer.body.error.type, 'bad_request')
    assert.equal(answer.body.error.param, param)
  }
})

test('a custom plan has the limits that were agreed; without any a year is the end', async ({
  service,
  desk: { ask, askAgent, askAgents },
}) => {
  const agreed = await makeOrganization(service, {
    plan: 'custom',
    limits: { agents_per_query: 1, query_range_days: 2 },
  })
  const open = await makeOrganization(service, { plan: 'custom' })
  const [one, two] = [await makeAgent(service, agreed.key), await makeAgent(service, agreed.key)]
  const free = await makeAgent(service, open.key)
  const range = async (answer: ReturnType<typeof ask>) => {
    const { status, body } = await answer
    return [status, body.error?.type ?? null, body.error?.param ?? null]
  }
  const fine = [200, null, null]
  const tooWide = [400, 'bad_request', 'end']
  assert.deepEqual(await range(askAgents([one.id], days(2), agreed.key)), fine)
  assert.deepEqual(await range(askAgents([one.id], days(2, 1), agreed.key)), tooWide)
  assert.deepEqual(await range(askAgents([one.id, two.id], days(1), agreed.key)), [400, 'bad_request', 'agents'])
  assert.deepEqual(await range(askAgents([free.id], days(366), open.key)), fine)
  assert.deepEqual(await range(askAgents([free.id], days(366, 1), open.key)), tooWide)
  assert.deepEqual(await range(askAgent(free.id, days(366), open.key)), fine)
  assert.deepEqual(await range(askAgent(free.id, days(366, 1), open.key)), tooWide)
})

test('a window from the first year to the last costs next to nothing', async ({
  service,
  key,
  desk: { askCalendar, setRules },
}) => {
  const calendar = await makeCalendar(service, key)
  await setRules(calendar.id, { working_hours: { mon: { start: '09:00', end: '17:00' } }, timezone: 'Pacific/Apia' })
  const ages = { start: '0001-01-01T00:00:00Z', end: '9999-12-31T23:59:59Z', include_busy: 'true' }
  const answer = await askCalendar(calendar.id, ages)
  assert.equal(answer.status, 400)
  assert.equal(answer.body.error.type, 'bad_request')
  for (const start of ['0001-01-01T00:00:00Z', '9999-12-30T00:00:00Z']) {
    const end = start.replace('T00:00:00', 'T23:00:00')
    assert.equal((await askCalendar(calendar.id, { start, end })).status, 200)
  }
})

test('without events a question of the day costs the same whatever the calendar holds elsewhere', async ({
  service,
  key,
  desk: { askCalendar },
}) => {
  const calendar = await makeCalendar(service, key)
  assert.equal((await askCalendar(calendar.id, days(366))).body.slots.length, 366 * 48)
})

test('answers over HTTP equal those of a map of single minutes', async ({ desk: { agrees } }) => {
  await fc.assert(fc.asyncProperty(busyCase(4), agrees), { numRuns: 25, endOnFailure: true })
})
