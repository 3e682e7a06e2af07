import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { fireDue } from '../../workers/timers.ts'
import { type App, closeApp, openApp } from '../app.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeCalendar, makeEvent, makeOrganization, makeWebhook } from '../testing/factories.ts'
import { openTestService, type TestService, testStart } from '../testing/harness.ts'
import { openReceiver, type Received, type Receiver } from '../testing/receiver.ts'
import { shardCount } from '../timers/timers.ts'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await openTestService()
})
beforeEach(async () => {
  receiver = await openReceiver()
  await service.clock.set(testStart)
})
afterEach(async () => {
  // The next test starts from the same time again: what this one left would be due in it.
  await service.app.sql`update webhook_subscriptions set active = false`
  await service.app.sql`delete from timers`
  await receiver.close()
})
afterAll(() => service.close())

const moments = ['event.started', 'event.ended', 'event.reminder']
const day = (nth: number, time = '10:00:00.000') =>
  new Date(Date.parse(`2026-03-01T${time}Z`) + (nth - 1) * 86_400_000).toISOString()

/** A daily series without end at ten from the 2nd, half an hour each, unless told otherwise; every moment is told of. */
async function makeSeries(event: object = {}) {
  const { key } = await makeOrganization(service, { plan: 'custom' })
  await makeWebhook(service, key, receiver.url, moments)
  const calendar = await makeCalendar(service, key)
  const body = { start_time: day(2), end_time: day(2, '10:30:00.000'), recurrence_rule: 'FREQ=DAILY', ...event }
  const { id } = await makeEvent(service, key, calendar.id, body)
  const path = `/v1/calendars/${calendar.id}/events/${id}`
  return { key, id, calendar, path }
}

/** `kind offset due occurrence` of what waits. */
async function timersOf({ id }: { id: string }): Promise<string[]> {
  const rows = await service.app.sql<{ kind: string; offsetMinutes: number; dueAt: Date; occurrenceStart: Date }[]>`
    select kind, offset_minutes, due_at, occurrence_start from timers where subject_id = ${decodeId('evt', id)!}
    order by due_at, kind`
  return rows.map((row) =>
    [row.kind, row.offsetMinutes, row.dueAt.toISOString(), row.occurrenceStart.toISOString()].join(' '),
  )
}

/** In the order in which they were emitted: delivery ids are made in the order of time. */
const emitted = (): Received[] => receiver.received.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
const told = (received: readonly Received[]) =>
  received.map(({ type, payload }) => `${type} ${payload.occurrence_start}`)

/** When what a payload tells of happened. */
const momentOf = ({ type, payload }: Received): number => {
  if (type === 'event.ended') return Date.parse(payload.end_time)
  return Date.parse(payload.start_time) - (payload.reminder_minutes ?? 0) * 60_000
}

test('each occurrence tells its own times, the master’s id and which one it is, and nothing else', async () => {
  const series = await makeSeries({ title: 'Stand-up', reminders: [15] })
  await service.clock.set(day(3, '23:00:00.000'))
  await service.drain()
  const shared = (nth: number) => ({
    event_id: series.id,
    calendar_id: series.calendar.id,
    title: 'Stand-up',
    start_time: day(nth),
    end_time: day(nth, '10:30:00.000'),
    occurrence_start: day(nth),
  })
  const expected = [2, 3].flatMap((nth) => [
    ['event.reminder', { ...shared(nth), reminder_minutes: 15 }],
    ['event.started', shared(nth)],
    ['event.ended', shared(nth)],
  ])
  assert.deepEqual(
    emitted().map(({ type, payload }) => [type, payload]),
    expected,
  )
})

test('what happens once names no occurrence', async () => {
  await makeSeries({ recurrence_rule: undefined })
  await service.clock.set(day(4))
  await service.drain()
  assert.deepEqual(receiver.types().sort(), moments.toSorted())
  for (const { payload } of receiver.received) assert.equal('occurrence_start' in payload, false)
})

