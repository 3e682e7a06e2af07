// A list of 200 events with the local view, and 35,000 free slots with it, against the same without.
import { dayMs, hourMs } from '../../src/shapes/durations.ts'
import { decodeId, newId } from '../../src/shapes/ids.ts'
import { copyEvents } from './copyEvents.ts'
import { interleaved, millis, perSecond, type Row, rowOf } from './figures.ts'
import { type World, wireRequest } from './world.ts'

const rounds = 9
const roundMs = 2_000
const connections = 8
const listLength = 200
/** A year of slots, asked one at a time. */
const slotAnswers = 5

export async function benchLocalView(world: World): Promise<Row[]> {
  const organization = await world.makeOrganization()
  const { key } = organization
  const calendar = await organization.create('/v1/calendars', { name: 'Local', timezone: 'Europe/Berlin' })
  const place = { orgId: decodeId('org', organization.id)!, calendarId: decodeId('cal', calendar.id)! }
  // One every eleven hours: the list goes over a change of clocks.
  const firstMs = Math.floor(Date.now() / dayMs) * dayMs
  const events = Array.from({ length: listLength }, (_, nth) => {
    const startMs = firstMs + nth * 11 * hourMs
    return { id: newId(), title: 'Weekly review', startMs, endMs: startMs + hourMs / 2 }
  })
  await copyEvents(world, place, events)
  const load = (path: string, order: { connections: number; until: { ms: number } | { answers: number } }) =>
    world.load({ ...order, port: world.apiPort, requests: [wireRequest('GET', path, { key })], status: 200 })
  const list = `/v1/calendars/${calendar.id}/events?limit=${listLength}`
  const listed = (query: string) => async () =>
    (await load(list + query, { connections, until: { ms: roundMs } })).perSecond
  const lists = await interleaved(rounds, {
    plain: listed(''),
    local: listed('&view=local'),
    zoned: listed('&view=local&tz=America/New_York'),
  })
  const iso = (ms: number) => new Date(ms).toISOString()
  const year = `start=${iso(firstMs)}&end=${iso(firstMs + 366 * dayMs)}&duration=15m`
  const slots = (query: string) => async () =>
    (
      await load(`/v1/calendars/${calendar.id}/availability?${year}${query}`, {
        connections: 1,
        until: { answers: slotAnswers },
      })
    ).p50Ms
  const years = await interleaved(5, { plain: slots(''), local: slots('&view=local') })
  const facts = { bench: 'localView', target: { atLeast: 0.9 } }
  return [
    rowOf({ ...facts, name: 'list of 200, local' }, { ours: lists.local, baseline: lists.plain }, perSecond),
    rowOf(
      { ...facts, name: 'list of 200, local, other zone' },
      { ours: lists.zoned, baseline: lists.plain },
      perSecond,
    ),
    rowOf(
      { bench: 'localView', name: 'a year of slots, local', target: { atMost: 5 } },
      { ours: years.local, baseline: years.plain },
      millis,
    ),
  ]
}
