// The reads and moves of a change of the default reminders in a full database: rows are counted, nothing is timed.
import assert from 'node:assert/strict'
import { closeApp } from '../app.ts'
import { calendarById } from '../calendars/queries.ts'
import { decodeId } from '../shapes/ids.ts'
import { ahead, makeAgent, makeCalendar, makeEvent } from '../testing/factories.ts'
import { testStart } from '../testing/harness.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { inheritedReminders } from './reminders.ts'

/** Past ones of the calendar, and coming ones of its neighbour, each with a reminder. */
const others = 50_000
const coming = 20

const test = serviceTest().extend('world', perFile, async ({ service, organization }, { onCleanup }) => {
  const { id, key } = organization
  const app = openSingleConnection(service)
  onCleanup(() => closeApp(app))
  const agent = await makeAgent(service, key)
  const calendar = await makeCalendar(service, key, agent.id)
  const neighbour = await makeCalendar(service, key, agent.id)
  const orgId = decodeId('org', id)!
  const calendarId = decodeId('cal', calendar.id)!
  for (let nth = 1; nth <= coming; nth++) {
    const times = { start_time: ahead(service, nth * 60), end_time: ahead(service, nth * 60 + 30) }
    await makeEvent(service, key, calendar.id, times)
  }
  const neighbourId = decodeId('cal', neighbour.id)!
  const { sql } = service.app
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
    select ${orgId}::uuid, gen_random_uuid(), case when n < 0 then ${calendarId}::uuid else ${neighbourId}::uuid end, '\\x00',
      at, at + interval '5 minutes', 'confirmed', '{}', now(), now()
    from (select n, ${testStart}::timestamptz + (n * 10 + 5) * interval '1 minute' as at
          from generate_series(${-others}::integer, ${others}) n) spread`
  await sql`
    insert into timers (org_id, subject_id, calendar_id, kind, offset_minutes, due_at, generation)
    select org_id, id, calendar_id, 'event_reminder', 10, start_time, 1 from events where calendar_id = ${neighbourId}`
  await vacuum(sql, 'events', 'timers', 'calendars')
  return { app, orgId, calendarId }
})

for (const mode of ['custom', 'generic'] as const) {
  test(`the reminders of coming events are moved, whatever is past and whatever else waits (${mode} plan)`, async ({
    world: { app, orgId, calendarId },
  }) => {
    const { sql } = app
    const [calendar] = await calendarById(sql, orgId, calendarId)
    const { effects } = await inheritedReminders(app, { ...calendar!, defaultReminders: [30] })
    for (const { body } of effects) {
      const query = sql`with guard as (select 7::bigint as revision) ${body}`
      const events = await readOf(app, query, mode, 'events')
      const moved = await readOf(app, query, mode, 'timers')
      assert.ok(events.rows <= 2 * coming, `${events.rows} events\n${events.plan}`)
      assert.ok(moved.rows <= 5 * coming, `${moved.rows} timers\n${moved.plan}`)
    }
    assert.equal((await sql`select from timers where calendar_id = ${calendarId} and offset_minutes = 10`).length, 0)
    assert.equal(
      (await sql`select from timers where calendar_id = ${calendarId} and offset_minutes = 30`).length,
      coming,
    )
  })
}
