// How much each statement reads, whatever the planner believes: rows are counted, nothing is timed.
import assert from 'node:assert/strict'
import { type App, closeApp } from '../app.ts'
import { minuteMs } from '../shapes/durations.ts'
import { decodeId, type Uuid } from '../shapes/ids.ts'
import type { Sql } from '../stores/postgres.ts'
import { makeAgent, makeCalendar } from '../testing/factories.ts'
import { type TestService, testStart } from '../testing/harness.ts'
import { openSingleConnection, readOf } from '../testing/plans.ts'
import { perFile, serviceTest } from '../testing/test.ts'
import { vacuum } from '../testing/vacuum.ts'
import { nextDue } from '../timers/due.ts'
import { wholeSlice } from '../timers/timers.ts'
import { dueWithEvents } from './firingQueries.ts'
import { eventsById, eventsPage, eventsPerDay, eventTotal, firstCarriedIn, keptCounts, keysOf } from './listQueries.ts'
import { eventsByKey, overlappingHolds } from './queries.ts'
import { eventListQuery } from './schema.ts'
import { openTimeline, stretchOf } from './timeline.ts'

/** Events of the full calendar, one a minute. */
const spread = 50_000

/** In an order of their own; every tenth tentative, every tenth cancelled, three holds of which two lapsed, twenty imported. */
const fill = ({ app }: TestService, orgId: Uuid, calendarId: Uuid, count: number) => app.sql`
  insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, source, metadata,
    hold_expires_at, created_at, updated_at)
  select ${orgId}::uuid, gen_random_uuid(), ${calendarId}::uuid, '\\x00', at, at + interval '30 minutes',
    case when n <= 3 then 'hold' when n % 10 = 4 then 'tentative' when n % 10 = 5 then 'cancelled' else 'confirmed' end,
    case when n % ${count / 20} = 6 then 'external_ical' else 'internal' end, '{}',
    case when n <= 3 then ${testStart}::timestamptz + (n - 2) * interval '1 minute' end,
    ${testStart}, ${testStart}
  from (select n, ${testStart}::timestamptz + (n * 7919 % ${count}) * interval '1 minute' as at
        from generate_series(1, ${count}) n) spread`

const test = serviceTest().extend('world', perFile, async ({ service, organization }, { onCleanup }) => {
  const app = openSingleConnection(service)
  onCleanup(() => closeApp(app))
  const agent = await makeAgent(service, organization.key)
  const calendars = [
    await makeCalendar(service, organization.key, agent.id),
    await makeCalendar(service, organization.key, agent.id),
    await makeCalendar(service, organization.key, agent.id),
  ]
  const orgId = decodeId('org', organization.id)!
  const [full, ...others] = calendars.map(({ id }) => decodeId('cal', id)!) as [Uuid, ...Uuid[]]
  await fill(service, orgId, full, spread)
  for (const id of others) await fill(service, orgId, id, 2_000)
  await service.app.sql`
    insert into timers (org_id, subject_id, calendar_id, kind, due_at, generation)
    select org_id, id, calendar_id, 'event_start', start_time, 1
    from events where status = 'confirmed'`
  await vacuum(service.app.sql, 'events', 'timers', 'calendars')
  const scopeOf = (calendarIds: Uuid[]) => ({ orgId, calendarIds, now: testStart })
  return { app, orgId, full, others, scopeOf }
})

/** Rows that were read from a table, those thrown away included; and the indexes that they came from. */
async function readBy(app: App, query: PromiseLike<unknown>, mode: 'custom' | 'generic', table: string) {
  const { rows, indexRows, indexes } = await readOf(app, query, mode, table)
  return { rows: rows + indexRows, indexes }
}

const at = (minutes: number) => new Date(testStart.getTime() + minutes * minuteMs).toISOString()
const queryOf = (query: Record<string, string>) => eventListQuery.parse(query)

