// Why a time is not free: each kind of cause, to whom it is shown, and when it is over.
import assert from 'node:assert/strict'
import { at, availabilityTest, event, morning } from '../../src/testing/availability.ts'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeEvent } from '../../src/testing/factories.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = availabilityTest()

const explained = { ...morning, explain: 'true' }

test('an event, a hold, their buffers and the working hours are named', async ({ service, key, desk }) => {
  const { id } = await makeCalendar(service, key)
  await desk.setRules(id, {
    buffer_before_minutes: 5,
    buffer_after_minutes: 10,
    working_hours: { tue: { start: '09:30', end: '17:00' } },
  })
  const meeting = await makeEvent(service, key, id, event('10:00', '10:30', { status: 'tentative' }))
  const hold = await makeEvent(
    service,
    key,
    id,
    event('11:00', '11:15', { status: 'hold', hold_expires_at: ahead(service, 5), hold_priority: 7 }),
  )
  const { status, body } = await desk.askCalendar(id, { ...explained, duration: '15m' })
  assert.equal(status, 200)
  const buffer = (event_id: string, side: string, minutes: number) => ({
    kind: 'buffer',
    calendar_id: id,
    event_id,
    side,
    minutes,
  })
  assert.deepEqual(body.blocked, [
    { start: at('09:00'), end: at('09:30'), by: [{ kind: 'working_hours', calendar_id: id }] },
    { start: at('09:55'), end: at('10:00'), by: [buffer(meeting.id, 'before', 5)] },
    {
      start: at('10:00'),
      end: at('10:30'),
      by: [{ kind: 'event', calendar_id: id, event_id: meeting.id, status: 'tentative' }],
    },
    { start: at('10:30'), end: at('10:40'), by: [buffer(meeting.id, 'after', 10)] },
    { start: at('10:55'), end: at('11:00'), by: [buffer(hold.id, 'before', 5)] },
    {
      start: at('11:00'),
      end: at('11:15'),
      by: [
        {
          kind: 'hold',
          calendar_id: id,
          event_id: hold.id,
          hold_priority: 7,
          hold_expires_at: hold.holdExpiresAt,
        },
      ],
    },
    { start: at('11:15'), end: at('11:25'), by: [buffer(hold.id, 'after', 10)] },
  ])
  assert.ok(!('empty_reason' in body) && !('blocked_truncated' in body))
  const { blocked: _, ...rest } = body
  assert.deepEqual(rest, (await desk.askCalendar(id, { ...morning, duration: '15m' })).body)
})

test('a stretch has one set of causes, and lasts as long as that', async ({ service, key, desk }) => {
  const { id } = await makeCalendar(service, key)
  const first = await makeEvent(service, key, id, event('09:00', '10:00'))
  const second = await makeEvent(service, key, id, event('09:30', '10:00'))
  const third = await makeEvent(service, key, id, event('10:00', '10:30'))
  const { body } = await desk.askCalendar(id, explained)
  assert.deepEqual(
    body.blocked.map((one: { start: string; end: string; by: { event_id: string }[] }) => [
      one.start,
      one.end,
      one.by.map((cause) => cause.event_id),
    ]),
    [
      [at('09:00'), at('09:30'), [first.id]],
      [at('09:30'), at('10:00'), [first.id, second.id]],
      [at('10:00'), at('10:30'), [third.id]],
    ],
  )
})

test('each occurrence of a series is a cause, also those that began before the window', async ({
  service,
  key,
  desk,
}) => {
  const { id } = await makeCalendar(service, key)
  const series = await makeEvent(service, key, id, {
    start_time: '2026-03-01T08:00:00Z',
    end_time: '2026-03-03T10:00:00Z',
    recurrence_rule: 'FREQ=DAILY;COUNT=5',
  })
  await service.call('DELETE', `/v1/events/${series.id}?occurrence_start=2026-03-03T08:00:00Z`, { key })
  const { body } = await desk.askCalendar(id, explained)
  const cause = (day: string) => ({
    kind: 'event',
    calendar_id: id,
    event_id: series.id,
    status: 'confirmed',
    occurrence_start: `2026-03-${day}T08:00:00.000Z`,
  })
  assert.deepEqual(body.blocked, [
    { start: at('09:00'), end: at('10:00'), by: [cause('01'), cause('02')] },
    { start: at('10:00'), end: at('12:00'), by: [cause('02')] },
  ])
  assert.equal(body.empty_reason, 'all_blocked')
})

test('a hold is named until the instant at which it lapses', async ({ service, key, desk }) => {
  const { id } = await makeCalendar(service, key)
  await makeEvent(
    service,
    key,
    id,
    event('10:00', '10:30', { status: 'hold', hold_expires_at: new Date(service.clock.now().getTime() + 60_000) }),
  )
  const kinds = async () => {
    const { body } = await desk.askCalendar(id, explained)
    return body.blocked.flatMap(({ by }: { by: { kind: string }[] }) => by.map(({ kind }) => kind))
  }
  await service.clock.advance(59_999)
  assert.deepEqual(await kinds(), ['hold'])
  await service.clock.advance(1)
  assert.deepEqual(await kinds(), [])
  const check = await desk.ask(`/v1/calendars/${id}/availability/check`, morning)
  assert.deepEqual([check.body.free, check.body.blocked_by], [true, []])
})

