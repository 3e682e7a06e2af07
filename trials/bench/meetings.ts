// Fields of events, text from outside, hours of single days and the trash: each against the same without, or against its goal.
import { dayMs, hourMs, minuteMs } from '../../src/shapes/durations.ts'
import { decodeId, newId, type Uuid } from '../../src/shapes/ids.ts'
import { everyDetail } from '../../src/testing/details.ts'
import { fillFeed } from '../feed/fill.ts'
import { copyEvents } from './copyEvents.ts'
import { interleaved, millis, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const bench = 'meetings'
const rounds = 5
const roundMs = 2_000
const calendarCount = 40
const listLength = 200
const entryCount = 1_000
const goalMs = 30
const firstMs = Date.parse('2031-03-03T00:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString()
const dateOf = (ms: number) => iso(ms).slice(0, 10)

type Organization = Awaited<ReturnType<World['makeOrganization']>>

export async function benchMeetings(world: World): Promise<Row[]> {
  const organization = await world.makeOrganization()
  return [
    ...(await benchDetails(world, organization)),
    ...(await benchOutsideText(world, organization)),
    ...(await benchHours(world, organization)),
    ...(await benchTrash(world, organization)),
  ]
}

const makeCalendar = async ({ id, create }: Organization, path = '/v1/calendars') => {
  const calendar = await create(path, { name: 'Calendar', timezone: 'UTC' })
  return { id: calendar.id as string, orgId: decodeId('org', id)!, calendarId: decodeId('cal', calendar.id)! }
}

/** One every hour, half an hour long. */
const hourly = (count: number) =>
  Array.from({ length: count }, (_, nth) => {
    const startMs = firstMs + nth * hourMs
    return { id: newId(), title: 'Weekly review', startMs, endMs: startMs + 30 * minuteMs }
  })

async function benchDetails(world: World, organization: Organization): Promise<Row[]> {
  const paths: string[] = []
  while (paths.length < calendarCount) paths.push(`/v1/calendars/${(await makeCalendar(organization)).id}/events`)
  const plain = { title: 'Weekly review', start_time: iso(firstMs), end_time: iso(firstMs + hourMs) }
  const create = (body: object) => async () => {
    const requests = paths.map((path) => wireRequest('POST', path, { key: organization.key, body }))
    const order = { port: world.apiPort, connections: 48, requests, status: 201, until: { ms: roundMs } }
    const { perSecond: figure, cpuMs } = await world.weighedLoad(world.apiPid(), order)
    return { figure, cpuMs }
  }
  const figures = await interleaved(rounds, { ours: create({ ...plain, ...everyDetail }), baseline: create(plain) })
  return [rowOf({ bench, name: 'POST event with every field ÷ without', target: { atLeast: 0.9 } }, figures, perSecond)]
}

async function benchOutsideText(world: World, organization: Organization): Promise<Row[]> {
  const { id, ...place } = await makeCalendar(organization)
  const texts = { description: 'Agenda: open points and their owners.' }
  const imported = hourly(listLength).map((event) => ({ ...event, ...texts }))
  await copyEvents(world, { ...place, source: 'external_ical' }, imported)
  const list = (view: string) => async () => {
    const path = `/v1/calendars/${id}/events?limit=${listLength}${view}`
    const requests = [wireRequest('GET', path, { key: organization.key })]
    const order = { port: world.apiPort, connections: 8, requests, status: 200, until: { ms: roundMs } }
    return (await world.load(order)).perSecond
  }
  const figures = await interleaved(rounds, { ours: list('&outside_text=fenced'), baseline: list('') })
  return [rowOf({ bench, name: 'list of 200 imports, fenced ÷ plain', target: { atLeast: 0.95 } }, figures, perSecond)]
}

/** Every question is a new one, so that no answer is remembered. */
async function benchHours(world: World, organization: Organization): Promise<Row[]> {
  const week = ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, { start: '09:00', end: '17:00' }])
  const usual = { working_hours: Object.fromEntries(week), buffer_before_minutes: 5, timezone: 'Europe/Berlin' }
  const single = {
    dates: Array.from({ length: 200 }, (_, nth) => ({
      from: dateOf(firstMs + nth * dayMs),
      hours: [{ start: '10:00', end: '16:00' }],
    })),
    time_off: Array.from({ length: 200 }, (_, nth) => {
      const at = firstMs + nth * dayMs + 12 * hourMs
      return { start: iso(at), end: iso(at + hourMs) }
    }),
    holiday_subscription_ids: await makeHolidayFeeds(world, organization),
  }
  let moved = 0
  const ask = async (rules: object) => {
    const { id, ...place } = await makeCalendar(organization)
    await copyEvents(world, place, hourly(1_000))
    await put(world, organization, `/v1/calendars/${id}/availability-rules`, rules)
    return async () => {
      const requests = Array.from({ length: 4_000 }, () => {
        const window = `start=${iso(firstMs - ++moved)}&end=${iso(firstMs + 42 * dayMs)}`
        return wireRequest('GET', `/v1/calendars/${id}/availability?${window}`, { key: organization.key })
      })
      const order = { port: world.apiPort, connections: 4, requests, status: 200, until: { ms: roundMs } }
      return (4 * 1_000) / (await world.load(order)).perSecond
    }
  }
  const figures = await interleaved(rounds, {
    ours: await ask({ ...usual, ...single }),
    baseline: await ask(usual),
  })
  const name = '200 dates, 200 times off and 5 feeds of holidays ÷ a week'
  return [rowOf({ bench, name, target: { atMost: 1.5 } }, figures, millis)]
}