test('a moment fires when it is reached, not a millisecond earlier, and its timer moves to the next one', async () => {
  const series = await makeSeries({ reminders: [] })
  await service.clock.set(day(2, '09:59:59.999'))
  await service.drain()
  assert.deepEqual(receiver.types(), [])
  await service.clock.set(day(2))
  await service.drain()
  assert.deepEqual(told(receiver.received), [`event.started ${day(2)}`])
  assert.deepEqual(await timersOf(series), [
    `event_end 0 ${day(2, '10:30:00.000')} ${day(2)}`,
    `event_start 0 ${day(3)} ${day(3)}`,
  ])
  await service.drain()
  assert.equal(receiver.received.length, 1)
})

test('there is one timer of each kind and offset, however often it has moved', async () => {
  const series = await makeSeries({ reminders: [10, 1440, 40320] })
  for (const nth of [3, 10, 40]) {
    await service.clock.set(day(nth))
    await service.drain()
    const timers = await timersOf(series)
    assert.deepEqual(timers.map((timer) => timer.split(' ').slice(0, 2).join(' ')).toSorted(), [
      'event_end 0',
      'event_reminder 10',
      'event_reminder 1440',
      'event_reminder 40320',
      'event_start 0',
    ])
  }
})

test('cancelled occurrences are silent, also the one that its timers already point at', async () => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=6' })
  const cancel = (nth: number) =>
    service.call('DELETE', `${series.path}?occurrence_start=${day(nth)}`, { key: series.key })
  for (const nth of [2, 4, 5]) assert.equal((await cancel(nth)).status, 200)
  await service.clock.set(day(3))
  await service.drain()
  assert.deepEqual(told(receiver.received).sort(), [`event.reminder ${day(3)}`, `event.started ${day(3)}`])
  // On, but cancelled before it ends.
  await cancel(3)
  await service.clock.set(day(20))
  await service.drain()
  assert.deepEqual(
    told(emitted()).slice(2),
    ['event.reminder', 'event.started', 'event.ended']
      .map((t) => `${t} ${day(6)}`)
      .concat(['event.reminder', 'event.started', 'event.ended'].map((t) => `${t} ${day(7)}`)),
  )
  assert.deepEqual(await timersOf(series), [])
})

test('after 400 days without a worker every missed occurrence fires once, in order', async () => {
  const series = await makeSeries({ reminders: [30] })
  await service.call('DELETE', `${series.path}?occurrence_start=${day(100)}`, { key: series.key })
  await service.clock.set(day(402))
  await service.drain()
  const expected = Array.from({ length: 401 }, (_, nth) => nth + 2)
    .filter((nth) => nth !== 100)
    .flatMap((nth) => [`event.reminder ${day(nth)}`, `event.started ${day(nth)}`, `event.ended ${day(nth)}`])
    .slice(0, -1)
  const seen = emitted()
  assert.deepEqual(told(seen), expected)
  assert.equal(new Set(seen.map(({ deliveryId }) => deliveryId)).size, expected.length)
  assert.deepEqual(await timersOf(series), [
    `event_end 0 ${day(402, '10:30:00.000')} ${day(402)}`,
    `event_reminder 30 ${day(403, '09:30:00.000')} ${day(403)}`,
    `event_start 0 ${day(403)} ${day(403)}`,
  ])
})

