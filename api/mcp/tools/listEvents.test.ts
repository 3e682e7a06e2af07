// SEED=n repeats a run.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { dayMs, hourMs, minuteMs } from '../../../src/shapes/durations.ts'
import {
  makeAgent,
  makeAgentKey,
  makeCalendar,
  makeEvent,
  makeHold,
  makeOrganization,
} from '../../../src/testing/factories.ts'
import { callMcp, mcpError } from '../../../src/testing/mcp/mcp.ts'
import { serviceTest } from '../../../src/testing/test.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
console.log(`list_events: SEED=${seed}`)

const start = '2026-11-29T13:03:00Z'
const test = serviceTest({ plan: 'custom' }).extend('world', { scope: 'file' }, async ({ service, key }) => {
  service.clock.set(start)
  const agent = await makeAgent(service, key)
  const work = await makeCalendar(service, key, agent.id, { timezone: 'Europe/Berlin', name: 'Work' })
  const trip = await makeCalendar(service, key, agent.id, { timezone: 'America/New_York', name: 'Trip' })
  return { agent, work, trip, agentKey: await makeAgentKey(service, key, agent.id) }
})

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into key by key
type Any = any
const titles = ({ structuredContent }: Any): string[] => structuredContent.events.map(({ title }: Any) => title)