test('why there is no slot', async ({ service, key, desk }) => {
  const { id } = await makeCalendar(service, key)
  const reason = async (query: Record<string, string>) =>
    (await desk.askCalendar(id, { ...explained, ...query })).body.empty_reason
  assert.equal(await reason({}), undefined)
  assert.equal(await reason({ end: '2026-03-03T09:29:00Z' }), 'window_shorter_than_duration')
  await makeEvent(service, key, id, event('09:00', '10:00'))
  assert.equal(await reason({ end: '2026-03-03T09:29:00Z' }), 'window_shorter_than_duration')
  assert.equal(await reason({ end: '2026-03-03T09:30:00Z' }), 'all_blocked')
  assert.equal(await reason({ end: '2026-03-03T10:29:00Z' }), 'no_stretch_long_enough')
  assert.equal(await reason({ end: '2026-03-03T10:30:00Z' }), undefined)
})

test('at most 2,000 stretches are given, the first ones', async ({ service, key, desk }) => {
  const { id } = await makeCalendar(service, key)
  const start = Date.parse(morning.start)
  const rows = Array.from({ length: 2_001 }, (_, n) => new Date(start + n * 120_000))
  for (const startTime of rows) {
    await desk.insertEvent(id, { start_time: startTime, end_time: new Date(startTime.getTime() + 60_000) })
  }
  const ask = async (minutes: number) => {
    const { body } = await desk.askCalendar(id, { ...explained, end: new Date(start + minutes * 60_000).toISOString() })
    return [body.blocked.length, body.blocked.at(-1).start, body.blocked_truncated]
  }
  assert.deepEqual(await ask(4_000), [2_000, rows[1_999]!.toISOString(), undefined])
  assert.deepEqual(await ask(4_002), [2_000, rows[1_999]!.toISOString(), true])
})

test('the causes of several agents come together, and a key sees its own', async ({ service, key, desk }) => {
  const agents = [await makeAgent(service, key), await makeAgent(service, key)]
  const calendars = [await makeCalendar(service, key, agents[0].id), await makeCalendar(service, key, agents[1].id)]
  for (const { id } of calendars) await makeEvent(service, key, id, event('09:00', '10:00'))
  const { body } = await desk.askAgents(
    agents.map(({ id }) => id),
    { ...explained, include_busy: 'true' },
  )
  assert.deepEqual(
    body.blocked[0].by.map(({ calendar_id }: { calendar_id: string }) => calendar_id),
    calendars.map(({ id }) => id),
  )
  assert.deepEqual(Object.keys(body.per_agent_busy), [agents[0].id, agents[1].id])

  const agentKey = await makeAgentKey(service, key, agents[0].id)
  const own = await desk.askAgent(agents[0].id, explained, agentKey)
  assert.equal(own.body.blocked[0].by[0].calendar_id, calendars[0].id)
  for (const path of ['availability', 'availability/check']) {
    assertRefused(await desk.ask(`/v1/agents/${agents[1].id}/${path}`, morning, agentKey), 403, 'forbidden')
    assertRefused(await desk.ask(`/v1/calendars/${calendars[1].id}/${path}`, morning, agentKey), 403, 'forbidden')
  }
})

test('a check says what is in the way and when the same length is free', async ({ service, key, desk }) => {
  const agent = await makeAgent(service, key)
  const { id } = await makeCalendar(service, key, agent.id)
  const made = await makeEvent(service, key, id, event('10:00', '10:30'))
  const later = await makeEvent(service, key, id, event('11:45', '12:00'))
  const check = (start: string, end: string, of = `calendars/${id}`) =>
    desk.ask(`/v1/${of}/availability/check`, { start: at(start), end: at(end) })
  const cause = (event_id: string) => ({ kind: 'event', calendar_id: id, event_id, status: 'confirmed' })
  const times = (...pairs: [string, string][]) => pairs.map(([start, end]) => ({ start: at(start), end: at(end) }))
  const taken = {
    free: false,
    blocked_by: [cause(made.id)],
    free_from: at('10:30'),
    next_free: times(
      ['10:30', '11:00'],
      ['11:00', '11:30'],
      ['12:00', '12:30'],
      ['12:30', '13:00'],
      ['13:00', '13:30'],
    ),
  }
  assert.deepEqual((await check('10:15', '10:45')).body, taken)
  assert.deepEqual((await check('10:15', '10:45', `agents/${agent.id}`)).body, taken)
  assert.deepEqual((await check('10:00', '12:00')).body.blocked_by, [cause(made.id), cause(later.id)])
  const { body } = await check('10:30', '11:00')
  assert.deepEqual([body.free, body.blocked_by, body.free_from], [true, [], at('10:30')])
})

test('a check looks 14 days ahead, and knows an agent without calendars', async ({ service, key, desk }) => {
  const { id } = await makeCalendar(service, key)
  const times = { start: at('09:00'), end: at('10:00') }
  const check = async () => (await desk.ask(`/v1/calendars/${id}/availability/check`, times)).body
  const end = (minute: string) => ({ start_time: at('09:00'), end_time: `2026-03-17T08:${minute}:00.000Z` })
  const long = await makeEvent(service, key, id, end('00'))
  assert.deepEqual((await check()).free_from, '2026-03-17T08:00:00.000Z')
  await service.call('PATCH', `/v1/events/${long.id}`, { key, body: end('01') })
  const { free_from, next_free } = await check()
  assert.deepEqual([free_from, next_free], [null, []])

  const { body } = await desk.ask(`/v1/agents/${(await makeAgent(service, key)).id}/availability/check`, times)
  assert.deepEqual([body.free, body.free_from, body.next_free.length], [true, times.start, 5])
})
