// The changes that are measured, as requests of the same shape for each side.
import { minuteMs } from '../../src/shapes/durations.ts'
import type { LoadOrder, Step } from './processes/load.ts'
import { type World, wireRequest } from './world.ts'

/** A server that takes changes. `root`: what its paths begin with. */
export type Side = { pid: number; port: number; key: string; root: string; calendarIds: readonly string[] }

/** The targets of the requests are made before, so that the order measures the requests alone. */
export type Kind = (world: World, side: Side, count: number) => Promise<Measured>
type Measured = Pick<LoadOrder, 'requests' | 'status' | 'then'>

const makingConnections = 48
/** The longest that a hold may last, less what a round takes. */
const heldMs = 14 * minuteMs
const firstStartMs = Date.parse('2031-03-02T09:00:00Z')

let made = 0
const iso = (ms: number) => new Date(ms).toISOString()
const each = <T>(count: number, one: (nth: number) => T): T[] => Array.from({ length: count }, (_, nth) => one(nth))

/** No two at one time. */
function eventBody(): object {
  const startMs = firstStartMs + made++ * minuteMs
  return { title: 'Weekly review of the open questions', start_time: iso(startMs), end_time: iso(startMs + minuteMs) }
}
const holdBody = (): object => ({ ...eventBody(), status: 'hold', hold_expires_at: iso(Date.now() + heldMs) })

const calendarOf = ({ root, calendarIds }: Side, nth: number): string =>
  `${root}/calendars/${calendarIds[nth % calendarIds.length]}`

const posts = (side: Side, count: number, body: () => object): string[] =>
  each(count, (nth) => wireRequest('POST', `${calendarOf(side, nth)}/events`, { key: side.key, body: body() }))

/** Their identifiers. The nth is on the nth calendar, again from the first one. */
async function make({ load }: World, side: Side, count: number, body: () => object): Promise<string[]> {
  const requests = posts(side, count, body)
  const until = { answers: count }
  const order = { port: side.port, connections: makingConnections, requests, status: 201, until, keepsIds: true }
  return (await load(order)).ids
}

const edit: Kind = async (world, side, count) => {
  const ids = await make(world, side, count, eventBody)
  const body = () => ({ title: `Review number ${made++}` })
  const path = (nth: number) => `${calendarOf(side, nth)}/events/${ids[nth]}`
  return {
    requests: ids.map((_, nth) => wireRequest('PATCH', path(nth), { key: side.key, body: body() })),
    status: 200,
  }
}

const hold: Kind = async (_world, side, count) => ({ requests: posts(side, count, holdBody), status: 201 })

const endHold =
  (verb: 'confirm' | 'release'): Kind =>
  async (world, side, count) => {
    const ids = await make(world, side, count, holdBody)
    const { key, root } = side
    return { requests: ids.map((id) => wireRequest('PUT', `${root}/events/${id}/${verb}`, { key })), status: 200 }
  }

const remove: Kind = async (world, side, count) => {
  const ids = await make(world, side, count, eventBody)
  const path = (nth: number) => `${calendarOf(side, nth)}/events/${ids[nth]}`
  return { requests: ids.map((_, nth) => wireRequest('DELETE', path(nth), { key: side.key })), status: 204 }
}

/** A hold is confirmed and deleted, or confirmed, or released, in turn. */
const life: Kind = async (_world, side, count) => {
  const { key, root } = side
  const end = (verb: string): Step => ({
    request: wireRequest('PUT', `${root}/events/{id}/${verb}`, { key }),
    status: 200,
  })
  const then = each(3 * side.calendarIds.length, (nth) => {
    const path = `${calendarOf(side, nth)}/events/{id}`
    const endings = [
      [end('confirm'), { request: wireRequest('DELETE', path, { key }), status: 204 }],
      [end('confirm')],
      [end('release')],
    ]
    return endings[nth % endings.length]!
  })
  return { requests: posts(side, count, holdBody), status: 201, then }
}

const create =
  (path: string, body: (nth: number) => object): Kind =>
  async (_world, { key, root }, count) => ({
    requests: each(count, () => wireRequest('POST', root + path, { key, body: body(made++) })),
    status: 201,
  })

export const kinds = {
  edit,
  hold,
  confirm: endHold('confirm'),
  release: endHold('release'),
  remove,
  life,
  agent: create('/agents', (nth) => ({ name: `Agent ${nth}`, type: 'ai' })),
  calendar: create('/calendars', (nth) => ({ name: `Calendar ${nth}`, timezone: 'UTC' })),
} satisfies Record<string, Kind>