test('the coming week, with what is still on', async ({ service, key, world: _ }) => {
  const { id } = await makeCalendar(service, key, undefined, { timezone: 'Europe/Berlin' })
  const at = (title: string, from: string, to: string, more = {}) =>
    makeEvent(service, key, id, { title, start_time: from, end_time: to, ...more })
  await at('Over', '2026-11-29T12:00:00Z', '2026-11-29T13:03:00Z')
  await at('On', '2026-11-29T12:00:00Z', '2026-11-29T13:04:00Z')
  await at('Long', '2026-10-01T00:00:00Z', '2026-12-24T00:00:00Z')
  await at('Daily', '2026-11-29T13:00:00Z', '2026-11-29T13:30:00Z', { recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  await at('Last', '2026-12-06T13:02:00Z', '2026-12-06T14:00:00Z')
  await at('Too late', '2026-12-06T13:03:00Z', '2026-12-06T14:00:00Z')
  await at('Cancelled', '2026-12-01T13:00:00Z', '2026-12-01T14:00:00Z', { status: 'cancelled' })
  const { structuredContent } = await callMcp(service, 'list_events', { calendar_id: id }, { key })
  const shown = structuredContent.events.map(({ title, start: from }: Any) => [title, from])
  assert.deepEqual(shown, [
    ['Long', '2026-10-01T02:00:00+02:00'],
    ['On', '2026-11-29T13:00:00+01:00'],
    ['Daily', '2026-11-29T14:00:00+01:00'],
    ['Daily', '2026-11-30T14:00:00+01:00'],
    ['Daily', '2026-12-01T14:00:00+01:00'],
    ['Last', '2026-12-06T14:02:00+01:00'],
  ])
  assert.deepEqual([structuredContent.total, structuredContent.now], [6, 'Sun 29 Nov 2026 14:03 Europe/Berlin'])
  assert.deepEqual(structuredContent.window, {
    start: '2026-11-29T14:03:00+01:00',
    end: '2026-12-06T14:03:00+01:00',
    when: 'Sun 29 Nov 2026 14:03 - Sun 6 Dec 2026 14:03 Europe/Berlin (now)',
  })
  assert.equal(structuredContent.warnings, undefined)
  assert.equal(structuredContent.events[2].occurrence_start, '2026-11-29T14:00:00+01:00')
  assert.equal(structuredContent.events[0].calendar_id, undefined)
})

test('of all calendars of an agent, in UTC with a warning or in the zone that was asked for', async ({
  service,
  key,
  world,
}) => {
  const one = await makeEvent(service, key, world.work.id, { title: 'One' })
  const two = await makeEvent(service, key, world.trip.id, {
    title: 'Two',
    start_time: '2026-12-01T05:00:00Z',
    end_time: '2026-12-02T05:00:00Z',
    all_day: true,
  })
  for (const [args, asking] of [
    [{ agent_id: world.agent.id }, key],
    [{}, world.agentKey],
  ] as const) {
    const { structuredContent } = await callMcp(service, 'list_events', args, { key: asking })
    assert.deepEqual(
      structuredContent.events.map(({ id, calendar_id, start: from, end }: Any) => [id, calendar_id, from, end]),
      [
        [one.id, world.work.id, '2026-11-29T14:03:00Z', '2026-11-29T14:33:00Z'],
        [two.id, world.trip.id, '2026-12-01', '2026-12-01'],
      ],
    )
    assert.deepEqual([structuredContent.timezone, structuredContent.warnings[0].code], ['UTC', 'mixed_zones'])
  }
  const nepal = await callMcp(service, 'list_events', { agent_id: world.agent.id, timezone: 'Asia/Kathmandu' }, { key })
  assert.equal(nepal.structuredContent.events[0].start, '2026-11-29T19:48:00+05:45')
  // Whole days are those of their calendar.
  assert.equal(nepal.structuredContent.events[1].when, 'Tue 1 Dec 2026, all day (in 2 days)')
  assert.equal(nepal.structuredContent.warnings, undefined)
  const local = mcpError(
    await callMcp(service, 'list_events', { agent_id: world.agent.id, start: '2026-12-01' }, { key }),
  )
  assert.equal(local.code, 'timezone_required')
  assert.deepEqual(
    local.suggestions.map((one: Any) => one.arguments.timezone),
    ['Europe/Berlin', 'America/New_York'],
  )
})

test('a day of the calendar, from midnight to midnight', async ({ service, key }) => {
  const { id } = await makeCalendar(service, key, undefined, { timezone: 'Asia/Kathmandu' })
  const at = (title: string, from: string, to: string) =>
    makeEvent(service, key, id, { title, start_time: from, end_time: to })
  await at('Before', '2026-11-30T18:00:00Z', '2026-11-30T18:15:00Z')
  await at('First', '2026-11-30T18:15:00Z', '2026-11-30T19:00:00Z')
  await at('Last', '2026-12-01T18:00:00Z', '2026-12-01T19:00:00Z')
  await at('After', '2026-12-01T18:15:00Z', '2026-12-01T19:00:00Z')
  const day = { calendar_id: id, start: '2026-12-01', end: '2026-12-01' }
  const asked = await callMcp(service, 'list_events', day, { key })
  assert.deepEqual(titles(asked), ['First', 'Last'])
  assert.equal(asked.structuredContent.window.start, '2026-12-01T00:00:00+05:45')
  assert.equal(asked.structuredContent.window.end, '2026-12-02T00:00:00+05:45')
})

test('by status, where a hold that has run out is cancelled', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeCalendar(service, key)
  const add = (title: string, hour: number, more = {}) =>
    makeEvent(service, key, id, {
      title,
      start_time: new Date(Date.parse(start) + hour * hourMs).toISOString(),
      end_time: new Date(Date.parse(start) + (hour + 1) * hourMs).toISOString(),
      ...more,
    })
  await add('confirmed', 1)
  await add('tentative', 2, { status: 'tentative' })
  await add('cancelled', 3, { status: 'cancelled' })
  await add('cancelled and long', -300, { status: 'cancelled', end_time: '2026-12-24T00:00:00Z' })
  await add('on and cancelled', -0.5, { status: 'cancelled' })
  const expires = new Date(Date.parse(start) + 5 * minuteMs).toISOString()
  await makeHold(service, key, id, { title: 'hold', hold_expires_at: expires })
  const list = async (args: object) => titles(await callMcp(service, 'list_events', args as Any, { key }))
  assert.deepEqual(await list({}), ['confirmed', 'hold', 'tentative'])
  assert.deepEqual(await list({ status: 'hold' }), ['hold'])
  assert.deepEqual(await list({ status: 'cancelled' }), ['cancelled and long', 'on and cancelled', 'cancelled'])
  await service.clock.advance(6 * minuteMs)
  assert.deepEqual(await list({}), ['confirmed', 'tentative'])
  assert.deepEqual(await list({ status: 'hold' }), [])
  assert.ok((await list({ status: 'cancelled' })).includes('hold'))
  service.clock.set(start)
})

test('words are looked for in titles and descriptions, whatever their case', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeCalendar(service, key)
  await makeEvent(service, key, id, { title: 'Dentist' })
  await makeEvent(service, key, id, { title: 'Other', description: 'after the DENTIST' })
  await makeEvent(service, key, id, { title: 'Nothing' })
  const found = await callMcp(service, 'list_events', { query: 'dentist', limit: 1 }, { key })
  assert.deepEqual([found.structuredContent.events.length, found.structuredContent.total], [1, 2])
  assert.equal(found.structuredContent.next_offset, 1)
  assert.equal(found.structuredContent.searched, undefined)
  const more = await callMcp(service, 'list_events', { query: 'dentist', offset: 1 }, { key })
  assert.deepEqual([more.structuredContent.events.length, more.structuredContent.next_offset], [1, undefined])
})

test('a search goes through the first 1,000 events of the window', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const { id } = await makeCalendar(service, key)
  for (const title of ['First', 'Second', 'Third']) {
    await makeEvent(service, key, id, { title, recurrence_rule: 'FREQ=DAILY', end_time: '2026-11-29T14:05:00Z' })
  }
  await makeEvent(service, key, id, {
    title: 'Late',
    start_time: '2027-11-10T00:00:00Z',
    end_time: '2027-11-11T00:00:00Z',
  })
  const year = { start: '2026-11-29T00:00:00Z', end: '2027-11-29T00:00:00Z' }
  const late = await callMcp(service, 'list_events', { ...year, query: 'late' }, { key })
  assert.deepEqual([late.structuredContent.total, late.structuredContent.searched], [0, 1000])
  const second = await callMcp(service, 'list_events', { ...year, query: 'second' }, { key })
  assert.ok([333, 334].includes(second.structuredContent.total))
  const near = await callMcp(service, 'list_events', { ...year, start: '2027-11-01T00:00:00Z', query: 'late' }, { key })
  assert.deepEqual([near.structuredContent.total, near.structuredContent.searched], [1, undefined])
})

