import assert from 'node:assert/strict'
import { asRead } from '../../src/testing/eventRecord.ts'
import { makeAgent } from '../../src/testing/factories.ts'
import { localTest, viewed, withoutLocal } from '../../src/testing/localView.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = localTest()

test('an event says its times on the wall clock of its calendar, or of another zone', async ({ desk }) => {
  const event = await desk.make({ start_time: '2026-12-01T09:00:00Z', end_time: '2026-12-01T09:30:00Z' })
  const berlin = {
    timezone: 'Europe/Berlin',
    weekday: 'Tuesday',
    date: '2026-12-01',
    start: '10:00',
    end: '10:30',
    end_date: '2026-12-01',
    utc_offset: '+01:00',
    text: 'Tuesday 1 December 2026, 10:00–10:30 (Europe/Berlin, UTC+01:00)',
  }
  const tokyo = {
    ...berlin,
    timezone: 'Asia/Tokyo',
    start: '18:00',
    end: '18:30',
    utc_offset: '+09:00',
    text: 'Tuesday 1 December 2026, 18:00–18:30 (Asia/Tokyo, UTC+09:00)',
  }
  for (const path of [desk.pathOf(event.id), `/v1/events/${event.id}`]) {
    assert.deepEqual(await desk.get(`${path}?view=local`), { ...event, local: berlin })
    assert.deepEqual(await desk.get(`${path}?view=local&tz=Asia/Tokyo`), { ...event, local: tokyo })
    assert.deepEqual(await desk.get(path), event)
  }
})

test('an all-day event names its last day, and one over a change of clocks both offsets', async ({ desk }) => {
  const allDay = await desk.make({
    start_time: '2026-12-01T00:00[Europe/Berlin]',
    end_time: '2026-12-04T00:00[Europe/Berlin]',
    all_day: true,
  })
  const { local } = await desk.get(`${desk.pathOf(allDay.id)}?view=local`)
  assert.equal(local.last_date, '2026-12-03')
  assert.equal(local.end_date, '2026-12-04')
  assert.equal(local.text, 'Tuesday 1 December 2026 – Thursday 3 December 2026 (all day)')
  const overnight = await desk.make({ start_time: '2026-10-24T22:00:00Z', end_time: '2026-10-25T02:00:00Z' })
  const night = (await desk.get(`${desk.pathOf(overnight.id)}?view=local`)).local
  assert.deepEqual([night.utc_offset, night.end_utc_offset], ['+02:00', '+01:00'])
  const late = await desk.make({ start_time: '2026-12-01T22:00:00Z', end_time: '2026-12-02T00:00:00Z' })
  assert.equal(
    (await desk.get(`${desk.pathOf(late.id)}?view=local`)).local.text,
    'Tuesday 1 December 2026, 23:00 – Wednesday 2 December 2026, 01:00 (Europe/Berlin, UTC+01:00)',
  )
})

test('every write shows the event as reading it does', async ({ desk, call, key }) => {
  const tz = '?view=local&tz=America/New_York'
  for (const query of ['?view=local', tz]) {
    const shownBy = async (
      method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
      path: string,
      status: number,
      body?: object,
    ) => {
      const answer = asRead(await call(method, path + query, { key, body }))
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.deepEqual(answer.body, await desk.get(desk.pathOf(answer.body.id) + query))
      assert.equal(answer.body.local.timezone, query === tz ? 'America/New_York' : 'Europe/Berlin')
      return answer.body
    }
    const event = await shownBy('POST', desk.pathOf(), 201, desk.body())
    await shownBy('PATCH', desk.pathOf(event.id), 200, { title: 'Renamed' })
    await shownBy('PATCH', `/v1/events/${event.id}`, 200, { title: 'Renamed again' })
    for (const end of ['confirm', 'release']) {
      const hold = await shownBy('POST', desk.pathOf(), 201, desk.holdBody())
      await shownBy('PUT', `/v1/events/${hold.id}/${end}`, 200)
    }
    const series = await shownBy('POST', desk.pathOf(), 201, desk.body({ recurrence_rule: 'FREQ=DAILY;COUNT=3' }))
    const occurrence = `&occurrence_start=${series.startTime}`
    const cancelled = asRead(await call('DELETE', `${desk.pathOf(series.id)}${query}${occurrence}`, { key }))
    assert.equal(cancelled.status, 200)
    assert.deepEqual(cancelled.body, await desk.get(desk.pathOf(series.id) + query))
    const deleted = await call('DELETE', desk.pathOf(event.id) + query, { key })
    assert.equal(deleted.status, 204)
  }
})