test('a series that ended during the outage has fired to its end, and waits for nothing', async () => {
  const series = await makeSeries({ reminders: [], recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH;COUNT=9' })
  await service.clock.set(day(402))
  await service.drain()
  assert.equal(receiver.received.length, 18)
  assert.deepEqual(await timersOf(series), [])
})

test('occurrences that overlap each other all start and end, in the order of time', async () => {
  // Three and a half days each, every day.
  await makeSeries({ end_time: day(5, '22:00:00.000'), reminders: [], recurrence_rule: 'FREQ=DAILY;COUNT=10' })
  await service.clock.set(day(60))
  await service.drain()
  const seen = emitted()
  assert.equal(seen.length, 20)
  assert.deepEqual(
    seen.map(momentOf),
    seen.map(momentOf).toSorted((a, b) => a - b),
  )
  for (const { payload } of seen) {
    assert.equal(Date.parse(payload.end_time) - Date.parse(payload.start_time), 84 * 3_600_000)
  }
})

test('of occurrences without a gap each ends before the next one starts', async () => {
  await makeSeries({ end_time: day(3), reminders: [], recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  await service.clock.set(day(30))
  await service.drain()
  assert.deepEqual(told(emitted()), [
    `event.started ${day(2)}`,
    `event.ended ${day(2)}`,
    `event.started ${day(3)}`,
    `event.ended ${day(3)}`,
    `event.started ${day(4)}`,
    `event.ended ${day(4)}`,
  ])
})

test('of one instant the end is told before the start, also when nothing was missed', async () => {
  await makeSeries({ end_time: day(3), reminders: [], recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  for (const nth of [2, 3, 4]) {
    await service.clock.set(day(nth))
    await service.drain()
  }
  assert.deepEqual(told(emitted()), [
    `event.started ${day(2)}`,
    `event.ended ${day(2)}`,
    `event.started ${day(3)}`,
    `event.ended ${day(3)}`,
    `event.started ${day(4)}`,
  ])
})

test('new default reminders remind of the first occurrence that is not cancelled', async () => {
  const series = await makeSeries()
  await service.call('DELETE', `${series.path}?occurrence_start=${day(2)}`, { key: series.key })
  const body = { default_reminders: [25] }
  await service.call('PATCH', `/v1/calendars/${series.calendar.id}`, { key: series.key, body })
  assert.deepEqual(
    (await timersOf(series)).filter((timer) => timer.startsWith('event_reminder')),
    [`event_reminder 25 ${day(3, '09:35:00.000')} ${day(3)}`],
  )
})

test('after an outage what is due in one shard fires in the order of time, over all its events', async () => {
  const { key, calendar } = await makeSeries({ reminders: [], recurrence_rule: 'FREQ=DAILY;COUNT=20' })
  await makeEvent(service, key, calendar.id, {
    start_time: day(2, '11:00:00.000'),
    end_time: day(2, '12:00:00.000'),
    reminders: [],
    recurrence_rule: 'FREQ=DAILY;INTERVAL=3;COUNT=5',
  })
  for (const nth of [5, 9, 15]) {
    const times = { start_time: day(nth, '08:00:00.000'), end_time: day(nth, '20:00:00.000') }
    await makeEvent(service, key, calendar.id, { ...times, reminders: [] })
  }
  await service.app.sql`update timers set shard = 0`
  await service.clock.set(day(60))
  await service.drain()
  const seen = emitted().map(momentOf)
  assert.equal(seen.length, 2 * (20 + 5 + 3))
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
})

test('a series that began in the past goes on with its next occurrence', async () => {
  const series = await makeSeries({
    start_time: '2020-01-06T08:45:00Z',
    end_time: '2020-01-06T09:15:00Z',
    recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO',
  })
  // It is on at this moment: only its end is to come.
  assert.deepEqual(await timersOf(series), [
    `event_end 0 ${day(2, '09:15:00.000')} ${day(2, '08:45:00.000')}`,
    `event_reminder 10 ${day(9, '08:35:00.000')} ${day(9, '08:45:00.000')}`,
    `event_start 0 ${day(9, '08:45:00.000')} ${day(9, '08:45:00.000')}`,
  ])
  await service.clock.set(day(10))
  await service.drain()
  assert.deepEqual(told(emitted()), [
    `event.ended ${day(2, '08:45:00.000')}`,
    `event.reminder ${day(9, '08:45:00.000')}`,
    `event.started ${day(9, '08:45:00.000')}`,
    `event.ended ${day(9, '08:45:00.000')}`,
  ])
})

test('an occurrence whose reminder has passed at creation reminds of the next one only', async () => {
  await makeSeries({ reminders: [120] })
  await service.clock.set(day(3, '09:00:00.000'))
  await service.drain()
  assert.deepEqual(
    told(emitted()).filter((line) => line.startsWith('event.reminder')),
    [`event.reminder ${day(3)}`],
  )
})

test('a change of the calendar’s default reminders moves those of the series that inherit them', async () => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=9' })
  const own = await makeEvent(service, series.key, series.calendar.id, {
    start_time: day(2),
    end_time: day(2, '10:30:00.000'),
    recurrence_rule: 'FREQ=DAILY;COUNT=9',
    reminders: [3],
  })
  const set = async (default_reminders: number[] | null) => {
    const path = `/v1/calendars/${series.calendar.id}`
    const { status } = await service.call('PATCH', path, { key: series.key, body: { default_reminders } })
    assert.equal(status, 200)
    return (await timersOf(series)).filter((timer) => timer.startsWith('event_reminder'))
  }
  await service.clock.set(day(4))
  await service.drain()
  assert.deepEqual(await set([20, 2880]), [
    // The occurrence of the 6th at ten would have been reminded of at this very moment.
    `event_reminder 20 ${day(5, '09:40:00.000')} ${day(5)}`,
    `event_reminder 2880 ${day(5)} ${day(7)}`,
  ])
  assert.deepEqual(await set([]), [])
  assert.deepEqual(await set(null), [`event_reminder 10 ${day(5, '09:50:00.000')} ${day(5)}`])
  await service.call('DELETE', `${series.path}?occurrence_start=${day(5)}`, { key: series.key })
  assert.deepEqual(await set([30]), [`event_reminder 30 ${day(6, '09:30:00.000')} ${day(6)}`])
  assert.deepEqual(
    (await timersOf(own)).filter((timer) => timer.startsWith('event_reminder')),
    [`event_reminder 3 ${day(5, '09:57:00.000')} ${day(5)}`],
  )
  receiver.received.length = 0
  await service.clock.set(day(7))
  await service.drain()
  const reminded = emitted().filter(({ type }) => type === 'event.reminder')
  assert.deepEqual(
    reminded.filter(({ payload }) => payload.event_id === series.id).map(({ payload }) => payload.occurrence_start),
    [day(6), day(7)],
  )
})

test('a reminder that is due but has not fired stays when the default reminders keep its offset', async () => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=9' })
  await service.clock.set(day(2, '09:55:00.000'))
  const path = `/v1/calendars/${series.calendar.id}`
  await service.call('PATCH', path, { key: series.key, body: { default_reminders: [10, 3] } })
  await service.drain()
  assert.deepEqual(told(receiver.received), [`event.reminder ${day(2)}`])
})

test('two workers at once fire every missed moment once, in order', async () => {
  const all = await Promise.all(
    Array.from({ length: 4 }, () => makeSeries({ reminders: [10], recurrence_rule: 'FREQ=DAILY;COUNT=40' })),
  )
  const second: App = openApp(service.app.config, { name: 'second', connections: 4, clock: service.clock })
  try {
    await service.clock.set(day(90))
    const shards = Array.from({ length: shardCount }, (_, shard) => shard)
    for (let round = 0; round < 3; round++) {
      await Promise.all(shards.flatMap((shard) => [fireDue(service.app, shard), fireDue(second, shard)]))
    }
    await service.drain()
  } finally {
    await closeApp(second)
  }
  for (const { id } of all) {
    const seen = emitted().filter(({ payload }) => payload.event_id === id)
    const expected = Array.from({ length: 40 }, (_, nth) =>
      ['event.reminder', 'event.started', 'event.ended'].map((type) => `${type} ${day(nth + 2)}`),
    ).flat()
    assert.deepEqual(told(seen).toSorted(), expected.toSorted())
    for (const type of moments) {
      const ofType = told(seen.filter((one) => one.type === type))
      assert.deepEqual(ofType, ofType.toSorted(), 'one after the other')
    }
  }
})

test('an occurrence that is cancelled while its timer is firing is either told of or cancelled first, never lost', async () => {
  const series = await makeSeries({ reminders: [], recurrence_rule: 'FREQ=DAILY;COUNT=12' })
  for (let nth = 2; nth <= 12; nth++) {
    await service.clock.set(day(nth))
    const shards = Array.from({ length: shardCount }, (_, shard) => shard)
    const [cancelled] = await Promise.all([
      service.call('DELETE', `${series.path}?occurrence_start=${day(nth)}`, { key: series.key }),
      ...shards.map((shard) => fireDue(service.app, shard)),
    ])
    assert.equal(cancelled?.status, 200)
  }
  await service.clock.set(day(30))
  await service.drain()
  assert.deepEqual(
    told(emitted()).filter((line) => line.endsWith(day(13))),
    [`event.started ${day(13)}`, `event.ended ${day(13)}`],
  )
  assert.deepEqual(
    told(emitted()).filter((line) => line.startsWith('event.ended')),
    [`event.ended ${day(13)}`],
    'all the others were cancelled before they ended',
  )
  assert.deepEqual(await timersOf(series), [])
})

test('an edit between what a worker reads and what it writes is heeded, and no moment is lost', async () => {
  const daily = 'FREQ=DAILY;COUNT=4'
  const edits: [string | undefined, object][] = [
    [undefined, { recurrence_rule: daily }],
    ['FREQ=DAILY;COUNT=1', { recurrence_rule: daily }],
    ['FREQ=WEEKLY;COUNT=2', { recurrence_rule: daily }],
    [daily, { title: 'New' }],
  ]
  for (const [rule, body] of edits) {
    await service.clock.set(testStart)
    receiver.received.length = 0
    const series = await makeSeries({ reminders: [], recurrence_rule: rule })
    await service.clock.set(day(2))
    let edited: Promise<{ status: number }> | undefined
    const app = afterReading(service.app, () => {
      edited ??= service.call('PATCH', series.path, { key: series.key, body })
      return edited
    })
    for (let shard = 0; shard < shardCount; shard++) await fireDue(app, shard)
    assert.equal((await edited)?.status, 200)
    await service.clock.set(day(30))
    await service.drain()
    const starts = emitted().filter(({ type }) => type === 'event.started')
    assert.deepEqual(
      told(starts),
      [2, 3, 4, 5].map((nth) => `event.started ${day(nth)}`),
      JSON.stringify(body),
    )
    for (const { payload } of starts) assert.equal(payload.title, 'title' in body ? 'New' : 'Event')
    assert.deepEqual(await timersOf(series), [])
  }
})

/** What happens between the two statements of a firing: the one that reads the events, and the one that takes the timers. */
function afterReading(app: App, happens: () => Promise<unknown>): App {
  type Query = { answering(isAskedFor: unknown): Promise<unknown> }
  const apply = (sql: object, that: unknown, args: [TemplateStringsArray]) => {
    const query = Reflect.apply(sql as (...all: unknown[]) => Query, that, args)
    if (!/select distinct\s+e\.id/.test(args[0].raw?.[0] ?? '')) return query
    return {
      async answering(isAskedFor: unknown) {
        const rows = await query.answering(isAskedFor)
        await happens()
        return rows
      },
    }
  }
  return { ...app, sql: new Proxy(app.sql, { apply: apply as never }) }
}

test('deleting the series or its calendar silences every occurrence', async () => {
  const [one, two] = [await makeSeries(), await makeSeries()]
  await service.call('DELETE', one.path, { key: one.key })
  await service.call('DELETE', `/v1/calendars/${two.calendar.id}`, { key: two.key })
  await service.clock.set(day(30))
  await service.drain()
  assert.deepEqual(receiver.received, [])
  assert.deepEqual([...(await timersOf(one)), ...(await timersOf(two))], [])
})
