// The emissions of each occurrence of a series, and their times.
import assert from 'node:assert/strict'
import { day, momentOf, moments, seriesTest, told } from '../testing/seriesTimers.ts'

const test = seriesTest()

test('each occurrence tells its own times, the master’s id and which one it is, and nothing else', async ({
  service,
  desk: { makeSeries, emitted },
}) => {
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

test('what happens once names no occurrence', async ({ service, hook, desk: { makeSeries } }) => {
  await makeSeries({ recurrence_rule: undefined })
  await service.clock.set(day(4))
  await service.drain()
  assert.deepEqual(hook.types().sort(), moments.toSorted())
  for (const { payload } of hook.received) assert.equal('occurrence_start' in payload, false)
})

test('a moment fires when it is reached, not a millisecond earlier, and its timer moves to the next one', async ({
  service,
  hook,
  desk: { makeSeries, timersOf },
}) => {
  const series = await makeSeries({ reminders: [] })
  await service.clock.set(day(2, '09:59:59.999'))
  await service.drain()
  assert.deepEqual(hook.types(), [])
  await service.clock.set(day(2))
  await service.drain()
  assert.deepEqual(told(hook.received), [`event.started ${day(2)}`])
  assert.deepEqual(await timersOf(series), [
    `event_end 0 ${day(2, '10:30:00.000')} ${day(2)}`,
    `event_start 0 ${day(3)} ${day(3)}`,
  ])
  await service.drain()
  assert.equal(hook.received.length, 1)
})

test('there is one timer of each kind and offset, however often it has moved', async ({
  service,
  desk: { makeSeries, timersOf },
}) => {
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

test('occurrences that overlap each other all start and end, in the order of time', async ({
  service,
  desk: { makeSeries, emitted },
}) => {
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

test('of occurrences without a gap each ends before the next one starts', async ({
  service,
  desk: { makeSeries, emitted },
}) => {
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

test('of one instant the end is told before the start, also when nothing was missed', async ({
  service,
  desk: { makeSeries, emitted },
}) => {
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

test('a series that began in the past goes on with its next occurrence', async ({
  service,
  desk: { makeSeries, timersOf, emitted },
}) => {
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

test('an occurrence whose reminder has passed at creation reminds of the next one only', async ({
  service,
  desk: { makeSeries, emitted },
}) => {
  await makeSeries({ reminders: [120] })
  await service.clock.set(day(3, '09:00:00.000'))
  await service.drain()
  assert.deepEqual(
    told(emitted()).filter((line) => line.startsWith('event.reminder')),
    [`event.reminder ${day(3)}`],
  )
})
