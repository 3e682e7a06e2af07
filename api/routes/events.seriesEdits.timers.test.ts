// The timers of a series after its edits.
import assert from 'node:assert/strict'
import { decodeId } from '../../src/shapes/ids.ts'
import { makeWebhook } from '../../src/testing/factories.ts'
import { type TestService, testStart } from '../../src/testing/harness.ts'
import { whileOpen } from '../../src/testing/locks.ts'
import { day, type Series, seriesTest } from '../../src/testing/series.ts'

const test = seriesTest()

test('a new series has one timer of each kind and offset', async ({ makeSeries }) => {
  const series = await makeSeries({ reminders: [5, 60] })
  assert.deepEqual(await series.timers(), [
    'event_reminder 5 02T09:55',
    'event_start 0 02T10:00',
    'event_end 0 02T10:30',
    'event_reminder 60 03T09:00',
  ])
})

test('an edit of the title writes no timer', async ({ service, makeSeries }) => {
  const series = await makeSeries()
  const rows = () => service.app.sql`
    select *, xmin::text from timers where subject_id = ${decodeId('evt', series.id)!} order by kind`
  const before = await rows()
  assert.equal(before.length, 3)
  await series.edit({ title: 'New', description: 'New', metadata: { a: 1 } })
  assert.deepEqual([...(await rows())], [...before])
})

