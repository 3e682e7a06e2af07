import assert from 'node:assert/strict'
import { connectionTest } from '../../src/testing/connections.ts'
import { makeAgent, makeAgentKey, makeCalendar } from '../../src/testing/factories.ts'
import { vcalendar, vevent } from '../../src/testing/feedServer.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const minute = 60_000
const hour = 60 * minute
const day = '2026-03-03'
const stamp = (time: string) => `20260303T${time.replace(':', '')}00Z`
const busy = (from: string, to: string, more: Record<string, string> = {}) =>
  vcalendar(vevent(`${from}@x`, { DTSTART: stamp(from), DTEND: stamp(to), SUMMARY: 'Secret dentist', ...more }))

const test = connectionTest().extend('ask', async ({ service, desk }) => {
  const window = `start=${day}T08:00:00Z&end=${day}T12:00:00Z&duration=1h`
  const agent = async (more = '', key = desk.key, id = desk.agent.id) =>
    (await service.call('GET', `/v1/agents/${id}/availability?${window}${more}`, { key })).body
  const calendar = async (more = '', id = desk.calendar.id) =>
    (await service.call('GET', `/v1/calendars/${id}/availability?${window}${more}`, { key: desk.key })).body
  return { agent, calendar }
})

const starts = (answer: { slots: { start: string }[] }) => answer.slots.map(({ start }) => start.slice(11, 16))

test('without a grant nothing is external', async ({ desk, ask }) => {
  await desk.connected()
  const answer = await ask.agent()
  assert.deepEqual(answer.sources, { internal: 'current', external: 'none', last_synced_at: null })
  assert.equal(answer.availability_state, 'complete')
  assert.deepEqual(starts(answer), ['08:00', '09:00', '10:00', '11:00'])
})

test('what a human is busy with is not free for the agent, and no word of it is told', async ({
  service,
  caldav,
  desk,
  ask,
}) => {
  caldav.put('personal', 'a.ics', busy('09:00', '10:00'))
  await desk.granted()
  for (const answer of [await ask.agent('&include_busy=true'), await ask.calendar('&include_busy=true')]) {
    assert.deepEqual(starts(answer), ['08:00', '10:00', '11:00'])
    assert.deepEqual(answer.sources, {
      internal: 'current',
      external: 'current',
      last_synced_at: service.clock.now().toISOString(),
    })
    assert.deepEqual([answer.availability_state, answer.warnings], ['complete', []])
    const shown = answer.busy ?? answer.per_agent_busy[desk.agent.id]
    assert.deepEqual(shown, [{ start: `${day}T09:00:00.000Z`, end: `${day}T10:00:00.000Z` }])
    assert.doesNotMatch(JSON.stringify(answer), /dentist|xcl_|con_|caldav/i)
  }
  const free = await service.call(
    'GET',
    `/v1/calendars/${desk.calendar.id}/availability/check?start=${day}T09:30:00Z&end=${day}T09:45:00Z`,
    { key: desk.key },
  )
  assert.deepEqual([free.body.free, free.body.blocked_by], [false, [{ kind: 'external', reason: 'busy' }]])
})

test('the largest buffers of the agent widen it, and an agent without calendars is busy too', async ({
  service,
  caldav,
  desk,
  ask,
}) => {
  caldav.put('personal', 'a.ics', busy('10:00', '11:00'))
  const { grant } = await desk.granted()
  const second = await makeCalendar(service, desk.key, desk.agent.id)
  const rules = (id: string, body: object) =>
    service.call('PUT', `/v1/calendars/${id}/availability-rules`, { key: desk.key, body })
  await rules(desk.calendar.id, { buffer_before_minutes: 30 })
  await rules(second.id, { buffer_before_minutes: 60, buffer_after_minutes: 10 })
  const answer = await ask.agent('&include_busy=true')
  assert.deepEqual(answer.per_agent_busy[desk.agent.id], [
    { start: `${day}T09:00:00.000Z`, end: `${day}T11:10:00.000Z` },
  ])
  const one = await ask.calendar('&include_busy=true')
  assert.deepEqual(one.busy, [{ start: `${day}T09:30:00.000Z`, end: `${day}T11:00:00.000Z` }])
  const bare = await makeAgent(service, desk.key)
  await desk.ok('PATCH', `/v1/availability-grants/${grant.id}`, { agent_ids: [desk.agent.id, bare.id] })
  assert.deepEqual(starts(await ask.agent('', desk.key, bare.id)), ['08:00', '09:00', '11:00'])
})

