import assert from 'node:assert/strict'
import { makeCalendar, makeEvent, makeOrganization, type OrganizationOptions } from '../../src/testing/factories.ts'
import { testStart } from '../../src/testing/harness.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'

const day = (nth: number, time = '10:00:00.000') => `2026-03-${String(nth).padStart(2, '0')}T${time}Z`

const test = serviceTest().extend(
  'desk',
  perFile,
  ({ service, receiver }) =>
    async (body: object = {}, options: OrganizationOptions = {}) => {
      const { key } = await makeOrganization(service, options)
      const calendar = await makeCalendar(service, key)
      const daily = {
        ...{ title: 'Stand-up', start_time: day(2), end_time: day(2, '10:30:00.000') },
        ...{ recurrence_rule: 'FREQ=DAILY;COUNT=6', reminders: [] },
        ...body,
      }
      const series = await makeEvent(service, key, calendar.id, daily)
      const list = `/v1/calendars/${calendar.id}/events`
      const call = (method: string, to: string, sent?: object, headers = {}) =>
        service.call(method, to, { key, body: sent, headers })
      const at = (start: string, more = '') => `${list}/${series.id}?occurrence_start=${start}${more}`
      const split = (start: string, sent: object, headers = {}) =>
        call('PATCH', at(start, '&scope=following'), sent, headers)
      const listed = async () =>
        (await call('GET', `${list}?expand=true&start_after=${day(1)}&start_before=2026-05-01T00:00:00Z`)).body.data
      const starts = async () => (await listed()).map(({ startTime }: { startTime: string }) => startTime)
      const subscribe = async (...events: string[]) => {
        receiver.received.length = 0
        await call('POST', '/v1/webhooks', { url: receiver.url, events })
      }
      return { key, calendar, list, call, series, at, split, listed, starts, subscribe }
    },
)

test.beforeEach(({ service }) => service.clock.set(testStart))

test('a split ends the series before the occurrence, and begins another one with the changes', async ({
  service,
  desk,
  receiver,
}) => {
  const { series, split, starts, subscribe, call, list } = await desk()
  await subscribe('event.updated', 'event.created')
  const { status, body } = await split(day(5), {
    title: 'Later',
    start_time: day(5, '12:00:00.000'),
    end_time: day(5, '13:00:00.000'),
  })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['previous', 'series'])
  const { previous, series: begun } = body
  assert.deepEqual(
    [previous.id, previous.recurrenceRule, previous.title],
    [series.id, 'FREQ=DAILY;COUNT=3', 'Stand-up'],
  )
  assert.deepEqual(
    [begun.recurrenceRule, begun.title, begun.startTime],
    ['FREQ=DAILY;COUNT=3', 'Later', day(5, '12:00:00.000')],
  )
  assert.notEqual(begun.id, series.id)
  assert.deepEqual(await starts(), [
    ...[2, 3, 4].map((nth) => day(nth)),
    ...[5, 6, 7].map((nth) => day(nth, '12:00:00.000')),
  ])
  assert.equal((await call('GET', list)).body.total, 2)
  await service.drain()
  const told = receiver.received.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  assert.deepEqual(
    told.map(({ type, payload }) => [type, (payload as { event: { id: string } }).event.id]),
    [
      ['event.updated', series.id],
      ['event.created', begun.id],
    ],
  )
})

test('a rule without COUNT ends with UNTIL, and goes on as it was', async ({ desk }) => {
  const { split, starts } = await desk({ recurrence_rule: 'FREQ=DAILY;UNTIL=20260306' })
  const { body } = await split(day(4), { description: 'Other' })
  assert.deepEqual(
    [body.previous.recurrenceRule, body.series.recurrenceRule],
    ['FREQ=DAILY;UNTIL=20260304T095959Z', 'FREQ=DAILY;UNTIL=20260306'],
  )
  assert.deepEqual(
    await starts(),
    [2, 3, 4, 5, 6].map((nth) => day(nth)),
  )
})

