// Rules about single days, as guests of a booking page meet them.
import assert from 'node:assert/strict'
import { makeEvent } from '../../src/testing/factories.ts'
import { bookSlot, guestEnv, makePage, newAddress, startsOf, type TestPage } from '../../src/testing/guests.ts'
import { assertRefused } from '../../src/testing/refused.ts'
import { serviceTest } from '../../src/testing/test.ts'

const test = serviceTest({ env: guestEnv }).extend('page', async ({ service, call }) => {
  const made: TestPage = await makePage(service, { duration_minutes: 30, timezone: 'UTC' })
  const { key, calendar, page } = made
  const put = async (body: object) => {
    const { status } = await call('PUT', `/v1/calendars/${calendar.id}/availability-rules`, { key, body })
    assert.equal(status, 200)
  }
  const tuesday = 'from=2026-03-03T00:00:00Z&to=2026-03-04T00:00:00Z'
  const times = async (slug = page.slug) =>
    (await startsOf(service, slug, `?${tuesday}`)).map((start) => start.slice(11, 16))
  const explained = async () => {
    const headers = { 'x-forwarded-for': newAddress() }
    const { body } = await call('GET', `/book/${page.slug}/slots?${tuesday}&explain=true`, { headers })
    return body
  }
  const book = (time: string) => bookSlot(service, page.slug, `2026-03-03T${time}:00.000Z`)
  return { ...made, put, times, explained, book }
})

test('slots of a date count from its stretches, within the hours of the page', async ({ call, page }) => {
  await page.put({
    timezone: 'UTC',
    dates: [
      {
        from: '2026-03-03',
        hours: [
          { start: '10:15', end: '11:20' },
          { start: '13:05', end: '13:35' },
        ],
      },
    ],
  })
  assert.deepEqual(await page.times(), ['10:15', '10:45', '13:05'])
  const { body: narrow } = await call('POST', '/v1/booking-pages', {
    key: page.key,
    body: {
      ...{ calendar_id: page.calendar.id, title: 'Narrow', duration_minutes: 30, timezone: 'UTC' },
      availability_constraints: { tue: { start: '10:30', end: '13:30' } },
    },
  })
  assert.deepEqual(await page.times(narrow.slug), ['10:45'])
  assertRefused(await page.book('10:30'), 400, 'validation_error', { param: 'start' })
  assert.equal((await page.book('10:45')).status, 201)
  const kinds = (await page.explained()).blocked.flatMap(({ by }: { by: object[] }) => by)
  assert.deepEqual(
    new Set(kinds.map((one: object) => JSON.stringify(one))),
    new Set([JSON.stringify({ kind: 'closed_date', date: '2026-03-03' }), JSON.stringify({ kind: 'busy' })]),
  )
})

test('a full day has no slots, and its guests see only that it is busy', async ({ service, page }) => {
  await page.put({
    timezone: 'UTC',
    max_meetings_per_day: 2,
    time_off: [{ start: '2026-03-03T00:00:00Z', end: '2026-03-03T08:00:00Z' }],
  })
  assert.equal((await page.times())[0], '08:00')
  await makeEvent(service, page.key, page.calendar.id, {
    start_time: '2026-03-03T08:00:00Z',
    end_time: '2026-03-03T09:00:00Z',
  })
  assert.equal((await page.book('10:00')).status, 201)
  assert.deepEqual(await page.times(), [])
  const { blocked, empty_reason } = await page.explained()
  assert.deepEqual(
    blocked.map(({ by }: { by: object[] }) => by),
    [[{ kind: 'busy' }]],
  )
  assert.equal(empty_reason, 'all_blocked')
  assertRefused(await page.book('12:00'), 409, 'conflict', { param: 'start' })
})

test('a slot that takes more minutes than the day has left is not offered and cannot be booked', async ({ page }) => {
  await page.put({ timezone: 'UTC', max_busy_minutes_per_day: 75 })
  for (const time of ['10:00', '12:00']) assert.equal((await page.book(time)).status, 201)
  assert.deepEqual(await page.times(), [])
  assert.equal((await page.explained()).empty_reason, 'daily_limit')
  assertRefused(await page.book('14:00'), 409, 'conflict', { param: 'start' })
})
