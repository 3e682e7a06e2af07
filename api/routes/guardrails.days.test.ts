// Guardrails that count: exact under concurrency, over several processes.
import assert from 'node:assert/strict'
import { ahead, makeAgent, makeAgentKey, makeCalendar, makeHold } from '../../src/testing/factories.ts'
import { whileOpen } from '../../src/testing/locks.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ plan: 'pro' }).extend('desk', async ({ service, key }) => {
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const other = await makeCalendar(service, key, agent.id)
  return { agent, calendar, other, guarded: (guardrails: object) => makeAgentKey(service, key, agent.id, guardrails) }
})

type Answers = { status: number }[]
const count = (answers: Answers, status: number) => answers.filter((answer) => answer.status === status).length

test('of 40 creates at one moment with 10 left 10 happen, on two processes', async ({
  service,
  call,
  second,
  desk,
}) => {
  const { calendar, guarded } = desk
  const key = await guarded({ max_events_per_day: 12 })
  const path = `/v1/calendars/${calendar.id}/events`
  const body = (nth: number) => ({
    title: `New ${nth}`,
    start_time: ahead(service, nth),
    end_time: ahead(service, nth + 1),
  })
  for (const nth of [1, 2]) assert.equal((await call('POST', path, { key, body: body(nth) })).status, 201)
  const dry = await call('POST', `${path}?dry_run=true`, { key, body: body(3) })
  assert.equal(dry.body.status, 201)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => (nth % 2 ? call : second.call)('POST', path, { key, body: body(nth + 3) })),
  )
  assert.deepEqual([count(answers, 201), count(answers, 429)], [10, 30])
  const refused = answers.find(({ status }) => status === 429)!
  assertRefused(refused, 429, 'quota_exceeded', { code: 'guardrail', guardrail: 'max_events_per_day' })
  assert.equal((await call('GET', `${path}?limit=1`, { key })).body.total, 12)
  assertRefused(await call('POST', `${path}?dry_run=true`, { key, body: body(3) }), 429, 'quota_exceeded', {
    code: 'guardrail',
    guardrail: 'max_events_per_day',
  })
  // Other keys of the agent are not counted, and the next day begins anew.
  assert.equal((await call('POST', path, { key: await guarded({}), body: body(200) })).status, 201)
  const secondsLeft = Number(refused.headers.get('retry-after'))
  await service.clock.advance(secondsLeft * 1000 - 1000)
  assert.equal((await call('POST', path, { key, body: body(201) })).status, 429)
  await service.clock.advance(1000)
  assert.equal((await call('POST', path, { key, body: body(202) })).status, 201)
})

test('a day is that of the zone, a hold counts as a hold and as an event when it is confirmed, and a limit may be 0', async ({
  service,
  call,
  desk,
}) => {
  const { calendar, guarded } = desk
  const path = `/v1/calendars/${calendar.id}/events`
  const key = await guarded({ max_events_per_day: 1, max_holds_per_day: 1, timezone: 'Asia/Tokyo' })
  const times = { start_time: ahead(service, 600), end_time: ahead(service, 630) }
  const hold = { title: 'Hold', ...times, status: 'hold', hold_expires_at: ahead(service, 10) }
  const held = await call('POST', path, { key, body: hold })
  assert.equal(held.status, 201)
  const again = await call('POST', path, { key, body: { ...hold, hold_priority: 5 } })
  assertRefused(again, 429, 'quota_exceeded', { code: 'guardrail', guardrail: 'max_holds_per_day' })
  const now = service.clock.now()
  const midnight = new Date(now)
  midnight.setUTCHours(15, 0, 0, 0)
  if (midnight <= now) midnight.setUTCDate(midnight.getUTCDate() + 1)
  assert.equal(Number(again.headers.get('retry-after')), Math.ceil((midnight.getTime() - now.getTime()) / 1000))
  assert.equal((await call('PUT', `/v1/events/${held.body.id}/confirm`, { key })).status, 200)
  const event = await call('POST', path, { key, body: { title: 'New', ...times } })
  assertRefused(event, 429, 'quota_exceeded', { code: 'guardrail', guardrail: 'max_events_per_day' })
  const none = await guarded({ max_events_per_day: 0 })
  assert.equal((await call('POST', path, { key: none, body: { title: 'New', ...times } })).status, 429)
})