async function put({ baseUrls }: World, { key }: Organization, path: string, body: object): Promise<void> {
  const answer = await fetch(baseUrls[0] + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
}

/** Five subscriptions with ten holidays each. No worker reads them. */
async function makeHolidayFeeds(world: World, organization: Organization): Promise<string[]> {
  const agent = await organization.create('/v1/agents', { name: 'Agent', type: 'ai' })
  const ids: string[] = []
  for (let feed = 0; feed < 5; feed++) {
    const { id, ...place } = await makeCalendar(organization, `/v1/agents/${agent.id}/calendars`)
    const made = await organization.create(`/v1/agents/${agent.id}/ical-subscriptions`, {
      calendar_id: id,
      url: `https://example.com/${feed}.ics`,
    })
    const days = Array.from({ length: 10 }, (_, nth) => {
      const startMs = firstMs + (feed * 10 + nth) * 4 * dayMs
      return { id: newId(), title: 'Holiday', startMs, endMs: startMs + dayMs }
    })
    await copyEvents(world, { ...place, source: 'external_ical' }, days)
    await ofSubscription(world, place.calendarId, decodeId('ics', made.id)!)
    ids.push(made.id)
  }
  return ids
}

const ofSubscription = ({ app: { sql } }: World, calendarId: Uuid, subscriptionId: Uuid) => sql`
  update events
  set all_day = true, ical_subscription_id = ${subscriptionId}, ical_key = uuid_send(id), ical_content = uuid_send(id)
  where calendar_id = ${calendarId}`

async function benchTrash(world: World, organization: Organization): Promise<Row[]> {
  const { id, ...place } = await makeCalendar(organization)
  const events = hourly(entryCount)
  await copyEvents(world, place, events)
  await world.app.sql`update events set deleted_at = now() where calendar_id = ${place.calendarId}`
  const times = { start_time: iso(firstMs), end_time: iso(firstMs + hourMs) }
  const event = await organization.create(`/v1/calendars/${id}/events`, { title: 'Weekly review', ...times })
  const changed = { ...place, resourceId: decodeId('evt', event.id)!, payload: { calendar_id: id, event } }
  await fillFeed(world.app, changed, entryCount)
  const lists = {
    'a page of the trash, 1,000 entries ÷ 30 ms': `/v1/calendars/${id}/deleted-events?limit=${listLength}`,
    'a page of a history, 1,000 entries ÷ 30 ms': `/v1/events/${event.id}/history?limit=${listLength}`,
  }
  const rows: Row[] = []
  for (const [name, path] of Object.entries(lists)) {
    const ask = async () => {
      const requests = [wireRequest('GET', path, { key: organization.key })]
      const order = { port: world.apiPort, connections: 1, requests, status: 200, until: { answers: 20 } }
      return (await world.load(order)).p50Ms
    }
    const figures = await interleaved(rounds, { ours: ask, baseline: () => goalMs })
    rows.push(rowOf({ bench, name, target: { atMost: 1 } }, figures, millis))
  }
  return rows
}