test('what is declined, cancelled, transparent or shown as free takes no time', async ({ caldav, desk, ask }) => {
  const free: Record<string, string>[] = [
    { STATUS: 'CANCELLED' },
    { TRANSP: 'TRANSPARENT' },
    { 'X-MICROSOFT-CDO-BUSYSTATUS': 'FREE' },
    { 'ATTENDEE;CN="Ada: L";PARTSTAT=DECLINED': 'mailto:ADA@example.com' },
  ]
  for (const [nth, more] of free.entries()) caldav.put('personal', `free${nth}.ics`, busy('09:00', '10:00', more))
  const taken: Record<string, string>[] = [
    { STATUS: 'TENTATIVE' },
    { 'ATTENDEE;PARTSTAT=DECLINED': 'mailto:bob@example.com' },
    { 'ATTENDEE;PARTSTAT=NEEDS-ACTION': 'mailto:ada@example.com' },
  ]
  await desk.granted()
  assert.deepEqual(starts(await ask.agent()), ['08:00', '09:00', '10:00', '11:00'])
  const [connection] = (await desk.ok('GET', '/v1/calendar-connections')).data
  for (const [nth, more] of taken.entries()) {
    caldav.put('personal', 'taken.ics', busy('10:00', '11:00', more))
    await refresh(desk, connection.id)
    assert.deepEqual(starts(await ask.agent()), ['08:00', '09:00', '11:00'], String(nth))
    caldav.remove('personal', 'taken.ics')
    await refresh(desk, connection.id)
    assert.deepEqual(starts(await ask.agent()), ['08:00', '09:00', '10:00', '11:00'])
  }
})

type Desk = {
  session(method: string, path: string, body?: object): Promise<{ status: number }>
  drain(): Promise<void>
}
async function refresh(desk: Desk, id: string): Promise<void> {
  const waiting = desk.session('POST', `/v1/calendar-connections/${id}/refresh`)
  let isOver = false
  void waiting.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await desk.drain()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.equal((await waiting).status, 202)
}

test('a series, its exception and its moved instance; a date is a local day', async ({ caldav, desk, ask }) => {
  const series = vevent('s', { DTSTART: '20260301T090000Z', DTEND: '20260301T100000Z', RRULE: 'FREQ=DAILY' })
  const moved = vevent('s', {
    'RECURRENCE-ID': '20260303T090000Z',
    DTSTART: '20260303T110000Z',
    DTEND: '20260303T120000Z',
  })
  caldav.put('personal', 's.ics', vcalendar(series, moved))
  await desk.granted()
  assert.deepEqual(starts(await ask.agent()), ['08:00', '09:00', '10:00'])
  caldav.put('personal', 'd.ics', vcalendar(vevent('d', { 'DTSTART;VALUE=DATE': '20260303' })))
  const [connection] = (await desk.ok('GET', '/v1/calendar-connections')).data
  await refresh(desk, connection.id)
  assert.deepEqual(starts(await ask.agent()), [])
})

