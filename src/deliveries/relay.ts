// Wake-ups between processes: a lane that is woken in one process and served by another one. Best effort, like the bell: the
// owner of a lane also looks by itself.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openRedis } from '../stores/redis.ts'
import { jobs, queuePrefix } from '../wakeups/jobs.ts'
import { type LaneKey, lanesOf } from '../wakeups/lanes.ts'

const channelOf = ({ config }: App, owner: Uuid) => `${queuePrefix(config.redisPrefix, 'deliveries')}:lanes:${owner}`

/** False: no process heard it. */
export async function forwardWakeup(app: App, owner: Uuid, lanes: readonly LaneKey[]): Promise<boolean> {
  if (app.redis.status !== 'ready') return false
  const payload = { lanes: lanes.map(({ orgId, subscriptionId }) => [orgId, subscriptionId]) }
  return app.redis.publish(channelOf(app, owner), JSON.stringify(payload)).then(
    (heard) => heard > 0,
    () => false,
  )
}

/** Receives the wake-ups that other processes forward to `owner`, on a connection of its own. */
export function openRelay(app: App, owner: Uuid, wake: (lanes: readonly LaneKey[]) => void): { close(): void } {
  const connection = openRedis(app.config.redisUrl, app.log, 'patient')
  connection.on('message', (_channel: string, text: string) => wake(readLanes(text)))
  connection.subscribe(channelOf(app, owner)).catch((error: Error) => {
    app.log.debug({ error: error.message }, 'the relay of wake-ups is not heard')
  })
  return { close: () => connection.disconnect() }
}

/** Ignores invalid messages. */
function readLanes(text: string): LaneKey[] {
  const parsed = jobs.deliver.payload.safeParse(parseJson(text))
  return parsed.success ? lanesOf(parsed.data) : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
