// Copies of all-day events whose calendar gets another zone: they stay on their dates, too.
import assert from 'node:assert/strict'
import { publishingTest } from '../testing/publishing.ts'

const test = publishingTest()

const datesOf = (objects: Map<string, string>) =>
  [...objects.values()].map((text) => text.match(/^DT(?:START|END)\S+(?=\r)/gm)!.join(' ')).sort()

test('copies of all-day events keep their dates in another zone of their calendar', async ({
  caldav,
  desk,
  events,
}) => {
  await desk.published()
  const day = (from: string, to: string, more: object = {}) =>
    events.create({
      all_day: true,
      start_time: `${from}T00:00[Europe/Berlin]`,
      end_time: `${to}T00:00[Europe/Berlin]`,
      ...more,
    })
  const one = await day('2026-03-10', '2026-03-11')
  await day('2026-03-28', '2026-03-31')
  await day('2026-03-04', '2026-03-05', { recurrence_rule: 'FREQ=DAILY;INTERVAL=4;COUNT=5' })
  await desk.drain()
  const before = datesOf(caldav.objects('personal'))
  assert.ok(before.includes('DTSTART;VALUE=DATE:20260310 DTEND;VALUE=DATE:20260311'), before.join())
  for (const timezone of ['America/New_York', 'Pacific/Auckland']) {
    assert.equal((await events.ask('PATCH', `/v1/calendars/${desk.calendar.id}`, { timezone })).status, 200)
    await desk.drain()
    assert.deepEqual(datesOf(caldav.objects('personal')), before, timezone)
  }
  // A later change of the event writes its copy on the same date.
  await events.change(one.id, { title: 'Renamed' })
  await desk.drain()
  assert.deepEqual(datesOf(caldav.objects('personal')), before)
})
