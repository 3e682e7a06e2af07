// SEED=n repeats a run.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { dayMs, minuteMs } from '../../../src/shapes/durations.ts'
import { makeAgent, makeAgentKey, makeCalendar, makeEvent, makeOrganization } from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
console.log(`availability by tools: SEED=${seed}`)

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into key by key
type Any = any

const now = '2026-11-29T13:03:20Z'
const test = serviceTest({ plan: 'pro' }).extend('world', { scope: 'file', auto: true }, async ({ service, key }) => {
  service.clock.set(now)
  const agent = await makeAgent(service, key, { name: 'Planner' })
  const calendar = await makeCalendar(service, key, agent.id, { timezone: 'Europe/Berlin' })
  await makeEvent(service, key, calendar.id, { start_time: '2026-11-30T09:10:00Z', end_time: '2026-11-30T10:00:00Z' })
  return { agent, calendar, agentKey: await makeAgentKey(service, key, agent.id) }
})

const starts = (list: Any): string[] => list.map(({ start }: Any) => start)

test('a morning: stretches as they are, slots at quarter hours', async ({ service, key, world }) => {
  const args = {
    calendar_id: world.calendar.id,
    start: '2026-11-30T09:50',
    end: '2026-11-30T12:00',
    include_busy: true,
  }
  const { structuredContent } = await callMcp(service, 'get_availability', args, { key })
  assert.deepEqual(structuredContent, {
    now: 'Sun 29 Nov 2026 14:03 Europe/Berlin',
    timezone: 'Europe/Berlin',
    window: {
      start: '2026-11-30T09:50:00+01:00',
      end: '2026-11-30T12:00:00+01:00',
      when: 'Mon 30 Nov 2026 09:50-12:00 Europe/Berlin (tomorrow)',
    },
    availability_state: 'complete',
    free: [
      {
        start: '2026-11-30T11:00:00+01:00',
        end: '2026-11-30T12:00:00+01:00',
        minutes: 60,
        when: 'Mon 30 Nov 2026 11:00-12:00 Europe/Berlin (tomorrow)',
      },
    ],
    slots: [
      {
        start: '2026-11-30T11:00:00+01:00',
        end: '2026-11-30T11:30:00+01:00',
        when: 'Mon 30 Nov 2026 11:00-11:30 Europe/Berlin (tomorrow)',
      },
      {
        start: '2026-11-30T11:30:00+01:00',
        end: '2026-11-30T12:00:00+01:00',
        when: 'Mon 30 Nov 2026 11:30-12:00 Europe/Berlin (tomorrow)',
      },
    ],
    more_slots: false,
    warnings: [],
    busy: [
      {
        start: '2026-11-30T10:10:00+01:00',
        end: '2026-11-30T11:00:00+01:00',
        when: 'Mon 30 Nov 2026 10:10-11:00 Europe/Berlin (tomorrow)',
      },
    ],
  })
})

test('what has passed of a window is left out, and it ends after a week', async ({ service, key, world }) => {
  const args = { calendar_id: world.calendar.id, duration_minutes: '45', limit: 2 }
  const { structuredContent } = await callMcp(service, 'get_availability', args, { key })
  assert.equal(structuredContent.window.start, '2026-11-29T14:03:20+01:00')
  assert.equal(structuredContent.window.end, '2026-12-06T14:03:20+01:00')
  assert.deepEqual(starts(structuredContent.slots), ['2026-11-29T14:15:00+01:00', '2026-11-29T15:00:00+01:00'])
  assert.equal(structuredContent.more_slots, true)
  assert.equal(structuredContent.next_free, undefined)
  const begun = await callMcp(
    service,
    'get_availability',
    { calendar_id: world.calendar.id, start: '2026-11-01', end: '2026-11-29' },
    { key },
  )
  assert.equal(begun.structuredContent.window.start, '2026-11-29T14:03:20+01:00')
  assert.equal(begun.structuredContent.window.end, '2026-11-30T00:00:00+01:00')
})

test('a window that is over is refused, and without bounds it is the next week', async ({ service, key, world }) => {
  for (const bounds of [
    { end: '2026-11-28' },
    { start: '2025-12-01', end: '2025-12-02' },
    { end: '2026-11-29T13:03:20Z' },
  ]) {
    const args = { calendar_id: world.calendar.id, ...bounds }
    const error = mcpError(await callMcp(service, 'get_availability', args, { key }))
    assert.deepEqual([error.type, error.code, error.param], ['validation_error', 'window_in_past', 'end'])
    const repaired = await callMcp(service, 'get_availability', { ...args, ...error.suggestions[0].arguments }, { key })
    assert.equal(repaired.isError, undefined)
  }
})