for (const mode of ['custom', 'generic'] as const) {
  test(`a page reads no more than a page of each status, whatever is asked for (${mode} plan)`, async ({
    world: { app, full, scopeOf },
  }) => {
    const table: Record<string, string>[] = [
      {},
      { limit: '200', offset: '300' },
      { start_after: at(25_000) },
      { start_before: at(25_000) },
      { start_after: at(25_000), start_before: at(30_000) },
      { start_after: at(49_990) },
      { status: 'confirmed' },
      { status: 'confirmed', start_after: at(25_000), start_before: at(30_000) },
      { status: 'tentative', start_after: at(25_000) },
      { status: 'cancelled' },
      { status: 'hold' },
      { source: 'internal' },
      { source: 'internal', status: 'tentative', start_after: at(25_000) },
    ]
    for (const asked of table) {
      const query = queryOf(asked)
      const { rows, indexes } = await readBy(app, eventsPage(app.sql, scopeOf([full]), query), mode, 'events')
      const message = `${JSON.stringify(asked)} read ${rows} rows by ${indexes}`
      assert.deepEqual(indexes, ['events_listed', 'events_pkey'], message)
      assert.ok(rows <= 4 * (query.limit + query.offset) + query.limit + 30, message)
    }
  })

  test(`a page of imported events reads imported events only (${mode} plan)`, async ({
    world: { app, full, scopeOf },
  }) => {
    for (const asked of [{}, { start_after: at(25_000) }, { status: 'confirmed' }] as Record<string, string>[]) {
      const query = queryOf({ ...asked, source: 'external_ical' })
      const page = await readBy(app, eventsPage(app.sql, scopeOf([full]), query), mode, 'events')
      const total = await readBy(app, eventTotal(app.sql, scopeOf([full]), query), mode, 'events')
      assert.deepEqual(page.indexes, ['events_imported', 'events_pkey'], JSON.stringify(asked))
      assert.deepEqual(total.indexes, ['events_imported'], JSON.stringify(asked))
      assert.ok(page.rows <= 2 * 20, `${JSON.stringify(asked)} read ${page.rows} rows`)
      assert.ok(total.rows <= 20, `${JSON.stringify(asked)} read ${total.rows} rows`)
    }
  })

  test(`a deep page takes starts and ids from the index, and whole rows only of what it shows (${mode} plan)`, async ({
    world: { app, full, scopeOf },
  }) => {
    const table: Record<string, string>[] = [
      {},
      { status: 'confirmed' },
      { start_after: at(10), start_before: at(49_990) },
    ]
    for (const asked of table) {
      const query = queryOf({ ...asked, limit: '200', offset: '30000' })
      const read = await readOf(app, eventsPage(app.sql, scopeOf([full]), query), mode, 'events')
      assert.ok(read.rows <= query.limit, `${JSON.stringify(asked)} read ${read.rows} whole rows\n${read.plan}`)
    }
  })

  test(`a page of a window reads a page of each status behind its cursor, and of what began before only what still lasts (${mode} plan)`, async ({
    world: { app, orgId, full, others, scopeOf },
  }) => {
    const [{ id }] = (await app.sql`select id from events where org_id = ${orgId} limit 1`) as [{ id: Uuid }]
    for (const minutes of [0, 25_000, 40_000]) {
      const window = { start_after: at(25_000), start_before: at(45_000), expand: 'true', limit: '100' }
      const after = { startTime: new Date(at(minutes)), id }
      const query = { ...queryOf(window), isActive: true, after }
      for (const calendars of [[full], [full, ...others]]) {
        const scope = scopeOf(calendars)
        const keys = await readBy(app, keysOf(app.sql, scope, query, { limit: 101, offset: 0 }), mode, 'events')
        assert.ok(keys.rows <= 3 * calendars.length * 101 + 30, `${minutes}: ${keys.rows} rows by ${keys.indexes}`)
        const carried = await readOf(
          app,
          firstCarriedIn(app.sql, scope, query, query.start_after!, 101),
          mode,
          'events',
        )
        // An event lasts half an hour, and one begins each minute on the full calendar.
        assert.ok(carried.rows <= 35 * calendars.length, `${minutes}: ${carried.rows} rows\n${carried.plan}`)
      }
    }
  })

  test(`an expanded page reads counts, places of its days and its own rows, however deep (${mode} plan)`, async ({
    world: { app, orgId, full, scopeOf },
  }) => {
    const window = { fromMs: testStart.getTime(), toMs: testStart.getTime() + spread * minuteMs }
    const query = queryOf({
      expand: 'true',
      start_after: at(0),
      start_before: at(spread),
      limit: '200',
      offset: '40000',
    })
    const scope = scopeOf([full])
    const counts = eventsPerDay(app.sql, scope, query)
    const counted = await readOf(app, counts, mode, 'events')
    assert.equal(counted.rows, 0, counted.plan)
    const stretch = stretchOf(await openTimeline(window, await eventsPerDay(app.sql, scope, query), []), query)!
    const [from, to] = [new Date(stretch.days.fromMs), new Date(stretch.days.toMs)]
    const days = { ...query, start_after: from, start_before: to }
    const places = await readOf(app, keysOf(app.sql, scope, days, stretch.stored), mode, 'events')
    assert.equal(places.rows, 0, places.plan)
    // A day has 1,440 events, and the page lies on one or two.
    assert.ok(places.indexRows <= 2 * 1_440, `${places.indexRows} rows of the index\n${places.plan}`)
    const found = await keysOf(app.sql, scope, days, stretch.stored)
    assert.equal(found.length, query.limit)
    const ids = found.map(({ id }) => id)
    const shown = await readOf(app, eventsById(app.sql, orgId, ids), mode, 'events')
    assert.ok(shown.rows <= query.limit, `${shown.rows} rows\n${shown.plan}`)
  })

  test(`an agent's page reads a page of each status of each calendar (${mode} plan)`, async ({
    world: { app, full, others, scopeOf },
  }) => {
    for (const asked of [{}, { start_after: at(500), start_before: at(1_500) }] as Record<string, string>[]) {
      const query = queryOf(asked)
      const { rows, indexes } = await readBy(
        app,
        eventsPage(app.sql, scopeOf([full, ...others]), query),
        mode,
        'events',
      )
      assert.deepEqual(indexes, ['events_listed', 'events_pkey'])
      assert.ok(rows <= (3 * 4 + 1) * query.limit, `${JSON.stringify(asked)} read ${rows} rows`)
    }
  })

  test(`a total without a window reads lapsed holds and imported events, with one what lies in it (${mode} plan)`, async ({
    world: { app, full, scopeOf },
  }) => {
    for (const asked of [{}, { status: 'confirmed' }, { source: 'internal' }] as Record<string, string>[]) {
      const { rows } = await readBy(app, keptCounts(app.sql, scopeOf([full]), queryOf(asked)), mode, 'events')
      assert.ok(rows <= 30, `${JSON.stringify(asked)} read ${rows} rows`)
    }
    const window = { start_after: at(25_000), start_before: at(25_500) }
    for (const asked of [window, { ...window, status: 'confirmed' }, { ...window, status: 'cancelled' }]) {
      const { rows } = await readBy(app, eventTotal(app.sql, scopeOf([full]), queryOf(asked)), mode, 'events')
      assert.ok(rows <= 510, `${JSON.stringify(asked)} read ${rows} rows`)
    }
  })

  test(`the holds in the way are found among the few that live (${mode} plan)`, async ({
    world: { app, orgId, full },
  }) => {
    const [start, end] = [new Date(at(0)), new Date(at(spread))]
    const { rows, indexes } = await readBy(
      app,
      overlappingHolds(app.sql, orgId, full, start, end, testStart),
      mode,
      'events',
    )
    assert.deepEqual(indexes, ['events_live_holds'])
    assert.ok(rows <= 3, `read ${rows} rows`)
  })

  test(`due timers are read off their index, block by block (${mode} plan)`, async ({ service, world: { app } }) => {
    await service.clock.set(new Date(testStart.getTime() + 15_000 * minuteMs))
    const due = await readBy(
      app,
      dueWithEvents(app, { slice: wholeSlice, max: 500, left: [], passedOver: [] }),
      mode,
      'timers',
    )
    assert.deepEqual(due.indexes, ['timers_due_at'])
    assert.ok(due.rows <= 500, `read ${due.rows} rows by ${due.indexes}`)
    const until = new Date(service.clock.now().getTime() + 1_000)
    const next = await readBy(app, nextDue(app, until), mode, 'timers')
    assert.ok(next.rows <= 1, `read ${next.rows} rows by ${next.indexes}`)
    await service.clock.set(testStart)
  })
}

