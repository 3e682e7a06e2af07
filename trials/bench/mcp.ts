// The cost of a tool call beyond that of the same endpoint, in processor time of the API and the stores.
import { interleaved, millis, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 7
const answers = 2_000
const connections = 8
/** A call may take this much more than its twin. */
const allowedMs = 1

export async function benchMcp(world: World): Promise<Row[]> {
  const { key, create } = await world.makeOrganization()
  const calendar = await create('/v1/calendars', { name: 'Tools', timezone: 'Europe/Berlin' })
  const startMs = Date.now() + 86_400_000
  const iso = (ms: number) => new Date(ms).toISOString()
  const times = { start_time: iso(startMs), end_time: iso(startMs + 3_600_000) }
  const event = await create(`/v1/calendars/${calendar.id}/events`, { title: 'Weekly review', ...times })
  const call = (method: string, params: object) =>
    wireRequest('POST', '/mcp', { key, body: { jsonrpc: '2.0', id: 1, method, params } })
  const cpuMs = (request: string) => async () => {
    const order = { port: world.apiPort, connections, requests: [request], status: 200, until: { answers } }
    const weighed = await world.weighedLoad(world.apiPid(), order)
    // Without /proc: the time that one answer takes.
    return weighed.cpuMs ?? 1_000 / weighed.perSecond
  }
  const figures = await interleaved(rounds, {
    twin: cpuMs(wireRequest('GET', `/v1/events/${event.id}`, { key })),
    tool: cpuMs(call('tools/call', { name: 'get_event', arguments: { event_id: event.id } })),
    ping: cpuMs(call('ping', {})),
    list: cpuMs(call('tools/list', {})),
  })
  const overTwin = (side: readonly number[]) => side.map((ms, round) => ms - figures.twin[round]!)
  const row = (name: string, ours: number[]) =>
    rowOf({ bench: 'mcp', name, target: { atMost: 1 } }, { ours, baseline: ours.map(() => allowedMs) }, millis)
  return [
    row('get_event beyond GET event ÷ 1 ms', overTwin(figures.tool)),
    row('ping ÷ 1 ms', figures.ping),
    row('the list of tools ÷ 1 ms', figures.list),
  ]
}