test('timers follow edits of the rule, the start, the end and the reminders', async ({ service, makeSeries }) => {
  const series = await makeSeries({ reminders: [] })
  await service.clock.set(day(5, '12:00:00.000'))
  await service.drain()
  assert.deepEqual(await series.timers(), ['event_start 0 06T10:00', 'event_end 0 06T10:30'])
  await series.edit({ recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,FR' })
  assert.deepEqual(await series.timers(), ['event_start 0 06T10:00', 'event_end 0 06T10:30'])
  await series.edit({ recurrence_rule: 'FREQ=WEEKLY' })
  assert.deepEqual(await series.timers(), ['event_start 0 09T10:00', 'event_end 0 09T10:30'])
  await series.edit({ start_time: day(9, '08:00:00.000'), end_time: day(9, '09:00:00.000') })
  assert.deepEqual(await series.timers(), ['event_start 0 09T08:00', 'event_end 0 09T09:00'])
  await series.edit({ end_time: day(9, '09:10:00.000'), reminders: [15] })
  assert.deepEqual(await series.timers(), [
    'event_reminder 15 09T07:45',
    'event_start 0 09T08:00',
    'event_end 0 09T09:10',
  ])
  await series.edit({ reminders: null })
  assert.deepEqual((await series.timers())[0], 'event_reminder 10 09T07:50')
  await series.edit({ recurrence_rule: 'FREQ=WEEKLY;COUNT=1' })
  await series.edit({ start_time: day(4, '08:00:00.000'), end_time: day(4, '09:10:00.000') })
  assert.deepEqual(await series.timers(), [], 'a series that is over has no timers')
})

test('a tentative or cancelled series fires nothing; once confirmed it fires from its next occurrence on', async ({
  service,
  receiver,
  makeSeries,
}) => {
  const series = await makeSeries()
  await makeWebhook(service, series.key, receiver.url, ['event.started', 'event.ended', 'event.reminder'])
  await series.edit({ status: 'tentative' })
  assert.deepEqual(await series.timers(), [])
  await service.clock.set(day(4, '12:00:00.000'))
  await series.edit({ status: 'confirmed' })
  await service.drain()
  assert.deepEqual(receiver.received, [])
  assert.deepEqual(await series.timers(), [
    'event_reminder 10 05T09:50',
    'event_start 0 05T10:00',
    'event_end 0 05T10:30',
  ])
  await service.clock.set(day(5, '10:15:00.000'))
  await service.drain()
  assert.deepEqual(receiver.types().sort(), ['event.reminder', 'event.started'])
  await series.edit({ status: 'cancelled' })
  await service.clock.set(day(9))
  await service.drain()
  assert.equal(receiver.received.length, 2)
})

test('a timer that is overdue when the series is edited still fires, unless the edit moves it', async ({
  service,
  receiver,
  makeSeries,
}) => {
  const series = await makeSeries({ reminders: [5] })
  await makeWebhook(service, series.key, receiver.url, ['event.started', 'event.ended', 'event.reminder'])
  await service.clock.set(day(3, '10:15:00.000'))
  await series.edit({ recurrence_rule: 'FREQ=DAILY;COUNT=40' })
  await series.edit({ reminders: [5, 20], title: 'New' })
  await service.drain()
  const seen = receiver.received
    .filter(({ payload }) => payload.event_id === series.id)
    .map(({ type, payload }) => `${type} ${payload.occurrence_start}`)
  assert.deepEqual(seen.toSorted(), [
    `event.ended ${day(2)}`,
    `event.reminder ${day(2)}`,
    `event.reminder ${day(3)}`,
    `event.started ${day(2)}`,
    `event.started ${day(3)}`,
  ])
  assert.deepEqual(await series.timers(), [
    'event_end 0 03T10:30',
    'event_reminder 20 04T09:40',
    'event_reminder 5 04T09:55',
    'event_start 0 04T10:00',
  ])
})

test('an overdue timer of an edited series fires for the occurrences that the new rule has', async ({
  service,
  receiver,
  makeSeries,
}) => {
  const series = await makeSeries({ reminders: [] })
  await makeWebhook(service, series.key, receiver.url, ['event.started', 'event.ended'])
  // The workers stop on Monday the 2nd: of what they miss, the new rule has Thursday the 5th.
  await service.clock.set(day(2, '11:00:00.000'))
  await service.drain()
  receiver.received.length = 0
  await service.clock.set(day(7, '10:10:00.000'))
  assert.equal((await series.edit({ recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH' })).status, 200)
  await service.drain()
  const seen = receiver.received.filter(({ payload }) => payload.event_id === series.id)
  assert.deepEqual(seen.map(({ type, payload }) => `${type} ${payload.occurrence_start}`).toSorted(), [
    `event.ended ${day(5)}`,
    `event.started ${day(5)}`,
  ])
  assert.deepEqual(await series.timers(), ['event_start 0 09T10:00', 'event_end 0 09T10:30'])
})

test('an overdue timer fires for the series or the one-off that the edit made of its event', async ({
  service,
  receiver,
  makeSeries,
}) => {
  const single = await makeSeries({ recurrence_rule: undefined, reminders: [] })
  const series = await makeSeries({ reminders: [] })
  await service.clock.set(day(2, '10:10:00.000'))
  assert.equal((await single.edit({ recurrence_rule: 'FREQ=DAILY;COUNT=2' })).status, 200)
  assert.equal((await series.edit({ recurrence_rule: null })).status, 200)
  await makeWebhook(service, single.key, receiver.url, ['event.started'])
  await makeWebhook(service, series.key, receiver.url, ['event.started'])
  await service.clock.set(day(9))
  await service.drain()
  const seen = receiver.received
    .map(({ payload }) => [payload.event_id, payload.occurrence_start])
    .filter(([id]) => id === single.id || id === series.id)
  assert.deepEqual(
    new Set(seen.map((line) => line.join(' '))),
    new Set([`${single.id} ${day(2)}`, `${single.id} ${day(3)}`, `${series.id} `]),
  )
  assert.equal(seen.length, 3)
  assert.deepEqual([...(await single.timers()), ...(await series.timers())], [])
})

test('an edit waits for a timer that is firing, and starts from where it moved', async ({ service, makeSeries }) => {
  const edits = [{ reminders: [7] }, { recurrence_rule: 'FREQ=DAILY;COUNT=9' }, { status: 'tentative' }]
  for (const body of edits) {
    await service.clock.set(testStart)
    const series = await makeSeries({ reminders: [] })
    await service.clock.set(day(3, '10:15:00.000'))
    await editWhileFiring(service, series, body)
    // The start of the 3rd was due as well, and is still to fire; the end of the 3rd is not due yet.
    assert.deepEqual(
      (await series.timers()).filter((timer) => !timer.startsWith('event_reminder')),
      'status' in body ? [] : ['event_start 0 03T10:00', 'event_end 0 03T10:30'],
      JSON.stringify(body),
    )
  }
})

test('a timer that moved on while its series became a one-off does not fire', async ({
  service,
  receiver,
  makeSeries,
}) => {
  const series = await makeSeries({ reminders: [] })
  await makeWebhook(service, series.key, receiver.url, ['event.started', 'event.ended'])
  await service.clock.set(day(2, '10:45:00.000'))
  await editWhileFiring(service, series, { recurrence_rule: null })
  await service.clock.set(day(9))
  await service.drain()
  assert.deepEqual(
    receiver.received.filter(({ payload }) => payload.event_id === series.id),
    [],
  )
  assert.deepEqual(await series.timers(), [])
})

/** A worker is in the middle of firing the first occurrence; it commits once the edit waits for it. */
async function editWhileFiring({ app }: TestService, series: Series, body: object) {
  const { status } = await whileOpen(app.sql, {
    change: (worker) => worker`
      update timers set due_at = due_at + interval '1 day', occurrence_start = occurrence_start + interval '1 day',
        generation = generation + 1
      where subject_id = ${decodeId('evt', series.id)!} and due_at <= app_now()`,
    work: () => series.edit(body),
  })
  assert.equal(status, 200)
}