test('what was cancelled, added and edited from there on goes along by the same shift', async ({ desk }) => {
  const { split, call, at, listed } = await desk({ recurrence_rdates: [day(2, '20:00:00.000'), day(20)] })
  await call('DELETE', at(day(3)))
  await call('DELETE', at(day(6)))
  await call('PATCH', at(day(4)), { title: 'Before' })
  await call('PATCH', at(day(7)), {
    title: 'After',
    start_time: day(7, '15:00:00.000'),
    end_time: day(7, '16:00:00.000'),
  })
  const { body } = await split(day(5), { start_time: day(5, '11:00:00.000'), end_time: day(5, '11:30:00.000') })
  assert.deepEqual(
    [body.previous.recurrenceExdates, body.series.recurrenceExdates],
    [[day(3)], [day(6, '11:00:00.000')]],
  )
  assert.deepEqual(
    [body.previous.recurrenceRdates, body.series.recurrenceRdates],
    [[day(2, '20:00:00.000')], [day(20, '11:00:00.000')]],
  )
  const brief = (await listed()).map((one: { startTime: string; title: string; originalStartTime: string }) =>
    [one.startTime, one.title, one.originalStartTime].join(' '),
  )
  assert.deepEqual(brief, [
    `${day(2)} Stand-up ${day(2)}`,
    `${day(2, '20:00:00.000')} Stand-up ${day(2, '20:00:00.000')}`,
    `${day(4)} Before ${day(4)}`,
    `${day(5, '11:00:00.000')} Stand-up ${day(5, '11:00:00.000')}`,
    `${day(7, '16:00:00.000')} After ${day(7, '11:00:00.000')}`,
    `${day(20, '11:00:00.000')} Stand-up ${day(20, '11:00:00.000')}`,
  ])
})

test('a split at a skipped time begins after the gap, and keeps the time of the rule', async ({ desk }) => {
  const { split, starts } = await desk({
    ...{ start_time: '2026-03-27T01:30:00Z', end_time: '2026-03-27T02:00:00Z' },
    ...{ recurrence_rule: 'FREQ=DAILY;COUNT=5', recurrence_timezone: 'Europe/Berlin' },
  })
  const all = await starts()
  const { body } = await split('2026-03-29T01:30:00Z', { title: 'Later' })
  assert.equal(body.series.startTime, '2026-03-29T01:30:00.000Z')
  assert.deepEqual(await starts(), all)
  assert.deepEqual(all.slice(2, 4), ['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z'])
})

test('of the first occurrence a split is an ordinary edit, and its ending is refused', async ({ desk }) => {
  const { split, series, call, at, starts } = await desk()
  const { body } = await split(day(2), { title: 'All' })
  assert.deepEqual([body.previous, body.series.id, body.series.title], [null, series.id, 'All'])
  const param = { param: 'occurrence_start' }
  assertRefused(await call('DELETE', at(day(2), '&scope=following')), 400, 'bad_request', param)
  const ended = await call('DELETE', at(day(4), '&scope=following'))
  assert.deepEqual([ended.status, ended.body.id, ended.body.recurrenceRule], [200, series.id, 'FREQ=DAILY;COUNT=2'])
  assert.deepEqual(await starts(), [day(2), day(3)])
  assertRefused(await split(day(4), { title: 'Gone' }), 400, 'bad_request', param)
})

test('the first occurrence must be active, as any other', async ({ desk }) => {
  const { split, call, at, starts } = await desk()
  await call('DELETE', at(day(2)))
  assertRefused(await split(day(2), { title: 'All' }), 400, 'bad_request', { param: 'occurrence_start' })
  assert.equal((await split(day(3), { title: 'Later' })).body.previous.recurrenceRule, 'FREQ=DAILY;COUNT=1')
  assert.equal((await starts()).length, 5)
})

