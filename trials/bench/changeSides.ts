// The sides of the comparison of changes: ours without and with webhooks, P3, and the bare statement.
import { decodeId } from '../../src/shapes/ids.ts'
import { callOf, made } from '../world/client.ts'
import { startBare } from './bare.ts'
import type { Side } from './changeKinds.ts'
import { openP3 } from './p3.ts'
import type { World } from './world.ts'

const calendarCount = 40
export const webhookCount = 3
const subscribed = [
  'event.created',
  'event.updated',
  'event.deleted',
  'event.hold_created',
  'event.hold_confirmed',
  'event.hold_released',
]

export type Sides = Record<'ours' | 'withWebhooks' | 'p3' | 'bare', Side> & { stop(): Promise<void> }

export async function openSides(world: World): Promise<Sides> {
  const [ours, withWebhooks] = [await world.makeOrganization(), await world.makeOrganization()]
  for (let nth = 0; nth < webhookCount; nth++) {
    await withWebhooks.create('/v1/webhooks', { url: `http://127.0.0.1:9/hook/${nth}`, events: subscribed })
  }
  const p3 = await openP3(world.app.sql, world.start<never, never>, 'p3-holds')
  const bare = await startBare(world, decodeId('org', ours.id)!)
  const api = { pid: world.apiPid(), port: world.apiPort }
  const peer = { pid: p3.api.pid, port: p3.api.ready.port! }
  const first = await withCalendars({ ...api, key: ours.key, root: '/v1' })
  const bareIds = first.calendarIds.map((id) => decodeId('cal', id)!)
  return {
    ours: first,
    withWebhooks: await withCalendars({ ...api, key: withWebhooks.key, root: '/v1' }),
    p3: await withCalendars({ ...peer, key: p3.key, root: '/v1' }),
    bare: { pid: bare.pid, port: bare.ready.port!, key: '', root: '', calendarIds: bareIds },
    stop: async () => void (await Promise.all([p3.api.stop(), bare.stop()])),
  }
}

async function withCalendars(side: Omit<Side, 'calendarIds'>): Promise<Side> {
  const call = callOf(`http://127.0.0.1:${side.port}`)
  const calendarIds: string[] = []
  while (calendarIds.length < calendarCount) {
    const body = { name: `Calendar ${calendarIds.length}`, timezone: 'UTC' }
    calendarIds.push((await made(call('POST', `${side.root}/calendars`, { key: side.key, body }))).id)
  }
  return { ...side, calendarIds }
}

/** The same server with one calendar. */
export const onOneCalendar = (side: Side): Side => ({ ...side, calendarIds: side.calendarIds.slice(0, 1) })