test('what is remembered of copies is what would be read of them', async ({ service, caldav, desk }) => {
  let asked = 0
  /** Each question is another one, so that no answer is remembered. One that is explained remembers nothing at all. */
  const compare = async (): Promise<number> => {
    const counts: number[] = []
    for (const days of [1, 40, 80]) {
      const from = Date.parse(`${day}T06:00:00Z`) - ++asked * minute
      const window = `start=${new Date(from).toISOString()}&end=${new Date(from + days * 24 * hour).toISOString()}`
      const path = `/v1/agents/${desk.agent.id}/availability?${window}&duration=1h&include_busy=true&allow_stale=true`
      const answer = (await service.call('GET', path, { key: desk.key })).body
      const read = (await service.call('GET', `${path}&explain=true`, { key: desk.key })).body
      assert.deepEqual([answer.per_agent_busy, answer.slots], [read.per_agent_busy, read.slots])
      counts.push(answer.per_agent_busy[desk.agent.id].length)
    }
    return counts[1]!
  }
  assert.equal(await compare(), 0)
  caldav.put('personal', 'a.ics', busy('09:00', '10:00'))
  const { connection } = await desk.granted()
  assert.equal(await compare(), 1)
  caldav.put('personal', 'b.ics', busy('12:00', '13:00', { RRULE: 'FREQ=DAILY;COUNT=90' }))
  caldav.put('personal', 'c.ics', busy('11:30', '14:00'))
  await refresh(desk, connection.id)
  assert.equal(await compare(), 41)
  caldav.remove('personal', 'b.ics')
  await refresh(desk, connection.id)
  assert.equal(await compare(), 2)
  await service.call('PUT', `/v1/calendars/${desk.calendar.id}/availability-rules`, {
    key: desk.key,
    body: { buffer_after_minutes: 90 },
  })
  assert.equal(await compare(), 1)
  await desk.ok('PATCH', `/v1/calendar-connections/${connection.id}`, { selected_external_calendar_ids: [] })
  assert.equal(await compare(), 0)
})

test('twenty minutes after the last read began nothing is offered, unless stale will do', async ({
  service,
  caldav,
  desk,
  ask,
}) => {
  await desk.granted()
  caldav.quirk = () => ({ status: 503 })
  const readAt = service.clock.now().toISOString()
  await service.clock.advance(20 * minute)
  assert.equal((await ask.agent()).availability_state, 'complete')
  await service.clock.advance(1)
  const stale = await ask.agent()
  assert.deepEqual(
    [stale.availability_state, stale.slots, stale.warnings, stale.sources],
    ['stale', [], ['availability_incomplete'], { internal: 'current', external: 'stale', last_synced_at: readAt }],
  )
  const explored = await ask.agent('&allow_stale=true')
  assert.deepEqual([explored.availability_state, starts(explored).length], ['stale', 4])
  const why = await ask.agent('&explain=true')
  assert.deepEqual(why.blocked, [
    { start: `${day}T08:00:00.000Z`, end: `${day}T12:00:00.000Z`, by: [{ kind: 'external', reason: 'not_current' }] },
  ])
  assert.equal(why.empty_reason, 'external_not_current')
  await service.drain()
  await service.clock.advance(24 * hour)
  const gone = await ask.agent('&allow_stale=true')
  assert.deepEqual([gone.availability_state, gone.slots], ['unavailable', []])
})

test('a question beyond what is covered is not answered; two sources are partial', async ({ service, desk, ask }) => {
  const { connection, grant } = await desk.granted()
  const far = async (from: string) =>
    (
      await service.call(
        'GET',
        `/v1/agents/${desk.agent.id}/availability?start=${from}&end=${from.slice(0, 11)}23:00:00Z`,
        {
          key: desk.key,
        },
      )
    ).body.availability_state
  const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 24 * hour).toISOString()
  assert.equal(await far(`${inDays(399).slice(0, 10)}T10:00:00Z`), 'complete')
  assert.equal(await far(`${inDays(401).slice(0, 10)}T10:00:00Z`), 'unavailable')
  assert.equal(await far(`${inDays(-32).slice(0, 10)}T10:00:00Z`), 'unavailable')
  assert.equal(await far(`${inDays(-30).slice(0, 10)}T10:00:00Z`), 'complete')
  const ids = connection.calendars.map((calendar: { id: string }) => calendar.id)
  await desk.ok('PATCH', `/v1/calendar-connections/${connection.id}`, { selected_external_calendar_ids: ids })
  await desk.ok('PATCH', `/v1/availability-grants/${grant.id}`, { external_calendar_ids: ids })
  const partial = await ask.agent()
  assert.deepEqual([partial.availability_state, partial.slots], ['partial', []])
  await service.drain()
  assert.equal((await ask.agent()).availability_state, 'complete')
})