test('no more holds are active than the key may have, whatever its requests do at one moment', async ({
  service,
  call,
  second,
  key,
  desk,
}) => {
  const { agent, calendar, other, guarded } = desk
  const limited = await guarded({ max_live_holds: 4 })
  await makeHold(service, key, calendar.id)
  const times = (nth: number) => ({
    ...{ title: 'Hold', start_time: ahead(service, 100 + nth * 10), end_time: ahead(service, 105 + nth * 10) },
    hold_expires_at: ahead(service, 10),
  })
  const place = (at: typeof call, calendarId: string, nth: number) =>
    at('POST', `/v1/calendars/${calendarId}/events`, { key: limited, body: { ...times(nth), status: 'hold' } })
  const placeBoth = (at: typeof call, ids: string[], nth: number) =>
    at('POST', '/v1/hold-groups', {
      key: limited,
      body: { ...times(nth), requirements: [{ calendar_ids: ids, need: 2 }] },
    })
  assert.equal((await place(call, other.id, 30)).status, 201)
  // Each has calendars of its own, so they meet at the count alone: several have counted before the first one is written.
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await makeCalendar(service, key, agent.id)).id))
  const { sql } = service.app
  const placed = await whileOpen(sql, {
    change: (open) => open`select from key_days for update`,
    waiting: 4,
    work: () =>
      Promise.all([
        ...ids.slice(0, 6).map((id, nth) => place(nth % 2 ? call : second.call, id, nth)),
        ...[6, 8].map((nth) => placeBoth(nth % 4 ? call : second.call, ids.slice(nth, nth + 2), nth)),
      ]),
  })
  const heldBy = (nth: number) => (nth < 6 ? 1 : 2)
  const held = placed.reduce((sum, { status }, nth) => sum + (status === 201 ? heldBy(nth) : 0), 0)
  assert.equal(held, 2)
  for (const answer of placed.filter(({ status }) => status !== 201))
    assertRefused(answer, 403, 'forbidden', { code: 'guardrail', guardrail: 'max_live_holds' })
  await service.clock.advance(10 * 60_000)
  // They have run out.
  assert.equal((await place(call, calendar.id, 40)).status, 201)
})

test('guardrails hold for groups: calendars, times, free time, days and active holds', async ({
  service,
  call,
  key,
  desk,
}) => {
  const { calendar, other, guarded } = desk
  const group = (calendar_ids: string[], more: object = {}) => ({
    title: 'Group',
    start_time: ahead(service, 60),
    end_time: ahead(service, 90),
    hold_expires_at: ahead(service, 10),
    requirements: [{ calendar_ids, need: calendar_ids.length }],
    ...more,
  })
  const place = (as: string, body: object) => call('POST', '/v1/hold-groups', { key: as, body })
  const both = [calendar.id, other.id]
  const refusedBy = (answer: Parameters<typeof assertRefused>[0], guardrail: string) =>
    assertRefused(answer, 403, 'forbidden', { code: 'guardrail', guardrail })
  const narrow = await guarded({ calendar_ids: [calendar.id], max_minutes: 30, max_hold_priority: 0 })
  refusedBy(await place(narrow, group(both)), 'calendar_ids')
  refusedBy(await place(narrow, group([calendar.id], { end_time: ahead(service, 91) })), 'max_minutes')
  refusedBy(await place(narrow, group([calendar.id], { hold_priority: 1 })), 'max_hold_priority')
  const wide = await place(key, group(both))
  assert.equal(wide.status, 201, JSON.stringify(wide.body))
  refusedBy(await call('GET', `/v1/hold-groups/${wide.body.id}`, { key: narrow }), 'calendar_ids')
  refusedBy(await call('PUT', `/v1/hold-groups/${wide.body.id}/confirm`, { key: narrow }), 'calendar_ids')
  assert.equal((await call('GET', '/v1/hold-groups', { key: narrow })).body.total, 0)
  await call('PUT', `/v1/hold-groups/${wide.body.id}/release`, { key })

  const counted = await guarded({ max_holds_per_day: 3, max_events_per_day: 1, max_live_holds: 5 })
  const held = await place(counted, group(both))
  assert.equal(held.status, 201)
  const beyond = await place(counted, group(both, { start_time: ahead(service, 100), end_time: ahead(service, 110) }))
  assertRefused(beyond, 429, 'quota_exceeded', { code: 'guardrail', guardrail: 'max_holds_per_day' })
  const confirmed = await call('PUT', `/v1/hold-groups/${held.body.id}/confirm`, { key: counted })
  assertRefused(confirmed, 429, 'quota_exceeded', { code: 'guardrail', guardrail: 'max_events_per_day' })
  const few = await guarded({ max_live_holds: 3 })
  refusedBy(
    await place(few, group(both, { start_time: ahead(service, 200), end_time: ahead(service, 210) })),
    'max_live_holds',
  )
})

test('a series that is split counts as one more event', async ({ service, call, desk }) => {
  const { calendar, guarded } = desk
  const key = await guarded({ max_events_per_day: 2 })
  const path = `/v1/calendars/${calendar.id}/events`
  const times = { start_time: ahead(service, 60), end_time: ahead(service, 90) }
  const series = await call('POST', path, {
    key,
    body: { title: 'Daily', ...times, recurrence_rule: 'FREQ=DAILY;COUNT=9' },
  })
  const split = (days: number) =>
    call('PATCH', `${path}/${series.body.id}?occurrence_start=${ahead(service, 60 + days * 1440)}&scope=following`, {
      key,
      body: { title: 'Other' },
    })
  assert.equal((await split(6)).status, 200)
  assertRefused(await split(3), 429, 'quota_exceeded', { code: 'guardrail', guardrail: 'max_events_per_day' })
  assert.equal((await call('GET', `${path}?limit=1`, { key })).body.total, 2)
})