test('slots lie within the day, and the next one is told where there are none', async ({ service, key, world }) => {
  const day = {
    calendar_id: world.calendar.id,
    start: '2026-11-30',
    end: '2026-11-30',
    day_start: '09:00',
    day_end: '10:00',
  }
  const morning = await callMcp(service, 'get_availability', { ...day, duration_minutes: 60 }, { key })
  assert.deepEqual(starts(morning.structuredContent.slots), ['2026-11-30T09:00:00+01:00'])
  assert.equal(morning.structuredContent.free[0].start, '2026-11-30T00:00:00+01:00')
  const long = await callMcp(service, 'get_availability', { ...day, duration_minutes: 75 }, { key })
  assert.deepEqual([long.structuredContent.slots, long.structuredContent.next_free], [[], null])
  const busy = { ...day, day_start: '10:15', day_end: '11:00', duration_minutes: 45 }
  const none = await callMcp(service, 'get_availability', busy, { key })
  assert.deepEqual(none.structuredContent.slots, [])
  assert.equal(none.structuredContent.next_free.when, 'Tue 1 Dec 2026 10:15-11:00 Europe/Berlin (in 2 days)')
})

test('the quarter hours are those of the local clock', async ({ service, key, world }) => {
  const args = {
    calendar_id: world.calendar.id,
    timezone: 'Asia/Kathmandu',
    start: '2026-12-01',
    end: '2026-12-01',
    limit: 1,
    day_start: '09:05',
  }
  const { structuredContent } = await callMcp(service, 'get_availability', args, { key })
  assert.deepEqual(starts(structuredContent.slots), ['2026-12-01T09:15:00+05:45'])
})

test("an agent's calendars together, by default those of the agent of the key", async ({ service, key, world }) => {
  const second = await makeCalendar(service, key, world.agent.id, { timezone: 'Asia/Kathmandu' })
  await makeEvent(service, key, second.id, { start_time: '2026-11-30T10:00:00Z', end_time: '2026-11-30T10:20:00Z' })
  const window = { start: '2026-11-30T09:00:00Z', end: '2026-11-30T11:00:00Z' }
  const byAgent = await callMcp(service, 'get_availability', { agent_id: world.agent.id, ...window }, { key })
  assert.deepEqual(starts(byAgent.structuredContent.slots), ['2026-11-30T10:30:00Z'])
  assert.deepEqual(
    [byAgent.structuredContent.timezone, byAgent.structuredContent.warnings[0].code],
    ['UTC', 'mixed_zones'],
  )
  const byKey = await callMcp(service, 'get_availability', window, { key: world.agentKey })
  assert.deepEqual(byKey.structuredContent, byAgent.structuredContent)
  const local = mcpError(await callMcp(service, 'get_availability', { start: '2026-11-30' }, { key: world.agentKey }))
  assert.equal(local.code, 'timezone_required')
  await service.call('DELETE', `/v1/calendars/${second.id}`, { key })
})

const refused: [args: object, param: string, type?: string][] = [
  [{ duration_minutes: 4 }, 'duration_minutes'],
  [{ duration_minutes: 481 }, 'duration_minutes'],
  [{ limit: 0 }, 'limit'],
  [{ limit: 51 }, 'limit'],
  [{ day_start: '9:00' }, 'day_start'],
  [{ day_start: '10:00', day_end: '10:00' }, 'day_end'],
  [{ day_end: '00:00' }, 'day_end'],
  [{ include_busy: 'maybe' }, 'include_busy'],
  [{ start: '2026-12-02', end: '2026-12-01' }, 'end'],
  [{ start: '2026-12-01', end: '2027-12-03' }, 'end', 'bad_request'],
  [{ allow_stale: true }, 'allow_stale'],
]
for (const [args, param, type = 'validation_error'] of refused) {
  test(`${JSON.stringify(args)} is refused`, async ({ service, key, world }) => {
    const error = mcpError(
      await callMcp(service, 'get_availability', { calendar_id: world.calendar.id, ...args }, { key }),
    )
    assert.deepEqual([error.type, error.param], [type, param])
  })
}