test('who is meant by a grant', async ({ service, caldav, desk, ask }) => {
  caldav.put('personal', 'a.ics', busy('09:00', '10:00'))
  const { grant } = await desk.granted()
  const other = await makeAgent(service, desk.key)
  await makeCalendar(service, desk.key, other.id)
  const isBusy = async (id: string) => !starts(await ask.agent('', desk.key, id)).includes('09:00')
  assert.deepEqual([await isBusy(desk.agent.id), await isBusy(other.id)], [true, false])
  const path = `/v1/availability-grants/${grant.id}`
  await desk.ok('PATCH', path, { audience: 'all_current_agents' })
  await service.clock.advance(1)
  const later = await makeAgent(service, desk.key)
  assert.deepEqual([await isBusy(other.id), await isBusy(later.id)], [true, false])
  await desk.ok('PATCH', path, { audience: 'all_org_agents' })
  assert.equal(await isBusy(later.id), true)
  await desk.ok('PATCH', path, { active: false })
  assert.equal(await isBusy(desk.agent.id), false)
  await desk.ok('PATCH', path, { active: true })
  const shared = await makeCalendar(service, desk.key)
  assert.equal((await ask.calendar('', shared.id)).sources.external, 'none')
})

test('pausing closes at once, disconnecting opens', async ({ desk, ask }) => {
  const { connection } = await desk.granted()
  await desk.ok('POST', `/v1/calendar-connections/${connection.id}/pause`)
  assert.equal((await ask.agent()).availability_state, 'stale')
  await desk.session('DELETE', `/v1/calendar-connections/${connection.id}`)
  assert.equal((await ask.agent()).sources.external, 'none')
})

test('a question wakes a read of a copy that is not new, once a minute', async ({ service, caldav, desk, ask }) => {
  await desk.granted()
  caldav.put('personal', 'new.ics', busy('09:00', '10:00'))
  await service.clock.advance(61_000)
  assert.ok(starts(await ask.agent()).includes('09:00'), 'it does not wait')
  const interest = async () =>
    (await service.app.redis.keys(`*${service.app.config.redisPrefix}*`)).filter((name) => name.includes('interest'))
      .length
  await service.app.bell.close()
  const after = await interest()
  assert.ok(after >= 1)
  await ask.agent()
  assert.equal(await interest(), after)
})

test('a page offers nothing while it is not known, and says why', async ({ service, caldav, desk }) => {
  await desk.granted()
  const body = { calendar_id: desk.calendar.id, title: 'Call', duration_minutes: 60 }
  const page = (await service.call('POST', '/v1/booking-pages', { key: desk.key, body })).body
  const slots = async () => (await service.call('GET', `/book/${page.slug}/slots`)).body.slots.length
  assert.ok((await slots()) > 0)
  caldav.quirk = () => ({ status: 503 })
  await service.clock.advance(21 * minute)
  assert.equal(await slots(), 0)
  const shown = await fetch(`${service.baseUrl}/book/${page.slug}`, { headers: { accept: 'text/html' } })
  assert.match(await shown.text(), /not known at the moment/)
  const booking = { name: 'Guest', email: 'guest@example.com', start: `${day}T10:00:00Z` }
  const refused = await service.call('POST', `/book/${page.slug}`, { body: booking })
  assertRefused(refused, 503, 'internal_error', { code: 'availability_incomplete' })
  assert.equal(refused.headers.get('retry-after'), '60')
})

