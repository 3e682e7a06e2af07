// The reads of a question about free time in full calendars: rows are counted, nothing is timed.
import assert from 'node:assert/strict'
import { type App, closeApp } from '../app.ts'
import { dayMs } from '../shapes/durations.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import { makeAgent, makeCalendar, makeEvent } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { calendarTimes, namedTimes, namedTimesTogether, type Question } from './queries.ts'
import { readNamedTogether } from './readTimes.ts'

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
  const calendars = await service.app.sql<
    { id: Uuid }[]
  >`select id from calendars where org_id = ${orgId} and agent_id is not null`
  return { app, orgId, agentId: decodeId('agt', agent.id)!, calendarIds: calendars.map((row) => row.id) }
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

const hourMs = dayMs / 24

/** Of different calendars, windows and moments, and past different events; the last one is about a calendar that is gone. */
async function questionsOf({ app, orgId, calendarIds }: { app: App; orgId: Uuid; calendarIds: readonly Uuid[] }) {
  const at = (hours: number) => new Date(testStart.getTime() + hours * hourMs)
  const window = (hours: number, length: number) => ({
    fromMs: at(hours).getTime(),
    toMs: at(hours + length).getTime(),
  })
  const [first, second] = calendarIds as [Uuid, Uuid]
  const [event] = await app.sql<{ id: Uuid }[]>`
    select id from events
    where org_id = ${orgId} and calendar_id = ${first} and status = 'confirmed' and recurrence_rule is null and start_time >= ${at(1)}
    order by start_time limit 1`
  return [
    { calendarId: first, window: window(0, 1), now: at(0), omitted: {} },
    { calendarId: second, window: window(0, 3), now: at(-1), omitted: {} },
    { calendarId: second, window: window(0, 3), now: at(-1), omitted: { holdsBelow: 1 } },
    { calendarId: first, window: window(1, 2), now: at(1), omitted: { eventId: event!.id } },
    { calendarId: orgId, window: window(0, 1), now: at(0), omitted: {} },
  ] satisfies Question[]
}

test('questions that are asked together get what each gets alone', async ({ world }) => {
  const { app, orgId } = world
  const questions = await questionsOf(world)
  const alone = await Promise.all(
    questions.map(({ calendarId, window, now, omitted }) =>
      namedTimes(app.sql, { kind: 'calendar', orgId, calendarId }, window, now, omitted, { kind: 'none' }),
    ),
  )
  const together = await namedTimesTogether(app.sql, orgId, questions)
  assert.deepEqual(
    questions.map((_, nth) => together.filter((row) => row.nth === nth).map(({ nth: _, ...row }) => row)),
    alone.map((rows) => [...rows]),
  )
  const holds = (nth: number) =>
    together.find((row) => row.nth === nth)!.apartNames!.filter(({ status }) => status === 'hold')
  assert.deepEqual([holds(0).length, holds(1).length > 0, holds(2).length], [0, true, 0])
  assert.deepEqual(
    alone.map(({ length }) => length),
    [1, 1, 1, 1, 0],
  )
})

for (const mode of ['custom', 'generic'] as const) {
  test(`questions that are asked together read no more than each alone (${mode} plan)`, async ({ world }) => {
    const { app, orgId } = world
    const questions = await questionsOf(world)
    let alone = 0
    for (const { calendarId, window, now, omitted } of questions) {
      const scope = { kind: 'calendar', orgId, calendarId } as const
      const read = await readOf(app, namedTimes(app.sql, scope, window, now, omitted, { kind: 'none' }), mode, 'events')
      alone += read.rows + read.indexRows
    }
    const read = await readOf(app, namedTimesTogether(app.sql, orgId, questions), mode, 'events')
    // Postgres says how many rows a loop reads on the average, in whole rows.
    const most = alone + 2 * questions.length
    assert.ok(
      read.rows + read.indexRows <= most,
      `${read.rows + read.indexRows} rows instead of ${alone}\n${read.plan}`,
    )
  })
}

test('each question of one moment gets its own answer, before and after its organization grants a calendar of a human', async ({
  world,
}) => {
  const { app, orgId } = world
  const questions = await questionsOf(world)
  const asked = [...questions, ...questions.toReversed(), ...questions]
  const alone = (kind: 'none' | 'times') =>
    Promise.all(
      asked.map(async ({ calendarId, window, now, omitted }) => {
        const [row] = await namedTimes(app.sql, { kind: 'calendar', orgId, calendarId }, window, now, omitted, { kind })
        return row
      }),
    )
  const together = async () =>
    (await Promise.all(asked.map((question) => readNamedTogether(app, orgId, question)))).map(withoutNumber)
  assert.deepEqual(await together(), await alone('none'))
  await app.sql`
    insert into availability_grants (org_id, id, audience, active, created_at)
    values (${orgId}, gen_random_uuid(), 'all_org_agents', true, now())`
  assert.deepEqual(await together(), await alone('times'))
  await app.sql`delete from availability_grants where org_id = ${orgId}`
})

const withoutNumber = (row: object | undefined) => {
  if (!row) return undefined
  const { nth: _, ...rest } = row as { nth?: number }
  return rest
}