const refused: [args: object, param: string, code?: string][] = [
  [{ start: 'tomorrow' }, 'start', 'invalid_time_format'],
  [{ start: '2026-12-01', end: '2026-11-30' }, 'end', 'end_before_start'],
  [{ end: '2026-11-28' }, 'end', 'end_before_start'],
  [{ start: '2026-12-01', end: '2027-12-03' }, 'end'],
  [{ start: '2026-12-01T09:00:00-05:00', timezone: 'Europe/Berlin' }, 'start', 'offset_mismatch'],
  [{ timezone: 'Berlin' }, 'timezone'],
  [{ query: 'x' }, 'query'],
  [{ query: 'x'.repeat(101) }, 'query'],
  [{ status: 'busy' }, 'status'],
  [{ limit: 101 }, 'limit'],
  [{ offset: -1 }, 'offset'],
  [{ agent_id: 'agt_x', calendar_id: 'cal_x' }, 'agent_id'],
  [{ expand: true }, 'expand'],
]
for (const [args, param, code] of refused) {
  test(`${JSON.stringify(args).slice(0, 100)} is refused`, async ({ service, key, world }) => {
    const call = { calendar_id: world.work.id, ...args }
    const error = mcpError(await callMcp(service, 'list_events', call, { key }))
    assert.deepEqual([error.type, error.param, error.code], ['validation_error', param, code])
  })
}

test('a window of 366 days is the longest', async ({ service, key, world }) => {
  const longest = { calendar_id: world.work.id, start: '2026-12-01', end: '2027-12-01' }
  assert.equal((await callMcp(service, 'list_events', longest, { key })).isError, undefined)
})

test('what touches a window is what REST lists and is not over, page by page', async ({ service }) => {
  const { key } = await makeOrganization(service)
  const agent = await makeAgent(service, key)
  const calendars = [await makeCalendar(service, key, agent.id), await makeCalendar(service, key, agent.id)]
  const base = Date.parse('2026-12-01T00:00:00Z')
  const event = fc.record({
    calendar: fc.constantFrom(...calendars),
    at: fc.integer({ min: -2 * 24 * 12, max: 2 * 24 * 12 }),
    length: fc.oneof(fc.integer({ min: 1, max: 48 }), fc.integer({ min: 1, max: 12 * 24 * 20 })),
    status: fc.constantFrom('confirmed', 'confirmed', 'tentative', 'cancelled'),
    rule: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      'FREQ=DAILY;COUNT=5',
      'FREQ=WEEKLY',
      'FREQ=DAILY;INTERVAL=3',
    ),
  })
  const iso = (fives: number) => new Date(base + fives * 5 * minuteMs).toISOString()
  for (const { calendar, at, length, status, rule } of fc.sample(event, { seed, numRuns: 60 })) {
    await makeEvent(service, key, calendar.id, {
      start_time: iso(at),
      end_time: iso(at + length),
      status,
      recurrence_rule: rule,
    })
  }
  const window = fc.record({
    from: fc.integer({ min: -2 * 24 * 12, max: 2 * 24 * 12 }),
    length: fc.integer({ min: 1, max: 24 * 12 }),
    limit: fc.integer({ min: 1, max: 12 }),
    status: fc.constantFrom(undefined, 'confirmed', 'tentative', 'cancelled'),
  })
  for (const { from, length, limit, status } of fc.sample(window, { seed, numRuns: 25 })) {
    const [starts, ends] = [iso(from), iso(from + length)]
    const early = new Date(Date.parse(starts) - 100 * dayMs).toISOString()
    const input: string[] = []
    for (let offset = 0, total = 1; offset < total; offset += 200) {
      const query = `expand=true&limit=200&offset=${offset}&start_after=${early}&start_before=${ends}`
      const { body } = await service.call('GET', `/v1/agents/${agent.id}/events?${query}`, { key })
      total = body.total
      for (const one of body.data) {
        const fits = status === undefined ? one.status !== 'cancelled' : one.status === status
        if (fits && Date.parse(one.endTime) > Date.parse(starts)) input.push(`${one.id} ${Date.parse(one.startTime)}`)
      }
    }
    const got: string[] = []
    let next: number | undefined = 0
    while (next !== undefined) {
      const args: Any = { agent_id: agent.id, start: starts, end: ends, limit, offset: next, status: status ?? null }
      const { structuredContent } = await callMcp(service, 'list_events', args, { key })
      assert.equal(structuredContent.total, input.length)
      got.push(...structuredContent.events.map((one: Any) => `${one.id} ${Date.parse(one.start)}`))
      next = structuredContent.next_offset
    }
    assert.deepEqual(got, input, `${starts} to ${ends}, ${status}, by ${limit}`)
  }
}, 120_000)
