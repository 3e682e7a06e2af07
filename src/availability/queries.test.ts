// What a question about free time reads of full calendars: rows are counted, nothing is timed.
import assert from 'node:assert/strict'
import { closeApp } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { makeAgent, makeCalendar, makeEvent } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { calendarTimes } from './queries.ts'

/** One event every ten minutes, half a year back and half a year ahead, on each of two calendars. */
const eventsEach = 50_000
/** Of each calendar: events of ten days, one a day, series that are over, and holds that lapsed. */
const longOnes = 300
const endedSeries = 300
const lapsedHolds = 20

const test = serviceTest().extend('world', perFile, async ({ service, organization }, { onCleanup }) => {
  const { id, key } = organization
  const app = openSingleConnection(service)
  onCleanup(() => closeApp(app))
  const agent = await makeAgent(service, key)
  const orgId = decodeId('org', id)!
  for (let made = 0; made < 2; made++) await fill(service, key, orgId, (await makeCalendar(service, key, agent.id)).id)
  await vacuum(service.app.sql, 'events', 'calendars')
  return { app, orgId, agentId: decodeId('agt', agent.id)! }
})

async function fill(service: TestService, key: string, orgId: Uuid, calendar: string) {
  await makeEvent(service, key, calendar, { recurrence_rule: 'FREQ=DAILY' })
  const calendarId = decodeId('cal', calendar)!
  const { sql } = service.app
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
    select ${orgId}::uuid, gen_random_uuid(), ${calendarId}::uuid, '\\x00', at, at + interval '5 minutes',
      case when n % 20 = 4 then 'tentative' when n % 20 = 5 then 'cancelled' else 'confirmed' end, '{}', now(), now()
    from (select n, ${testStart}::timestamptz + (n - ${eventsEach / 2}) * interval '10 minutes' as at
          from generate_series(1, ${eventsEach}) n) spread`
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
    select ${orgId}::uuid, gen_random_uuid(), ${calendarId}::uuid, '\\x00', at, at + interval '10 days', 'confirmed', '{}',
      now(), now()
    from (select ${testStart}::timestamptz - n * interval '1 day' as at from generate_series(1, ${longOnes}) n) spread`
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, recurrence_rule,
      series_last_start, created_at, updated_at)
    select ${orgId}::uuid, gen_random_uuid(), ${calendarId}::uuid, '\\x00', at, at + interval '5 minutes', 'confirmed', '{}',
      'FREQ=DAILY;COUNT=2', at + interval '1 day', now(), now()
    from (select ${testStart}::timestamptz - n * interval '1 day' as at from generate_series(1, ${endedSeries}) n) spread`
  await sql`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, hold_expires_at,
      created_at, updated_at)
    select ${orgId}::uuid, gen_random_uuid(), ${calendarId}::uuid, '\\x00', at, at + interval '1 hour', 'hold', '{}',
      ${testStart}, now(), now()
    from (select ${testStart}::timestamptz + n * interval '1 hour' as at from generate_series(1, ${lapsedHolds}) n) spread`
}

for (const mode of ['custom', 'generic'] as const) {
  test(`a question reads the events of its window and of the week before, and long ones not over (${mode} plan)`, async ({
    world: { app, orgId, agentId },
  }) => {
    const scope = { kind: 'agents' as const, orgId, agentIds: [agentId] }
    const window = { fromMs: testStart.getTime(), toMs: testStart.getTime() + dayMs }
    const read = await readOf(app, calendarTimes(app.sql, scope, window, testStart, { kind: 'times' }), mode, 'events')
    // Eight days of an event every ten minutes, and what began in the week of the long ones and the series.
    assert.ok(read.indexRows <= 2 * (8 * 144 + 20), `${read.indexRows} rows of the index\n${read.plan}`)
    // Ten long ones are not over, and there is one series.
    assert.ok(read.rows <= 2 * (lapsedHolds + 10 + 1), `${read.rows} rows\n${read.plan}`)
  })
}
