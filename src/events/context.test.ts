// The reads of a snapshot and an expanded list in a full calendar: rows and pages are counted, nothing is timed.
import assert from 'node:assert/strict'
import { closeApp } from '../app.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeCalendar, makeEvent } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { endedAfter, eventsAfter, eventsAround, lastStartedAndEnded, seriesAround } from './contextQueries.ts'
import { activeSeriesCount } from './counts.ts'
import { listedSeries } from './listQueries.ts'
import { inheritingSeries } from './queries.ts'
import { eventListQuery } from './schema.ts'

const events = 100_000
const endedSeries = 2_000
const now = testStart

const test = serviceTest().extend('world', perFile, async ({ service, organization }, { onCleanup }) => {
  const { id, key } = organization
  const app = openSingleConnection(service)
  onCleanup(() => closeApp(app))
  const calendar = await makeCalendar(service, key)
  const placed = { orgId: decodeId('org', id)!, calendarId: decodeId('cal', calendar.id)!, now }
  // One every ten minutes, a year back and a year ahead, five minutes each; nothing is on at this moment.
  await service.app.sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
    select ${placed.orgId}::uuid, gen_random_uuid(), ${placed.calendarId}::uuid, '\\x00', at, at + interval '5 minutes',
      case when n % 20 = 4 then 'tentative' when n % 20 = 5 then 'cancelled' else 'confirmed' end, '{}', ${now}, ${now}
    from (select n, ${now}::timestamptz + (n - ${events / 2}) * interval '10 minutes' + interval '1 minute' as at
          from generate_series(1, ${events}) n) spread`
  // Series that are over, one a day since long ago; and as many that were cancelled.
  await service.app.sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, recurrence_rule,
      series_last_start, created_at, updated_at)
    select ${placed.orgId}::uuid, gen_random_uuid(), ${placed.calendarId}::uuid, '\\x00', at, at + interval '5 minutes',
      case when n % 2 = 1 then 'cancelled' else 'confirmed' end, '{}', 'FREQ=DAILY;COUNT=2', at + interval '1 day', ${now}, ${now}
    from (select n, ${now}::timestamptz - n * interval '12 hours' as at from generate_series(1, ${endedSeries}) n) spread`
  for (let made = 0; made < 3; made++) {
    await makeEvent(service, key, calendar.id, { recurrence_rule: 'FREQ=DAILY' })
    const times = { start_time: '2025-01-01T00:00:00Z', end_time: `2026-06-0${made + 1}T00:00:00Z` }
    await makeEvent(service, key, calendar.id, times)
  }
  await vacuum(service.app.sql, 'events')
  return { app, placed }
})

for (const mode of ['custom', 'generic'] as const) {
  test(`what is on is found in the week before, from the index alone, and among the few longer events (${mode} plan)`, async ({
    world: { app, placed },
  }) => {
    const { rows, indexRows, pages, plan } = await readOf(app, eventsAround(app.sql, placed, 1), mode, 'events')
    assert.ok(rows <= 10, `${rows} rows\n${plan}`)
    // A week of it, at one event every ten minutes.
    assert.ok(indexRows <= 1_100, `${indexRows} rows of the index\n${plan}`)
    assert.ok(pages <= 60, `${pages} pages\n${plan}`)
  })

  test(`what ended last is found in the same way (${mode} plan)`, async ({ world: { app, placed } }) => {
    const since = new Date(now.getTime() - 3_600_000)
    const { rows, indexRows, pages, plan } = await readOf(app, endedAfter(app.sql, placed, since, 3), mode, 'events')
    assert.ok(rows <= 20, `${rows} rows\n${plan}`)
    assert.ok(indexRows <= 1_100, `${indexRows} rows of the index\n${plan}`)
    assert.ok(pages <= 80, `${pages} pages\n${plan}`)
  })

  test(`what comes next and what started last are the next rows of the index (${mode} plan)`, async ({
    world: { app, placed },
  }) => {
    for (const query of [eventsAfter(app.sql, placed, 5), lastStartedAndEnded(app.sql, placed, 3)]) {
      const { rows, pages, plan } = await readOf(app, query, mode, 'events')
      assert.ok(rows <= 25, `${rows} rows\n${plan}`)
      assert.ok(pages <= 60, `${pages} pages\n${plan}`)
    }
  })

  test(`the series of a calendar, and the active ones of an organization, are found by themselves (${mode} plan)`, async ({
    world: { app, placed },
  }) => {
    const { sql } = app
    const window = { start_after: '2026-03-01T00:00:00Z', start_before: '2026-04-01T00:00:00Z' }
    const query = eventListQuery.parse({ expand: 'true', ...window })
    const scope = { orgId: placed.orgId, calendarIds: [placed.calendarId], now }
    // Three that go on, one whose last occurrence is on, and what ended last or in the window.
    const reads = [
      { read: seriesAround(sql, placed, 3), max: 3 + 1 + 3 },
      { read: listedSeries(sql, scope, query), max: 3 + 1 + 5 },
      { read: sql`select (${activeSeriesCount(sql, placed.orgId, now)}) as used`, max: 3 },
      { read: inheritingSeries(sql, { orgId: placed.orgId, id: placed.calendarId }, now), max: 3 + 1 },
    ]
    for (const { read, max } of reads) {
      const { rows, pages, plan } = await readOf(app, read, mode, 'events')
      assert.ok(rows <= max, `${rows} rows\n${plan}`)
      assert.ok(pages <= 20, `${pages} pages\n${plan}`)
    }
  })
}