/** `organizations` others with a calendar of one event each; and a large one: its events, of which each is on a calendar of its own. */
async function skew({ app }: TestService, { others, calendars }: { others: number; calendars: number }) {
  const [row] = await app.sql<{ orgId: Uuid }[]>`select gen_random_uuid() as org_id`
  const { orgId } = row!
  await app.sql`
    insert into calendars (org_id, id, name, timezone, metadata, feed_token_hash, feed_token_sealed, created_at, updated_at)
    select case when n > ${others} then ${orgId} else gen_random_uuid() end, gen_random_uuid(), 'Calendar', 'UTC', '{}',
      sha256(gen_random_uuid()::text::bytea), '\\x00', ${testStart}, ${testStart}
    from generate_series(1, ${others + calendars}) n`
  const events = await app.sql<{ orgId: Uuid; id: Uuid }[]>`
    insert into events (org_id, id, calendar_id, title_sealed, start_time, end_time, status, metadata, created_at, updated_at)
    select org_id, gen_random_uuid(), id, '\\x00', ${testStart}, ${testStart}::timestamptz + interval '1 hour', 'confirmed', '{}',
      ${testStart}, ${testStart}
    from calendars
    where feed_token_sealed = '\\x00'
    returning org_id, id`
  return events.filter((event) => event.orgId === orgId).map(({ id }) => ({ orgId, id, calendarId: null }))
}