test('a meeting: slots at which all are free, each busy time apart', async ({ service, key, world }) => {
  const other = await makeAgent(service, key, { name: 'Other' })
  const calendar = await makeCalendar(service, key, other.id, { timezone: 'Europe/Berlin' })
  const private_ = await makeCalendar(service, key, other.id, { timezone: 'Europe/Berlin' })
  await makeEvent(service, key, calendar.id, { start_time: '2026-11-30T10:00:00Z', end_time: '2026-11-30T10:30:00Z' })
  await makeEvent(service, key, private_.id, { start_time: '2026-11-30T10:30:00Z', end_time: '2026-11-30T11:00:00Z' })
  const agents = [world.agent.id, other.id]
  const window = { start: '2026-11-30T10:00', end: '2026-11-30T12:15', include_busy: true }
  const both = await callMcp(service, 'find_meeting_time', { agents, ...window }, { key })
  assert.deepEqual(starts(both.structuredContent.slots), [])
  assert.equal(both.structuredContent.next_free.start, '2026-11-30T12:15:00+01:00')
  assert.deepEqual(
    both.structuredContent.per_agent_busy[other.id].map(({ start, end }: Any) => [start, end]),
    [['2026-11-30T11:00:00+01:00', '2026-11-30T12:00:00+01:00']],
  )
  assert.deepEqual(Object.keys(both.structuredContent.per_agent_busy), agents)
  const calendars = [world.calendar.id, calendar.id]
  const some = await callMcp(service, 'find_meeting_time', { agent_ids: agents.join(), calendars, ...window }, { key })
  assert.deepEqual(starts(some.structuredContent.slots), ['2026-11-30T11:30:00+01:00'])
  assert.equal(some.structuredContent.next_free, null)
  assert.equal(some.structuredContent.free, undefined)
})

test('a meeting: names, strangers, and more than the plan allows', async ({ service, key, world }) => {
  const stranger = await makeOrganization(service)
  const { id: foreign } = await makeAgent(service, stranger.key)
  const ask = (args: object) => callMcp(service, 'find_meeting_time', args as Any, { key })
  const named = mcpError(await ask({ agents: [world.agent.id, 'planner'] }))
  assert.deepEqual([named.type, named.param], ['not_found', 'agents'])
  assert.deepEqual(named.suggestions[0].arguments, { agents: [world.agent.id, world.agent.id] })
  for (const agents of [[foreign], ['nobody'], ['']]) {
    const error = mcpError(await ask({ agents }))
    assert.deepEqual([error.type, error.param, error.suggestions], ['not_found', 'agents', undefined])
    assert.match(error.next_step, /list_agents/)
  }
  const strange = mcpError(await ask({ agents: [world.agent.id], calendars: ['cal_nope'] }))
  assert.deepEqual([strange.type, strange.param], ['not_found', 'calendars'])
  for (const [args, param, type] of [
    [{}, 'agents', 'validation_error'],
    [{ agents: [] }, 'agents', 'validation_error'],
    [{ agents: [world.agent.id], calendars: [] }, 'calendars', 'validation_error'],
    [{ agents: [world.agent.id], start: '2026-12-01', end: '2027-03-01' }, 'end', 'bad_request'],
  ] as const) {
    const error = mcpError(await ask(args))
    assert.deepEqual([error.type, error.param], [type, param])
  }
  const many = Array.from({ length: 21 }, (_, nth) => foreign.slice(0, -2) + String(nth).padStart(2, '0'))
  assert.deepEqual(mcpError(await ask({ agents: many })).type, 'bad_request')
})

test("a meeting: an agent's key and a free plan cannot", async ({ service, world }) => {
  const scoped = mcpError(
    await callMcp(service, 'find_meeting_time', { agents: [world.agent.id] }, { key: world.agentKey }),
  )
  assert.equal(scoped.type, 'forbidden')
  assert.match(scoped.next_step, /organization key/)
  const free = await makeOrganization(service, { plan: 'free' })
  const { id } = await makeAgent(service, free.key)
  const unpaid = mcpError(await callMcp(service, 'find_meeting_time', { agents: [id] }, { key: free.key }))
  assert.deepEqual([unpaid.type, unpaid.feature], ['plan_required', 'cross_agent_availability'])
  assert.match(unpaid.next_step, /person/)
})

test('it costs one availability query, and nothing when it is refused', async ({ service }) => {
  const { key } = await makeOrganization(service, { plan: 'free' })
  const { id } = await makeCalendar(service, key)
  const used = async () => (await service.call('GET', '/v1/usage', { key })).body
  const before = await used()
  await callMcp(service, 'get_availability', { calendar_id: id }, { key })
  await callMcp(service, 'get_availability', { calendar_id: id, limit: 99 }, { key })
  await callMcp(service, 'get_availability', { calendar_id: id, end: '2020-01-01' }, { key })
  const after = await used()
  const of = (usage: Any) =>
    JSON.stringify(usage).match(/"availability_queries":\{[^}]*\}|"availability_queries":\d+/)?.[0]
  const number = (text: string | undefined) => Number(text?.match(/\d+/)?.[0])
  assert.equal(number(of(after)) - number(of(before)), 1)
})

