// Events that are written only if nothing lies at their time: by what is on the calendar alone, unlike `require_free`.
import assert from 'node:assert/strict'
import { actorOf } from '../testing/actors.ts'
import { at, availabilityTest } from '../testing/availability.ts'
import { ahead, makeCalendar, makeEvent, makeHold } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { perFile } from '../testing/test.ts'
import { TimeTaken } from './conflict.ts'
import { createEvent } from './create.ts'
import { confirmHold } from './holds.ts'
import { requirementOf } from './requireFree.ts'
import type { CreateEventBody, UpdateEventBody } from './schema.ts'
import { updateEvent } from './update.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Any = any

const test = availabilityTest()
  .extend('calendar', ({ service, key }): Promise<Any> => makeCalendar(service, key))
  .extend('actor', perFile, ({ organization }) => actorOf(organization.id))
  .extend(
    'create',
    ({ service, actor, calendar }) =>
      (body: Partial<CreateEventBody>, overlaps: 'refused' | 'reported' = 'refused') =>
        createEvent(
          service.app,
          actor,
          calendar.id,
          { title: 'New', status: 'confirmed', all_day: false, ...body } as CreateEventBody,
          { overlaps },
        ),
  )

const times = (start: string, end: string) => ({ start_time: new Date(at(start)), end_time: new Date(at(end)) })
const iso = (start: string, end: string) => ({ start_time: at(start), end_time: at(end) })

async function taken(work: Promise<unknown>): Promise<TimeTaken> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  assert.ok(error instanceof TimeTaken, String(error))
  return error
}

const starts = ({ freeTimes }: TimeTaken) =>
  freeTimes.filter((_, nth) => nth % 2 === 0).map((ms) => new Date(ms).toISOString())

test('an event that overlaps another one is refused; touching ends do not overlap', async ({
  service,
  key,
  calendar,
  create,
}) => {
  const made = await makeEvent(service, key, calendar.id, { ...iso('10:00', '11:00'), title: 'Stand-up' })
  const refusal = await taken(create(times('10:30', '11:30')))
  assert.deepEqual([refusal.type, refusal.detail.code], ['conflict', 'time_taken'])
  const { startTime, endTime } = made
  const shown = { id: made.id, title: 'Stand-up', startTime, endTime, allDay: false, status: 'confirmed' }
  assert.deepEqual(refusal.overlaps, { total: 1, events: [{ ...shown, isLikelyDuplicate: false }] })
  await create(times('11:00', '11:30'))
  await create({ ...times('09:30', '10:00'), status: 'tentative' })
  await taken(create(times('09:45', '10:00')))
  await create({ ...times('09:45', '10:00'), status: 'cancelled' })
  await taken(create(times('00:00', '23:00')))
})

test('holds and imported events take their time; buffers, hours and what is cancelled do not', async ({
  service,
  key,
  desk,
  calendar,
  create,
}) => {
  await desk.setRules(calendar.id, {
    buffer_before_minutes: 60,
    working_hours: { mon: { start: '08:00', end: '09:00' } },
  })
  await makeEvent(service, key, calendar.id, { ...iso('10:00', '11:00'), status: 'cancelled' })
  await create(times('10:00', '11:00'))
  await create(times('09:30', '10:00'))
  const hold = await makeHold(service, key, calendar.id, iso('12:00', '12:30'))
  assert.equal((await taken(create(times('12:00', '13:00')))).overlaps.events[0]!.status, 'hold')
  await service.call('PUT', `/v1/events/${hold.id}/release`, { key })
  await create(times('12:00', '13:00'))
})

test('the same event made just before is a likely duplicate, which needs no other time', async ({
  service,
  calendar,
  create,
  key,
}) => {
  const { event } = await create(times('10:00', '11:00'))
  await makeEvent(service, key, calendar.id, iso('09:00', '10:30'))
  const refusal = await taken(create(times('10:00', '11:00')))
  const [first, second] = refusal.overlaps.events
  assert.deepEqual([first!.id, first!.isLikelyDuplicate, second!.isLikelyDuplicate], [event.id, true, false])
  assert.deepEqual(refusal.freeTimes, [])
  assert.ok(
    !(await taken(create({ ...times('10:00', '11:00'), title: 'Other' }))).overlaps.events[0]!.isLikelyDuplicate,
  )
  assert.ok(!(await taken(create(times('10:00', '10:59')))).overlaps.events[0]!.isLikelyDuplicate)
  await service.clock.advance(10 * 60_000)
  assert.ok(!(await taken(create(times('10:00', '11:00')))).overlaps.events.some((one) => one.isLikelyDuplicate))
})

test('the nearest free slots are offered, the later of two equally near first, by the rules of availability', async ({
  service,
  key,
  desk,
  calendar,
  create,
}) => {
  await service.clock.set(testStart)
  await makeEvent(service, key, calendar.id, iso('10:00', '11:00'))
  assert.deepEqual(starts(await taken(create(times('10:15', '10:45')))), [at('11:00'), at('09:30'), at('11:30')])
  await desk.setRules(calendar.id, {
    buffer_after_minutes: 20,
    working_hours: { tue: { start: '09:00', end: '12:00' } },
  })
  assert.deepEqual(starts(await taken(create(times('10:15', '10:45')))), [at('09:30'), at('11:30'), at('09:00')])
  assert.deepEqual(starts(await taken(create(times('10:00', '12:30')))), ['2026-03-10T09:00:00.000Z'])
  await service.clock.set(new Date(at('09:40')))
  assert.deepEqual(starts(await taken(create(times('10:15', '10:45')))), [
    at('11:30'),
    '2026-03-10T09:00:00.000Z',
    '2026-03-10T09:30:00.000Z',
  ])
})

