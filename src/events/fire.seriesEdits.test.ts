// The effect of a change of a series, of its calendar or of one occurrence on the moments that are still to come.
import assert from 'node:assert/strict'
import { makeEvent } from '../testing/factories.ts'
import { day, seriesTest, told } from '../testing/seriesTimers.ts'

const test = seriesTest()

test('cancelled occurrences are silent, also the one that its timers already point at', async ({
  service,
  hook,
  desk: { makeSeries, timersOf, emitted },
}) => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=6' })
  const cancel = (nth: number) =>
    service.call('DELETE', `${series.path}?occurrence_start=${day(nth)}`, { key: series.key })
  for (const nth of [2, 4, 5]) assert.equal((await cancel(nth)).status, 200)
  await service.clock.set(day(3))
  await service.drain()
  assert.deepEqual(told(hook.received).sort(), [`event.reminder ${day(3)}`, `event.started ${day(3)}`])
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

test('new default reminders remind of the first occurrence that is not cancelled', async ({
  service,
  desk: { makeSeries, timersOf },
}) => {
  const series = await makeSeries()
  await service.call('DELETE', `${series.path}?occurrence_start=${day(2)}`, { key: series.key })
  const body = { default_reminders: [25] }
  await service.call('PATCH', `/v1/calendars/${series.calendar.id}`, { key: series.key, body })
  assert.deepEqual(
    (await timersOf(series)).filter((timer) => timer.startsWith('event_reminder')),
    [`event_reminder 25 ${day(3, '09:35:00.000')} ${day(3)}`],
  )
})

test('a change of the calendar’s default reminders moves those of the series that inherit them', async ({
  service,
  hook,
  desk: { makeSeries, timersOf, emitted },
}) => {
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
  hook.received.length = 0
  await service.clock.set(day(7))
  await service.drain()
  const reminded = emitted().filter(({ type }) => type === 'event.reminder')
  assert.deepEqual(
    reminded.filter(({ payload }) => payload.event_id === series.id).map(({ payload }) => payload.occurrence_start),
    [day(6), day(7)],
  )
})

test('a reminder that is due but has not fired stays when the default reminders keep its offset', async ({
  service,
  hook,
  desk: { makeSeries },
}) => {
  const series = await makeSeries({ recurrence_rule: 'FREQ=DAILY;COUNT=9' })
  await service.clock.set(day(2, '09:55:00.000'))
  const path = `/v1/calendars/${series.calendar.id}`
  await service.call('PATCH', path, { key: series.key, body: { default_reminders: [10, 3] } })
  await service.drain()
  assert.deepEqual(told(hook.received), [`event.reminder ${day(2)}`])
})

test('deleting the series or its calendar silences every occurrence', async ({
  service,
  hook,
  desk: { makeSeries, timersOf },
}) => {
  const [one, two] = [await makeSeries(), await makeSeries()]
  await service.call('DELETE', one.path, { key: one.key })
  await service.call('DELETE', `/v1/calendars/${two.calendar.id}`, { key: two.key })
  await service.clock.set(day(30))
  await service.drain()
  assert.deepEqual(hook.received, [])
  assert.deepEqual([...(await timersOf(one)), ...(await timersOf(two))], [])
})