test('slots and stretches are those that a look at every minute finds', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const base = Date.parse('2026-12-07T00:00:00Z')
  const hhmm = fc.integer({ min: 0, max: 23 * 4 }).map((quarters) => {
    const text = `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`
    return text
  })
  const asked = fc.record({
    zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'),
    from: fc.integer({ min: 0, max: 1440 }),
    length: fc.integer({ min: 10, max: 2 * 1440 }),
    minutes: fc.integer({ min: 5, max: 240 }),
    limit: fc.integer({ min: 1, max: 50 }),
    day: fc.option(
      fc.tuple(hhmm, hhmm).filter(([a, b]) => a < b),
      { nil: undefined },
    ),
    events: fc.array(fc.tuple(fc.integer({ min: 0, max: 3 * 1440 }), fc.integer({ min: 1, max: 300 })), {
      maxLength: 8,
    }),
  })
  for (const { zone, from, length, minutes, limit, day, events } of fc.sample(asked, { seed, numRuns: 25 })) {
    const { id } = await makeCalendar(service, key, undefined, { timezone: zone })
    const iso = (minute: number) => new Date(base + minute * minuteMs).toISOString()
    for (const [at, long] of events) {
      await makeEvent(service, key, id, { start_time: iso(at), end_time: iso(at + long) })
    }
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    const timeAt = (minute: number) => clock.format(base + minute * minuteMs)
    const isQuarter = (minute: number) => Number(timeAt(minute).slice(3)) % 15 === 0
    const runsOf = (isIn: (minute: number) => boolean) => {
      const runs: [number, number][] = []
      for (let minute = from; minute < from + length; minute++) {
        if (!isIn(minute)) continue
        const last = runs.at(-1)
        if (last && last[1] === minute) last[1]++
        else runs.push([minute, minute + 1])
      }
      return runs
    }
    const isFree = (minute: number) => !events.some(([at, long]) => at <= minute && minute < at + long)
    const isInDay = (minute: number) => !day || (day[0] <= timeAt(minute) && timeAt(minute) < day[1])
    const free = runsOf(isFree).filter(([a, b]) => b - a >= minutes)
    const slots = runsOf((minute) => isFree(minute) && isInDay(minute)).flatMap(([a, b]) => {
      const found: string[] = []
      for (let minute = a; minute + minutes <= b; ) {
        if (!isQuarter(minute)) minute++
        else {
          found.push(iso(minute))
          minute += minutes
        }
      }
      return found
    })
    const args = {
      calendar_id: id,
      start: iso(from),
      end: iso(from + length),
      duration_minutes: minutes,
      limit,
      day_start: day?.[0] ?? null,
      day_end: day?.[1] ?? null,
    }
    const { structuredContent } = await callMcp(service, 'get_availability', args, { key })
    const got = (list: Any) => list.map(({ start }: Any) => new Date(start).toISOString())
    const told = JSON.stringify({ zone, ...args, events })
    assert.deepEqual(got(structuredContent.slots), slots.slice(0, limit), told)
    assert.equal(structuredContent.more_slots, slots.length > limit, told)
    assert.deepEqual(
      got(structuredContent.free),
      free.map(([a]) => iso(a)),
      told,
    )
    assert.deepEqual(
      structuredContent.free.map((one: Any) => one.minutes),
      free.map(([a, b]) => b - a),
    )
  }
}, 120_000)

test('days on which clocks change have their slots', async ({ service, key, world }) => {
  const day = (date: string) => ({
    calendar_id: world.calendar.id,
    start: date,
    end: date,
    duration_minutes: 30,
    limit: 50,
    day_start: '01:30',
    day_end: '03:30',
  })
  const spring = await callMcp(service, 'get_availability', day('2027-03-28'), { key })
  assert.deepEqual(starts(spring.structuredContent.slots), ['2027-03-28T01:30:00+01:00', '2027-03-28T03:00:00+02:00'])
  const autumn = await callMcp(service, 'get_availability', day('2027-10-31'), { key })
  assert.equal(autumn.structuredContent.slots.length, 6)
})

test('a long busy list ends where the answer would be too large', async ({ service, key, world: _ }) => {
  const { id } = await makeCalendar(service, key)
  await makeEvent(service, key, id, {
    start_time: '2026-12-01T00:00:00Z',
    end_time: '2026-12-01T00:30:00Z',
    recurrence_rule: 'FREQ=DAILY',
  })
  const args = {
    calendar_id: id,
    start: '2026-12-01',
    end: new Date(Date.parse('2026-12-01') + 365 * dayMs).toISOString().slice(0, 10),
    include_busy: true,
  }
  const result = await callMcp(service, 'get_availability', args, { key })
  assert.ok(Buffer.byteLength(result.content[0].text) <= 24_000)
  assert.equal(result.structuredContent.more_busy, true)
  assert.equal(result.structuredContent.free.length, 30)
  assert.ok(result.structuredContent.busy.length > 50)
})