test('a booking reads anew first: what the human took a second ago is taken', async ({ service, caldav, desk }) => {
  await desk.granted()
  const body = { calendar_id: desk.calendar.id, title: 'Call', duration_minutes: 60 }
  const page = (await service.call('POST', '/v1/booking-pages', { key: desk.key, body })).body
  caldav.put('personal', 'sudden.ics', busy('10:00', '11:00'))
  const book = async (start: string) => {
    const waiting = service.call('POST', `/book/${page.slug}`, {
      body: { name: 'Guest', email: 'guest@example.com', start },
    })
    const draining = setInterval(() => void service.drain(), 50)
    const answer = await waiting
    clearInterval(draining)
    return answer
  }
  assertRefused(await book(`${day}T10:00:00Z`), 409, 'conflict', { param: 'start' })
  assert.equal((await book(`${day}T11:00:00Z`)).status, 201)
})

test('an agent key sees that its human is busy; require_free counts it', async ({ service, caldav, desk, ask }) => {
  caldav.put('personal', 'a.ics', busy('09:00', '10:00'))
  await desk.granted()
  const key = await makeAgentKey(service, desk.key, desk.agent.id)
  const why = await ask.agent('&explain=true', key)
  assert.deepEqual(why.blocked[0].by, [{ kind: 'external', reason: 'busy' }])
  const event = { title: 'Event', start_time: `${day}T09:00:00Z`, end_time: `${day}T09:30:00Z` }
  const path = `/v1/calendars/${desk.calendar.id}/events`
  assert.equal((await service.call('POST', path, { key, body: { ...event, require_free: true } })).status, 409)
  assert.equal((await service.call('POST', path, { key, body: event })).status, 201)
})

test('a series that never ends is known as far as it fits, and nothing after it is free', async ({
  service,
  caldav,
  desk,
  ask,
}) => {
  const { connection } = await desk.granted()
  const inDays = async (days: number) => {
    const at = (hours: number) =>
      new Date(service.clock.now().getTime() + days * 24 * hour + hours * hour).toISOString()
    const window = `start=${at(0)}&end=${at(3)}&duration=30m`
    const path = `/v1/agents/${desk.agent.id}/availability?${window}`
    const { body } = await service.call('GET', path, { key: desk.key })
    return [body.availability_state, body.slots.length]
  }
  const repeated = async (name: string, rule: string, length: string) => {
    const times = { DTSTART: stamp('00:00').replace('20260303', '20260101'), DURATION: length, RRULE: rule }
    caldav.put('personal', name, vcalendar(vevent(name, times)))
    await service.clock.advance(6 * minute)
    await service.drain()
    return (await desk.read(connection.id)).calendars[0].sync.status
  }
  // 10,536 times within the horizon.
  assert.equal(await repeated('a.ics', 'FREQ=HOURLY', 'PT1H'), 'current')
  assert.deepEqual(
    [await inDays(1), await inDays(399)],
    [
      ['complete', 0],
      ['complete', 0],
    ],
  )
  caldav.remove('personal', 'a.ics')
  // 144 times a day: 20,000 of them reach 107 days ahead.
  assert.equal(await repeated('b.ics', 'FREQ=MINUTELY;INTERVAL=10', 'PT10M'), 'partial')
  assert.deepEqual(
    [await inDays(1), await inDays(100), await inDays(110)],
    [
      ['complete', 0],
      ['complete', 0],
      ['unavailable', 0],
    ],
  )
  // A million steps would not do.
  caldav.remove('personal', 'b.ics')
  assert.equal(await repeated('c.ics', 'FREQ=SECONDLY;COUNT=999999999', 'PT1S'), 'partial')
  await service.clock.advance(20 * minute)
  assert.deepEqual(await inDays(1), ['unavailable', 0])
  caldav.remove('personal', 'c.ics')
  await service.drain()
  assert.equal((await desk.read(connection.id)).calendars[0].sync.status, 'current')
  assert.deepEqual(starts(await ask.agent()), ['08:00', '09:00', '10:00', '11:00'])
})
