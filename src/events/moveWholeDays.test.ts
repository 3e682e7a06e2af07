// How much a change of the zone reads, whatever the planner believes: rows are counted, nothing is timed.
import assert from 'node:assert/strict'
import { closeApp } from '../app.ts'
import { calendarById } from '../calendars/queries.ts'
import { decodeId } from '../shapes/ids.ts'
import { makeCalendar } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { movedWholeDays } from './moveWholeDays.ts'
import { wholeDaysOf } from './queries.ts'

const [days, others] = [500, 10_000]

const test = serviceTest().extend('world', perFile, async ({ service, organization }, { onCleanup }) => {
  const app = openSingleConnection(service)
  onCleanup(() => closeApp(app))
  const { sql } = service.app
  const orgId = decodeId('org', organization.id)!
  const [calendar, neighbour] = [
    await makeCalendar(service, organization.key),
    await makeCalendar(service, organization.key),
  ]
  const [id, neighbourId] = [decodeId('cal', calendar.id)!, decodeId('cal', neighbour.id)!]
  const fill = (calendarId: string, from: number, count: number, allDay: boolean) => sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, all_day, status, metadata, created_at, updated_at)
    select ${orgId}::uuid, gen_random_uuid(), ${calendarId}::uuid, '\\x00',
      day, day + interval '1 day', ${allDay}, 'confirmed', '{}', ${testStart}, ${testStart}
    from (select date_trunc('day', ${testStart}::timestamptz, 'UTC') + n * interval '1 day' as day
          from generate_series(${from}::integer, ${from + count}::integer) n) spread`
  await fill(id, 2, days - 1, true)
  await fill(id, -others / 2, others, false)
  await fill(neighbourId, 2, others, true)
  await sql`
    insert into timers (org_id, subject_id, calendar_id, kind, due_at, generation)
    select org_id, id, calendar_id, 'event_start', start_time, 1 from events where start_time > ${testStart}`
  await vacuum(sql, 'events', 'timers', 'calendars')
  return { app, orgId, id }
})

for (const mode of ['custom', 'generic'] as const) {
  test(`the whole days of the calendar are read and moved, whatever else there is (${mode} plan)`, async ({
    world: { app, orgId, id },
  }) => {
    const { sql } = app
    const found = await readOf(app, wholeDaysOf(sql, { orgId, id }, 10_001), mode, 'events')
    assert.ok(found.rows + found.indexRows <= days, `${found.rows} rows\n${found.plan}`)
    const [before] = await calendarById(sql, orgId, id)
    const { effects, set } = (await movedWholeDays(app, before!, { ...before!, timezone: 'Europe/Berlin' }))!
    assert.equal(set.length, 2)
    const [events, listed, ...timers] = effects
    for (const { name, body } of [events!, ...timers]) {
      const query = sql`with guard as (select 7::bigint as revision), ${listed!} as (${listed!.body}) ${body}`
      const ofEvents = await readOf(app, query, mode, 'events')
      const ofTimers = await readOf(app, query, mode, 'timers')
      assert.ok(ofEvents.rows <= 2 * days, `${name}: ${ofEvents.rows} events\n${ofEvents.plan}`)
      assert.ok(ofTimers.rows <= 6 * days, `${name}: ${ofTimers.rows} timers\n${ofTimers.plan}`)
    }
    const moved = await sql`
      select from timers t join events e on e.org_id = t.org_id and e.id = t.subject_id and e.start_time = t.due_at
      where t.calendar_id = ${id} and e.all_day and t.kind = 'event_start' and t.generation >= 7`
    assert.equal(moved.length, days)
  })
}