test('lists show every event, and an expanded series every occurrence, in its own offset', async ({ desk, agent }) => {
  const series = await desk.make({
    start_time: '2026-10-20T08:00:00Z',
    end_time: '2026-10-20T09:00:00Z',
    recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
  })
  const window = 'start_after=2026-10-19T00:00:00Z&start_before=2026-11-30T00:00:00Z'
  for (const path of [desk.pathOf(), `/v1/agents/${agent.id}/events`]) {
    const plain = await desk.get(`${path}?${window}&expand=true`)
    const local = await desk.get(`${path}?${window}&expand=true&view=local&tz=Europe/Berlin`)
    assert.deepEqual(withoutLocal(local), plain)
    const ours = local.data.filter((one: { id: string }) => one.id === series.id)
    assert.deepEqual(
      ours.map((one: { local: { start: string; utc_offset: string } }) => [one.local.start, one.local.utc_offset]),
      [
        ['10:00', '+02:00'],
        ['09:00', '+01:00'],
        ['09:00', '+01:00'],
      ],
    )
    const unexpanded = await desk.get(`${path}?${window}&view=local&tz=Europe/Berlin`)
    assert.deepEqual(withoutLocal(unexpanded), await desk.get(`${path}?${window}`))
    assert.ok(unexpanded.data.every((one: { local?: object }) => one.local))
  }
  assert.deepEqual(
    await desk.get(`${desk.pathOf()}?${window}&view=local`),
    await desk.get(`${desk.pathOf()}?${window}&view=local&tz=Europe/Berlin`),
  )
})

test('a context shows what is on, what comes and what has ended', async ({ service, desk }) => {
  const at = (minutes: number) => new Date(service.clock.now().getTime() + minutes * 60_000).toISOString()
  const { id } = await desk.calendar()
  for (const [start, end] of [
    [-90, -60],
    [-10, 20],
    [60, 90],
  ] as const) {
    await desk.make({ start_time: at(start), end_time: at(end) }, id)
  }
  const path = `/v1/calendars/${id}/context`
  const local = await desk.get(`${path}?view=local`)
  assert.deepEqual(withoutLocal(local), await desk.get(path))
  const shown = [local.current_event, local.next_event, ...local.recent_events, ...local.upcoming]
  assert.deepEqual(
    shown.map((one) => one.local.timezone),
    ['Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin'],
  )
})

test('availability shows each slot and each busy time', async ({ service, key, desk }) => {
  const agent = await makeAgent(service, key)
  const { id } = await desk.calendar(agent.id)
  await desk.make({ start_time: '2026-12-01T09:00:00Z', end_time: '2026-12-01T09:30:00Z' }, id)
  const window = 'start=2026-12-01T09:00:00Z&end=2026-12-01T10:30:00Z&include_busy=true'
  const tz = '&view=local&tz=Asia/Kolkata'
  const asked = [
    `/v1/calendars/${id}/availability?${window}`,
    `/v1/agents/${agent.id}/availability?${window}`,
    `/v1/availability?agents=${agent.id}&${window}`,
  ]
  for (const path of asked) {
    // The second answer comes from the cache, which must not have been changed.
    for (const round of [1, 2]) {
      const local = await desk.get(path + tz)
      assert.deepEqual(withoutLocal(local), await desk.get(path), `round ${round}`)
      assert.equal(local.slots[0].local.text, 'Tuesday 1 December 2026, 15:00–15:30 (Asia/Kolkata, UTC+05:30)')
      const busy = local.busy ?? local.per_agent_busy[agent.id]
      assert.equal(busy[0].local.start, '14:30')
    }
  }
  const ofCalendar = await desk.get(`${asked[0]}&view=local`)
  assert.equal(ofCalendar.slots[0].local.timezone, 'Europe/Berlin')
})

