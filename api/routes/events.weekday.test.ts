import assert from 'node:assert/strict'
import { asRead } from '../../src/testing/eventRecord.ts'
import { localTest } from '../../src/testing/localView.ts'
import { assertRefused } from '../../src/testing/refused.ts'

const test = localTest()

const wrong = (weekday: string, suggestions: string[]) => ({
  body: { weekday },
  refusal: { param: 'weekday', code: 'weekday_mismatch', suggestions },
})

test('a weekday that the start has is accepted, in any spelling, and is not stored', async ({ desk, call, key }) => {
  const plain = await desk.make()
  for (const weekday of ['tuesday', 'Tuesday', 'TUE', 'tue']) {
    const { status, body } = asRead(await call('POST', desk.pathOf(), { key, body: desk.body({ weekday }) }))
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), Object.keys(plain))
    assert.deepEqual(await desk.get(desk.pathOf(body.id)), body)
  }
  const hold = await call('POST', desk.pathOf(), { key, body: { ...desk.holdBody(), weekday: 'mon' } })
  assert.equal(hold.status, 201, JSON.stringify(hold.body))
  const series = desk.body({ weekday: 'tue', recurrence_rule: 'FREQ=DAILY;COUNT=3' })
  assert.equal((await call('POST', desk.pathOf(), { key, body: series })).status, 201)
})

test('a wrong weekday is refused with the right one and the nearest starts on the one that was sent', async ({
  desk,
  call,
  key,
}) => {
  const { id } = await desk.calendar()
  const path = desk.pathOf(undefined, id)
  const cases: [more: object, suggestions: string[]][] = [
    [
      { weekday: 'wednesday' },
      ['tuesday', '2026-12-02T10:00:00+01:00[Europe/Berlin]', '2026-11-25T10:00:00+01:00[Europe/Berlin]'],
    ],
    // In New York the start lies on another day. The zone of the start counts before that of the calendar.
    [
      { start_time: '2026-11-30T23:30[America/New_York]', end_time: '2026-12-01T23:30:00Z', weekday: 'tue' },
      ['monday', '2026-12-01T23:30:00-05:00[America/New_York]', '2026-11-24T23:30:00-05:00[America/New_York]'],
    ],
    [
      { start_time: '2026-12-01T23:30:00Z', end_time: '2026-12-02T00:30:00Z', weekday: 'tue' },
      ['wednesday', '2026-12-01T00:30:00+01:00[Europe/Berlin]', '2026-12-08T00:30:00+01:00[Europe/Berlin]'],
    ],
  ]
  for (const [more, suggestions] of cases) {
    for (const kind of [{}, { recurrence_rule: 'FREQ=DAILY;COUNT=3' }]) {
      const body = desk.body({ ...more, ...kind })
      const refused = await call('POST', path, { key, body })
      assertRefused(refused, 400, 'validation_error', { param: 'weekday', code: 'weekday_mismatch', suggestions })
      for (const start of suggestions.slice(1)) {
        const again = { ...body, start_time: start, end_time: '2026-12-30T00:00:00Z' }
        assert.equal((await call('POST', `${desk.pathOf()}`, { key, body: again })).status, 201, start)
      }
    }
  }
  assert.equal((await desk.get(path)).total, 0)
})

test('in a change it is held against the new start, or the stored one', async ({ desk, call, key }) => {
  const event = await desk.make()
  const stored = ['2026-12-02T10:00:00+01:00[Europe/Berlin]', '2026-11-25T10:00:00+01:00[Europe/Berlin]']
  for (const path of [desk.pathOf(event.id), `/v1/events/${event.id}`]) {
    const change = (body: object) => call('PATCH', path, { key, body })
    const { body, refusal } = wrong('wed', ['tuesday', ...stored])
    assertRefused(await change(body), 400, 'validation_error', refusal)
    assertRefused(await change({ ...body, title: 'Renamed' }), 400, 'validation_error', refusal)
    const moved = { start_time: '2026-12-02T09:00:00Z', end_time: '2026-12-02T09:30:00Z' }
    const onTuesday = await change({ ...moved, weekday: 'tue' })
    assert.equal(onTuesday.body.error.code, 'weekday_mismatch')
    assert.equal(onTuesday.body.error.suggestions[0], 'wednesday')
    assert.deepEqual(await desk.get(path), event)
  }
  const renamed = await call('PATCH', desk.pathOf(event.id), { key, body: { title: 'Renamed', weekday: 'tue' } })
  assert.deepEqual([renamed.status, renamed.body.title], [200, 'Renamed'])
  const checked = await call('PATCH', desk.pathOf(event.id), { key, body: { weekday: 'tue' } })
  assert.deepEqual(checked.body, { ...renamed.body, updatedAt: checked.body.updatedAt })
  const moved = { start_time: '2026-12-02T01:00[Asia/Tokyo]', end_time: '2026-12-02T09:30:00Z' }
  const inTokyo = await call('PATCH', desk.pathOf(event.id), { key, body: { ...moved, weekday: 'wednesday' } })
  assert.equal(inTokyo.status, 200)
})

test('what is no weekday is refused, and the calendar must exist', async ({ desk, call, key }) => {
  for (const weekday of ['', 'tues', 'dienstag', 2, null, ['tue']]) {
    const refused = await call('POST', desk.pathOf(), { key, body: desk.body({ weekday }) })
    assertRefused(refused, 400, 'validation_error', { param: 'weekday' })
  }
  const unknown = desk.pathOf(undefined, 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd')
  const missing = await call('POST', unknown, { key, body: desk.body({ weekday: 'wed' }) })
  assertRefused(missing, 404, 'not_found', { code: 'calendar_not_found' })
})
