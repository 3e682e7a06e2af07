// Workers that fire series after an outage, at once, and while somebody edits.
import assert from 'node:assert/strict'
import { fireDue } from '../../workers/timers.ts'
import type { App } from '../app.ts'
import { makeEvent } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { day, momentOf, moments, seriesTest, told } from '../testing/seriesTimers.ts'

const test = seriesTest()

/**
 * Changes between the two statements of a firing: the one that reads the timers with their events, and the one that takes them.
 */
function afterReading(app: App, happens: () => Promise<unknown>): App {
  let read: unknown
  const apply = (sql: object, that: unknown, args: [TemplateStringsArray, ...unknown[]]) => {
    const query = Reflect.apply(sql as (...all: unknown[]) => Promise<unknown>, that, args)
    if (/with due as materialized/.test(args[0].raw?.[0] ?? '')) read = query
    // The statement is made of this part.
    return read !== undefined && args[1] === read ? query.finally(happens) : query
  }
  return { ...app, sql: new Proxy(app.sql, { apply: apply as never }) }
}

test('after 400 days without a worker every missed occurrence fires once, in order', async ({
  service,
  desk: { makeSeries, timersOf, emitted },
}) => {
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

test('a series that ended during the outage has fired to its end, and waits for nothing', async ({
  service,
  hook,
  desk: { makeSeries, timersOf },
}) => {
  const series = await makeSeries({ reminders: [], recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO,TH;COUNT=9' })
  await service.clock.set(day(402))
  await service.drain()
  assert.equal(hook.received.length, 18)
  assert.deepEqual(await timersOf(series), [])
})

test('after an outage what is due fires in the order of time, over all its events', async ({
  service,
  desk: { makeSeries, emitted },
}) => {
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
  await service.clock.set(day(60))
  await service.drain()
  const seen = emitted().map(momentOf)
  assert.equal(seen.length, 2 * (20 + 5 + 3))
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
})

test('two workers at once fire every missed moment once, in order', async ({
  service,
  second,
  desk: { makeSeries, emitted },
}) => {
  const all = await Promise.all(
    Array.from({ length: 4 }, () => makeSeries({ reminders: [10], recurrence_rule: 'FREQ=DAILY;COUNT=40' })),
  )
  await service.clock.set(day(90))
  for (let round = 0; round < 3; round++) {
    await Promise.all([service.app, second.app, service.app, second.app].map((app) => fireDue(app)))
  }
  await service.drain()
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

test('an occurrence that is cancelled while its timer fires is either told of or silent, and none is lost', async ({
  service,
  desk: { makeSeries, timersOf, emitted },
}) => {
  const series = await makeSeries({ reminders: [], recurrence_rule: 'FREQ=DAILY;COUNT=12' })
  for (let nth = 2; nth <= 12; nth++) {
    await service.clock.set(day(nth))
    const [cancelled] = await Promise.all([
      service.call('DELETE', `${series.path}?occurrence_start=${day(nth)}`, { key: series.key }),
      fireDue(service.app),
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

test('an edit between what a worker reads and what it writes is heeded, and no moment is lost', async ({
  service,
  hook,
  desk: { makeSeries, timersOf, emitted },
}) => {
  const daily = 'FREQ=DAILY;COUNT=4'
  const edits: [string, object][] = [
    ['FREQ=DAILY;COUNT=1', { recurrence_rule: daily }],
    ['FREQ=WEEKLY;COUNT=2', { recurrence_rule: daily }],
    [daily, { title: 'New' }],
  ]
  for (const [rule, body] of edits) {
    await service.clock.set(testStart)
    hook.received.length = 0
    const series = await makeSeries({ reminders: [], recurrence_rule: rule })
    await service.clock.set(day(2))
    let edited: Promise<{ status: number }> | undefined
    const app = afterReading(service.app, () => {
      edited ??= service.call('PATCH', series.path, { key: series.key, body })
      return edited
    })
    await fireDue(app)
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
