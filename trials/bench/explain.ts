// Answers that explain themselves against the same answers without, and events that must be free against any events.
import { interleaved, millis, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const bench = 'explain'
const rounds = 5
const roundMs = 2_000
const calendarCount = 40
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const start = Date.parse('2031-03-02T00:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString()

type Organization = Awaited<ReturnType<World['makeOrganization']>>

export async function benchExplain(world: World): Promise<Row[]> {
  const organization = await world.makeOrganization()
  return [
    ...(await benchAnswers(world, organization)),
    ...(await benchCreates(world, organization)),
    ...(await benchRefusals(world, organization)),
  ]
}

/** Milliseconds of one request. */
const timeOf = async (world: World, requests: readonly string[], status = 200): Promise<number> => {
  const order = { port: world.apiPort, connections: 4, requests, status, until: { ms: roundMs } }
  return (4 * 1_000) / (await world.load(order)).perSecond
}

const makeCalendar = async ({ create }: Organization, path = '/v1/calendars'): Promise<string> =>
  (await create(path, { name: 'Calendar', timezone: 'UTC' })).id

/** Every question is a new one, so that no answer is cached. */
async function benchAnswers(world: World, organization: Organization): Promise<Row[]> {
  const { key, create } = organization
  let moved = 0
  const ask = (path: string, more: string, days: number) =>
    timeOf(
      world,
      Array.from({ length: 4_000 }, () => {
        moved++
        return wireRequest('GET', `${path}start=${iso(start - moved)}&end=${iso(start + days * dayMs)}${more}`, { key })
      }),
    )
  const calendar = await makeCalendar(organization)
  for (let nth = 0; nth < 1_000; nth++) {
    const times = { start_time: iso(start + nth * hourMs), end_time: iso(start + nth * hourMs + hourMs / 2) }
    await create(`/v1/calendars/${calendar}/events`, { title: 'E', ...times })
  }
  const one = `/v1/calendars/${calendar}/availability?`
  const explained = await interleaved(rounds, {
    ours: () => ask(one, '&explain=true', 42),
    baseline: () => ask(one, '', 42),
  })
  const agents: string[] = []
  for (let nth = 0; nth < 20; nth++) {
    const { id } = await create('/v1/agents', { name: 'Agent', type: 'ai' })
    agents.push(id)
    const owned = await makeCalendar(organization, `/v1/agents/${id}/calendars`)
    for (let event = 0; event < 30; event++) {
      const at = start + event * dayMs + (nth % 8) * hourMs
      await create(`/v1/calendars/${owned}/events`, { title: 'E', start_time: iso(at), end_time: iso(at + hourMs) })
    }
  }
  const all = `/v1/availability?agents=${agents.join(',')}&`
  const best = await interleaved(rounds, {
    ours: () => ask(all, '&best=10&rank=spread&prefer=09:00-17:00&tz=Europe/Berlin', 30),
    baseline: () => ask(all, '', 30),
  })
  return [
    rowOf({ bench, name: '1,000 events in the window, explained', target: { atMost: 2.5 } }, explained, millis),
    rowOf({ bench, name: 'best of 30 days, 20 agents', target: { atMost: 1.5 } }, best, millis),
  ]
}

async function benchCreates(world: World, organization: Organization): Promise<Row[]> {
  const calendars: string[] = []
  for (let nth = 0; nth < calendarCount; nth++) calendars.push(await makeCalendar(organization))
  const single = await makeCalendar(organization)
  let made = 0
  /** No two at one time. */
  const create = async (on: readonly string[], more: object) => {
    const requests = Array.from({ length: 12_000 }, (_, nth) => {
      const at = start + ++made * minuteMs
      const body = { title: 'E', start_time: iso(at), end_time: iso(at + minuteMs), ...more }
      return wireRequest('POST', `/v1/calendars/${on[nth % on.length]}/events`, { key: organization.key, body })
    })
    const order = { port: world.apiPort, connections: 48, requests, status: 201, until: { ms: roundMs } }
    return (await world.load(order)).perSecond
  }
  const free = { require_free: true }
  const many = await interleaved(rounds, {
    ours: () => create(calendars, free),
    baseline: () => create(calendars, {}),
  })
  const alone = await interleaved(rounds, { ours: () => create([single], free), baseline: () => 300 })
  return [
    rowOf({ bench, name: 'require_free, 40 calendars', target: { atLeast: 0.5 } }, many, perSecond),
    rowOf({ bench, name: 'require_free, one calendar, with 300/s', target: { atLeast: 1 } }, alone, perSecond),
  ]
}

async function benchRefusals(world: World, organization: Organization): Promise<Row[]> {
  const calendar = await makeCalendar(organization)
  for (let nth = 0; nth < 100; nth++) {
    const at = start + nth * 3 * hourMs
    await organization.create(`/v1/calendars/${calendar}/events`, {
      title: 'E',
      start_time: iso(at),
      end_time: iso(at + hourMs),
    })
  }
  const body = { title: 'E', start_time: iso(start), end_time: iso(start + hourMs), require_free: true }
  const ask = (query: string) =>
    timeOf(
      world,
      [wireRequest('POST', `/v1/calendars/${calendar}/events${query}`, { key: organization.key, body })],
      409,
    )
  const refused = await interleaved(rounds, { ours: () => ask('?explain=true'), baseline: () => ask('') })
  return [rowOf({ bench, name: 'a refusal, explained', target: { atMost: 3 } }, refused, millis)]
}
