// The moments of an event: which of them fire, when, and what they tell.
import assert from 'node:assert/strict'
import { makeCalendar, makeHold } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { at, momentsTest } from '../testing/moments.ts'

const test = momentsTest()
const everyMinute = Array.from({ length: 130 }, (_, minute) => minute)

test('a confirmed event reminds 10 minutes ahead, starts and ends, each once and on time', async ({
  desk: { event, firedAt },
}) => {
  await event()
  assert.deepEqual(await firedAt(...everyMinute), {
    50: ['event.reminder 10'],
    60: ['event.started'],
    90: ['event.ended'],
  })
})

test('the payloads have exactly the keys of the specification', async ({
  service,
  receiver,
  desk: { calendar, event, goTo },
}) => {
  const { id } = await event({ title: 'Planning', description: 'secret', metadata: { a: 1 } })
  await goTo(90)
  await service.drain()
  const payloadOf = (wanted: string) => receiver.received.find(({ type }) => type === wanted)?.payload
  const common = {
    event_id: id,
    calendar_id: calendar.id,
    title: 'Planning',
    start_time: at(60),
    end_time: at(90),
  }
  assert.deepEqual(payloadOf('event.started'), common)
  assert.deepEqual(payloadOf('event.ended'), common)
  assert.deepEqual(payloadOf('event.reminder'), { ...common, reminder_minutes: 10 })
  assert.equal(receiver.received.length, 3)
})

test('a moment fires at its millisecond, not before', async ({ service, receiver, desk: { event } }) => {
  await event({ start_time: at(60).replace('000Z', '250Z'), reminders: [] })
  await service.clock.set(at(60).replace('000Z', '249Z'))
  await service.drain()
  assert.deepEqual(receiver.types(), [])
  await service.clock.advance(1)
  await service.drain()
  assert.deepEqual(receiver.types(), ['event.started'])
})

test("reminders are the event's own, else the calendar's, else 10 minutes; an empty list means none", async ({
  service,
  key,
  desk: { event, firedAt },
}) => {
  const table: [calendarReminders: number[] | null, eventReminders: number[] | null, minutes: number[]][] = [
    [null, null, [10]],
    [[30, 5], null, [5, 30]],
    [[], null, []],
    [null, [45, 15], [15, 45]],
    [[30], [45], [45]],
    [[30], [], []],
    [[], [20], [20]],
  ]
  for (const [inherited, own, minutes] of table) {
    await service.clock.set(testStart)
    const { id } = await makeCalendar(service, key, undefined, { default_reminders: inherited })
    await event({ reminders: own }, id)
    const expected = Object.fromEntries([
      ...minutes.map((minute) => [60 - minute, [`event.reminder ${minute}`]]),
      [60, ['event.started']],
      [90, ['event.ended']],
    ])
    assert.deepEqual(await firedAt(0, 15, 30, 40, 45, 50, 55, 60, 90), expected, JSON.stringify([inherited, own]))
  }
})

test('the longest reminder is 28 days ahead', async ({ desk: { event, firedAt } }) => {
  const days = 24 * 60
  await event({ start_time: at(30 * days), end_time: at(31 * days), reminders: [40_320] })
  assert.deepEqual(await firedAt(2 * days - 1, 2 * days, 30 * days), {
    [2 * days]: ['event.reminder 40320'],
    [30 * days]: ['event.started'],
  })
})

test('tentative, cancelled and held events fire nothing', async ({
  service,
  key,
  desk: { calendar, event, firedAt },
}) => {
  await event({ status: 'tentative' })
  await event({ status: 'cancelled' })
  await makeHold(service, key, calendar.id, { start_time: at(60), end_time: at(90), hold_expires_at: at(1) })
  assert.deepEqual(await firedAt(1, 50, 60, 90), { 1: ['event.hold_expired'] })
})

test('what has passed when the event is created does not fire', async ({ desk: { event, firedAt } }) => {
  await event({ start_time: at(-1), end_time: at(30), reminders: [5] })
  await event({ start_time: at(5), end_time: at(45) })
  await event({ start_time: at(-60), end_time: at(-30) })
  assert.deepEqual(await firedAt(...everyMinute), { 5: ['event.started'], 30: ['event.ended'], 45: ['event.ended'] })
})