test('without a rule what begins happens once, and is all that is left from there on', async ({
  service,
  desk,
  receiver,
}) => {
  const { split, call, at, starts, subscribe } = await desk()
  await subscribe('event.started')
  await call('PATCH', at(day(4)), { title: 'Own' })
  await call('PATCH', at(day(6)), { title: 'Own' })
  // The moment of the edited occurrence has come and was not told yet.
  await service.clock.set(new Date(day(4, '10:00:00.500')))
  const { body } = await split(day(4), { recurrence_rule: null })
  assert.deepEqual([body.series.recurrenceRule, body.series.startTime], [null, day(4)])
  assert.deepEqual(
    await starts(),
    [2, 3, 4].map((nth) => day(nth)),
  )
  await service.clock.set(new Date(day(9)))
  await service.drain()
  const told = receiver.received.map(({ payload }) => (payload as { start_time: string }).start_time)
  assert.deepEqual(
    told.sort(),
    [2, 3, 4].map((nth) => day(nth)),
  )
})

test('a split needs a place under the cap and one of the month’s events; refused, it does nothing', async ({
  service,
  desk,
}) => {
  const capped = await desk({}, { plan: 'custom', limits: { recurring_events: 1 } })
  assert.equal((await capped.split(day(5), { title: 'Later' })).status, 429)
  assert.equal((await capped.starts()).length, 6)
  const spent = await desk({}, { plan: 'custom', limits: { events: 2 } })
  assert.equal((await spent.split(day(5), { title: 'Later' })).status, 200)
  assert.equal((await spent.split(day(4), { title: 'Again' })).status, 429)
  const { body } = await service.call('GET', '/v1/usage', { key: spent.key })
  assert.equal(body.events.used, 2)
})

test('scope is following or nothing, and needs an occurrence', async ({ desk }) => {
  const { call, at, list, series } = await desk()
  const title = { title: 'Other' }
  const param = { param: 'scope' }
  assertRefused(await call('PATCH', at(day(4), '&scope=all'), title), 400, 'validation_error', param)
  assertRefused(await call('PATCH', `${list}/${series.id}?scope=following`, title), 400, 'validation_error', param)
  assertRefused(await call('DELETE', `${list}/${series.id}?scope=following`), 400, 'validation_error', param)
})

test('each moment is told once, by the one series or the other', async ({ service, desk, receiver }) => {
  const { split, subscribe, series } = await desk()
  await subscribe('event.started')
  // The moment of the occurrence has come and was not told yet.
  await service.clock.set(new Date(day(4, '10:00:00.500')))
  const { body } = await split(day(4), { title: 'Later' })
  await service.drain()
  await service.clock.set(new Date(day(9)))
  await service.drain()
  const told = receiver.received.map(({ payload }) => payload as { event_id: string; occurrence_start: string })
  const of = (id: string) =>
    told
      .filter(({ event_id }) => event_id === id)
      .map((one) => one.occurrence_start)
      .sort()
  assert.deepEqual(of(series.id), [day(2), day(3)])
  assert.deepEqual(
    of(body.series.id),
    [4, 5, 6, 7].map((nth) => day(nth)),
  )
})

test('a repeated split with one key is done once, and a dry run not at all', async ({ desk }) => {
  const { split, call, at, list } = await desk()
  const dry = await call('PATCH', at(day(4), '&scope=following&dry_run=true'), { title: 'Later' })
  assert.deepEqual(
    [dry.status, dry.body.effects.map(({ type }: { type: string }) => type), dry.body.spends],
    [200, ['event.updated', 'event.created'], { events: 1 }],
  )
  const headers = { 'idempotency-key': 'split-1' }
  const [one, two] = [
    await split(day(4), { title: 'Later' }, headers),
    await split(day(4), { title: 'Later' }, headers),
  ]
  assert.deepEqual([one.status, two.status, two.body], [200, 200, one.body])
  assert.equal((await call('GET', list)).body.total, 2)
})
