import assert from 'node:assert/strict'
import postgres from 'postgres'
import { directly, testStart } from '../../src/testing/harness.ts'
import { perFile, serviceTest } from '../../src/testing/test.ts'
import { made } from '../world/client.ts'
import { fillLarge, password } from './fill.ts'
import { sizesOf } from './shape.ts'

const agents = 200

const test = serviceTest().extend('filled', perFile, async ({ service }) => {
  const sql = postgres(directly(service.app.config.databaseUrl), { max: 2 })
  const printed: string[] = []
  const places = await fillLarge({
    ...{ app: service.app, sql, agents, placesPerKind: 3, nowMs: testStart.getTime() },
    ...{ receivers: ['http://127.0.0.1:9/hook'], print: (line) => printed.push(line) },
  })
  await sql.end()
  return { places, printed }
})

test('as many rows are filled as the sizes say, and each stage says how many', async ({ service, filled }) => {
  const { sql } = service.app
  const { entries, ...sizes } = sizesOf(agents)
  const tables = { ...sizes, webhook_deliveries: sizes.deliveries, changes: entries, deliveries: undefined }
  for (const [table, wanted] of Object.entries(tables)) {
    if (wanted === undefined) continue
    const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from ${sql(table)}`
    assert.equal(row!.count, wanted, table)
  }
  assert.ok(
    filled.printed.some((line) => line.startsWith('  events: 4,000 in ')),
    filled.printed.join('\n'),
  )
})

test('timers lie ahead, and each calendar counts its events', async ({ service, filled: _ }) => {
  const { sql } = service.app
  const [timers] = await sql`select count(*)::integer as due from timers where due_at <= ${testStart}`
  assert.equal(timers!.due, 0)
  const [wrong] = await sql`
    select count(*)::integer as calendars
    from calendars c
    where (confirmed_events, tentative_events, cancelled_events, revision) <> (
      select count(*) filter (where status = 'confirmed'), count(*) filter (where status = 'tentative'),
        count(*) filter (where status = 'cancelled'), count(*)
      from events e
      where e.org_id = c.org_id and e.calendar_id = c.id)`
  assert.equal(wrong!.calendars, 0)
})

test('the service answers about what was filled', async ({ service, filled }) => {
  const { call } = service
  const { places } = filled
  assert.equal(places.length, 6)
  for (const { key, email, calendarId, eventId, agentIds, token } of places) {
    const get = (path: string) => made(call('GET', path, { key }))
    const list = await get(`/v1/calendars/${calendarId}/events`)
    assert.equal(list.total, 15)
    const event = await get(`/v1/events/${eventId}`)
    assert.deepEqual([event.title, event.calendarId], ['Weekly review of the open questions', calendarId])
    const calendar = await get(`/v1/calendars/${calendarId}`)
    assert.equal(calendar.ical_url, `${service.baseUrl}/ical/${token}.ics`)
    assert.equal(calendar.agentId, agentIds[0])
    const feed = await made(call('GET', `/ical/${token}.ics`))
    assert.equal(feed.match(/BEGIN:VEVENT/g).length, 15)
    const day = 86_400_000
    const [start, end] = [testStart.getTime(), testStart.getTime() + day].map((ms) => new Date(ms).toISOString())
    const free = await get(`/v1/availability?start=${start}&end=${end}&agents=${agentIds.join(',')}`)
    assert.deepEqual(free.agents, agentIds)
    const { webhooks, data = webhooks } = await get('/v1/webhooks')
    const history = await get(`/v1/webhooks/${data[0].id}/deliveries`)
    assert.equal(history.total % 10, 0)
    const signedIn = await call('POST', '/v1/auth/signin', { body: { email, password } })
    assert.equal(signedIn.status, 200)
  }
})

test('what is sealed opens: the entries of the change feed too', async ({ service, filled }) => {
  const [place] = filled.places
  const { data } = await made(service.call('GET', '/v1/changes?cursor=oldest', { key: place!.key }))
  assert.equal(data[0].type, 'event.updated')
  assert.equal(data[0].data?.event.calendarId ?? data[0].payload?.event.calendarId, place!.calendarId)
})