/** Postgres then knows as little of the tables as if they were new. */
async function forget(sql: Sql, ...tables: string[]) {
  await sql`select pg_clear_relation_stats('public', name) from unnest(${tables}::text[]) name`
  await sql`
    select pg_clear_attribute_stats('public', tablename, attname, false)
    from pg_stats where schemaname = 'public' and tablename = any (${tables}::text[])`
}

const alone = serviceTest().extend('single', async ({ service }, { onCleanup }) => {
  const single = openSingleConnection(service)
  onCleanup(() => closeApp(single))
  return single
})

for (const [name, others, isKnown] of [
  ['of a large organization beside many small ones', 20_000, true],
  ['before Postgres knows its tables', 0, false],
] as const) {
  for (const mode of ['custom', 'generic'] as const) {
    alone(`events are read by their keys alone ${name} (${mode} plan)`, async ({ service, single }) => {
      const keys = await skew(service, { others, calendars: 400 })
      await (isKnown ? vacuum : forget)(service.app.sql, 'events', 'calendars')
      const some = keys.slice(0, 20)
      assert.deepEqual(
        new Set((await eventsByKey(single.sql, some)).map(({ id }) => id)),
        new Set(some.map(({ id }) => id)),
      )
      for (const table of ['events', 'calendars']) {
        const { rows, indexRows, plan } = await readOf(single, eventsByKey(single.sql, some), mode, table)
        assert.ok(rows + indexRows <= 20, `${table}: ${rows + indexRows} rows\n${plan}`)
      }
    })
  }
}