test('proposals show their slots, the one that was chosen, and the slots of a counter', async ({
  desk,
  parties,
  call,
  key,
}) => {
  const base = '/v1/scheduling/proposals'
  const query = '?view=local&tz=Europe/Berlin'
  // Metadata belong to the callers, even if they look like times.
  const metadata = { start: 'a', end: 'b', slot: { start_time: 'c', end_time: 'd' } }
  const created = await call('POST', base + query, { key, body: { ...parties.body, metadata } })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const path = `${base}/${created.body.id}`
  const counter = { start_time: '2026-12-02T09:00[Europe/Berlin]', end_time: '2026-12-02T10:00[Europe/Berlin]' }
  const responded = await call('POST', `${path}/respond${query}`, {
    key,
    body: { agent_id: parties.agents[1].id, response: 'counter', counter_slots: [counter] },
  })
  assert.equal(responded.status, 200, JSON.stringify(responded.body))
  assert.equal(responded.body.counter_slots[0].local.start, '09:00')
  const read = await desk.get(path + query)
  assert.deepEqual(withoutLocal(read), await desk.get(path))
  assert.deepEqual(read.metadata, metadata)
  assert.equal(read.slots[0].local.text, 'Tuesday 1 December 2026, 10:00–10:30 (Europe/Berlin, UTC+01:00)')
  assert.equal(read.responses[0].counter_slots[0].local.weekday, 'Wednesday')
  const resolved = await call('POST', `${path}/resolve${query}`, { key })
  assert.equal(resolved.body.resolved_slot.local.date, '2026-12-01')
  const listed = await desk.get(`${base}${query}`)
  assert.deepEqual(listed.data[0].resolved_slot, resolved.body.resolved_slot)
  assert.deepEqual(withoutLocal(listed), await desk.get(base))
})

test('an answer that may be about several calendars needs a zone, also when it is about one', async ({
  desk,
  agent,
  parties,
  call,
  key,
}) => {
  const window = 'start=2026-12-01T09:00:00Z&end=2026-12-01T10:30:00Z'
  const proposals = '/v1/scheduling/proposals'
  for (const path of [
    `/v1/agents/${agent.id}/events?`,
    `/v1/agents/${agent.id}/availability?${window}&`,
    `/v1/availability?agents=${agent.id}&${window}&`,
    `${proposals}?`,
    `${proposals}/spr_01k9xr8m3fe8tbc4x9m2v7h5qd?`,
  ]) {
    assertRefused(await call('GET', `${path}view=local`, { key }), 400, 'validation_error', { param: 'tz' })
  }
  const before = (await desk.get(proposals)).total
  const refused = await call('POST', `${proposals}?view=local`, { key, body: parties.body })
  assertRefused(refused, 400, 'validation_error', { param: 'tz' })
  assert.equal((await desk.get(proposals)).total, before)
})

test('another view, a zone alone or one that does not exist is refused on every route, and nothing happens', async ({
  desk,
  call,
  key,
}) => {
  const { id } = await desk.calendar()
  const wrong: [query: string, param: string][] = [
    ['view=utc', 'view'],
    ['view=', 'view'],
    ['view=Local', 'view'],
    ['view=local&view=local', 'view'],
    ['tz=Europe/Berlin', 'tz'],
    ['view=local&tz=', 'tz'],
    ['view=local&tz=CEST', 'tz'],
    ['view=local&tz=%2B01:00', 'tz'],
    ['view=local&tz=Mars/One', 'tz'],
    ['view=local&tz=UTC&tz=UTC', 'tz'],
    [`view=local&tz=${'A'.repeat(400)}`, 'tz'],
  ]
  for (const { method, path, required } of viewed) {
    for (const [query, param] of wrong) {
      const body = method === 'post' ? {} : undefined
      const answer = await call(method.toUpperCase(), `${path}?${required}${query}`, { key, body })
      assertRefused(answer, 400, 'validation_error', { param })
    }
  }
  for (const [query, param] of wrong) {
    const answer = await call('POST', `${desk.pathOf(undefined, id)}?${query}`, { key, body: desk.body() })
    assertRefused(answer, 400, 'validation_error', { param })
  }
  assert.equal((await desk.get(desk.pathOf(undefined, id))).total, 0)
})

test('a zone in lower case is the same zone, shown as it was sent', async ({ desk }) => {
  const { id } = await desk.make()
  const { local } = await desk.get(`${desk.pathOf(id)}?view=local&tz=europe/berlin`)
  assert.equal(local.timezone, 'europe/berlin')
  assert.equal(local.start, '10:00')
})

test('what is not found or not allowed is so in the local view too', async ({ desk, call, key, agentKey }) => {
  const unknown = 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd'
  assertRefused(await call('GET', `${desk.pathOf(undefined, unknown)}?view=local`, { key }), 404, 'not_found', {
    code: 'calendar_not_found',
  })
  const event = await desk.make({}, (await desk.calendar()).id)
  const others = await call('GET', `/v1/events/${event.id}?view=local`, { key: agentKey })
  assertRefused(others, 403, 'forbidden')
  const own = await desk.make()
  const { status, body } = await call('GET', `/v1/events/${own.id}?view=local`, { key: agentKey })
  assert.deepEqual([status, body.local.start], [200, '10:00'])
})