test('a series is judged by its occurrences of 90 days, and other starts must suit all of them', async ({
  service,
  key,
  calendar,
  create,
}) => {
  await service.clock.set(testStart)
  const until = (date: string) => ({ recurrence_rule: `FREQ=DAILY;UNTIL=${date}T235959Z` })
  const on = (date: string) => ({ start_time: `${date}T10:30:00Z`, end_time: `${date}T10:45:00Z` })
  // 90 days from 3 March end with 31 May.
  await makeEvent(service, key, calendar.id, on('2026-06-01'))
  await create({ ...times('10:30', '10:45'), recurrence_rule: 'FREQ=DAILY' })
  const refusal = await taken(create({ ...times('10:15', '10:31'), ...until('20260401') }))
  assert.deepEqual([refusal.overlaps.total, starts(refusal)[0]], [1, at('10:00')])
  await makeEvent(service, key, calendar.id, { ...on('2026-05-31'), start_time: '2026-05-31T10:00:00Z' })
  await taken(create({ ...times('10:00', '10:15'), recurrence_rule: 'FREQ=DAILY' }))
  await create({ ...times('10:00', '10:15'), ...until('20260530') })
  const weekly = { recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU' }
  const other = await taken(create({ ...times('10:00', '10:15'), ...weekly, title: 'Weekly' }))
  assert.deepEqual([other.overlaps.total, starts(other)], [1, [at('10:15'), at('09:45'), at('09:30')]])
})

test('an edit is judged if it moves the event, without the event itself', async ({
  service,
  key,
  actor,
  calendar,
  create,
}) => {
  const { event } = await create(times('10:00', '11:00'))
  await makeEvent(service, key, calendar.id, iso('12:00', '13:00'))
  const edit = (body: object, asked: object = {}) =>
    updateEvent(service.app, actor, undefined, event.id, body as UpdateEventBody, { overlaps: 'refused', ...asked })
  await edit(times('10:30', '12:00'))
  await taken(edit(times('10:30', '12:30')))
  const moved = await edit({ start_time: new Date(at('08:00')) }, { keepsLength: true })
  assert.deepEqual([moved.event.startTime, moved.event.endTime], [at('08:00'), at('09:30')])
  await makeEvent(service, key, calendar.id, iso('08:00', '09:00'))
  assert.equal((await edit({ title: 'Renamed', status: 'tentative' })).event.title, 'Renamed')
  assert.equal((await edit({ ...times('08:00', '09:30'), title: 'Still there' })).event.title, 'Still there')
  const told = await edit({ start_time: new Date(at('08:30')) }, { keepsLength: true, overlaps: 'reported' })
  assert.deepEqual([told.event.endTime, told.overlaps?.total], [at('10:00'), 1])
})

test('between holds the priorities decide; against all else a hold is an event', async ({
  service,
  key,
  calendar,
  create,
}) => {
  const holdAt = (start: string, end: string, hold_priority: number) =>
    ({ ...times(start, end), status: 'hold', hold_priority, hold_expires_at: new Date(ahead(service, 5)) }) as const
  const low = await create(holdAt('10:00', '10:30', 1))
  assert.deepEqual(low.preempted, [])
  const blocked = await taken(create({ ...holdAt('10:15', '10:45', 1), title: 'Other' }))
  assert.equal(blocked.detail.code, 'hold_conflict')
  assert.deepEqual([blocked.overlaps.events[0]!.id, starts(blocked)[0]], [low.event.id, at('10:30')])
  const high = await create(holdAt('10:15', '10:45', 2))
  assert.deepEqual(high.preempted, [low.event.id])
  await makeEvent(service, key, calendar.id, iso('12:00', '13:00'))
  assert.equal((await taken(create(holdAt('12:30', '13:30', 9)))).detail.code, 'time_taken')
  assert.equal((await create(holdAt('12:30', '13:30', 9), 'reported')).overlaps!.total, 1)
})

test('who asks to be told is told, and not refused', async ({ service, key, actor, calendar, create }) => {
  const { event } = await create(times('10:00', '11:00'), 'reported')
  const second = await create({ ...times('10:30', '11:30'), title: 'Second' }, 'reported')
  assert.deepEqual([second.overlaps!.total, second.overlaps!.events[0]!.id], [1, event.id])
  const series = await create({ ...times('10:00', '10:15'), recurrence_rule: 'FREQ=DAILY;COUNT=3' }, 'reported')
  assert.equal(series.overlaps!.total, 1)
  const hold = await makeHold(service, key, calendar.id, iso('11:15', '11:45'))
  const confirmed = await confirmHold(service.app, actor, hold.id, requirementOf(false, { overlaps: 'reported' }))
  assert.deepEqual([confirmed.event.status, confirmed.overlaps!.events[0]!.title], ['confirmed', 'Second'])
})

test('of 20 that want one time at once one gets it, in one process or in two', async ({
  service,
  second,
  actor,
  calendar,
}) => {
  const body = { title: 'Race', ...times('10:00', '11:00'), status: 'confirmed', all_day: false } as const
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, nth) =>
      createEvent((nth % 2 ? service : second).app, actor, calendar.id, body, { overlaps: 'refused' }),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.ok(outcome.reason.overlaps.events[0].isLikelyDuplicate)
  }
})
