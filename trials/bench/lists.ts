// The same calls on an organization of 1,000,000 events and on one of 10,000: what a list costs depends on what it
// returns.
import { encodeCursor } from '../../src/audit/cursor.ts'
import { dayMs } from '../../src/shapes/durations.ts'
import { firstIdAt } from '../../src/shapes/ids.ts'
import { interleaved, millis, type Row, rowOf } from './figures.ts'
import { type Filled, fillOrganization } from './fill.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 5
const callsPerRound = 20
const labelled = 'list, one label of ten events'
const labelGoal = { bench: 'lists', name: `${labelled} ÷ 5 ms`, target: { atMost: 1 } }
const connections = 1

export async function benchLists(world: World): Promise<Row[]> {
  const small = await fillOrganization(world, 10_000)
  const large = await fillOrganization(world, 1_000_000)
  const rows: Row[] = []
  for (const [name, pathOf] of Object.entries(calls)) {
    const ask = async ({ key }: Filled, path: string) => {
      const order = { port: world.apiPort, connections, status: 200, requests: [wireRequest('GET', path, { key })] }
      const { p50Ms, cpuMs } = await world.weighedLoad(world.apiPid(), { ...order, until: { answers: callsPerRound } })
      return { figure: p50Ms, cpuMs }
    }
    const figures = await interleaved(rounds, {
      ours: () => ask(large, pathOf(large)),
      baseline: () => ask(small, pathOf(small)),
    })
    rows.push(rowOf({ bench: 'lists', name, target: { atMost: 1.2 } }, figures, millis))
    if (name === labelled)
      rows.push(rowOf(labelGoal, { ours: figures.ours, baseline: figures.ours.map(() => 5) }, millis))
  }
  return rows
}

const at = (shiftMs: number) => new Date(Math.floor(Date.now() / dayMs) * dayMs + shiftMs).toISOString()
const cursorAt = (shiftMs: number) => {
  const createdAt = new Date(Date.now() + shiftMs)
  return encodeCursor({ createdAt, id: firstIdAt(createdAt) })
}
const dayWindow = () => `start_after=${at(0)}&start_before=${at(dayMs)}`

/** On the calendar with most of the events, unless the name says otherwise. */
const calls: Record<string, (filled: Filled) => string> = {
  'list, first page': ({ calendarId }) => `/v1/calendars/${calendarId}/events`,
  'list, status=confirmed': ({ calendarId }) => `/v1/calendars/${calendarId}/events?status=confirmed`,
  'list, status=cancelled': ({ calendarId }) => `/v1/calendars/${calendarId}/events?status=cancelled`,
  'list, source=internal': ({ calendarId }) => `/v1/calendars/${calendarId}/events?source=internal`,
  [labelled]: ({ calendarId, label }) => `/v1/calendars/${calendarId}/events?label=${label}`,
  'list, one day': ({ calendarId }) => `/v1/calendars/${calendarId}/events?${dayWindow()}`,
  'list, one day expanded': ({ calendarId }) => `/v1/calendars/${calendarId}/events?${dayWindow()}&expand=true`,
  "agent's list, first page": ({ agentId }) => `/v1/agents/${agentId}/events`,
  "agent's list, one day": ({ agentId }) => `/v1/agents/${agentId}/events?${dayWindow()}`,
  'one event': ({ calendarId, eventId }) => `/v1/calendars/${calendarId}/events/${eventId}`,
  'calendars of all': () => '/v1/calendars?include=all',
  'calendar context': ({ calendarId }) => `/v1/calendars/${calendarId}/context`,
  'delivery history': ({ webhookId }) => `/v1/webhooks/${webhookId}/deliveries`,
  'delivery history, failed': ({ webhookId }) => `/v1/webhooks/${webhookId}/deliveries?status=failed`,
  'delivery history, offset 2,000': ({ webhookId }) => `/v1/webhooks/${webhookId}/deliveries?offset=2000`,
  'delivery history, pending': ({ webhookId }) => `/v1/webhooks/${webhookId}/deliveries?status=pending`,
  'webhook health': ({ webhookId }) => `/v1/webhooks/${webhookId}/health`,
  'webhook health, seven days': ({ webhookId }) => `/v1/webhooks/${webhookId}/health?window=7d`,
  'audit log': () => '/v1/audit-log',
  'audit log, one action': () => '/v1/audit-log?action=webhook.create',
  'audit log, one day': () => `/v1/audit-log?from=${at(-7 * dayMs)}&to=${at(-6 * dayMs)}`,
  'audit log, two weeks back': () => `/v1/audit-log?cursor=${cursorAt(-14 * dayMs)}`,
  usage: () => '/v1/usage',
  webhooks: () => '/v1/webhooks',
  'change feed, oldest page': () => '/v1/changes?cursor=oldest',
  'change feed, oldest page of one calendar': ({ calendarId }) =>
    `/v1/changes?cursor=oldest&calendar_ids=${calendarId}`,
  'change feed, second page': ({ secondPage }) => `/v1/changes?cursor=${encodeURIComponent(secondPage)}`,
  'change feed, nothing new': ({ feedEnd }) => `/v1/changes?cursor=${encodeURIComponent(feedEnd)}`,
}
