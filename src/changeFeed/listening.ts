// Messages of other processes about organizations whose readers wait here. The connection is opened by the first wait; as long
// as it is lost, every reader is checked every few seconds.
import type { App } from '../app.ts'
import { callersMessage, changesChannel } from '../commit/notifyReaders.ts'
import type { Uuid } from '../shapes/ids.ts'
import { openRedis, type RedisClient } from '../stores/redis.ts'

type Hear = { changed(orgId: Uuid): void; callersChanged(orgId: Uuid): void }

export function openListening(app: App, hear: Hear) {
  const orgOf = new Map<string, Uuid>()
  let client: RedisClient | undefined
  const ignore = (error: Error) => app.log.debug({ error: error.message }, 'a channel of redis was not changed')

  function open(): RedisClient {
    const opened = openRedis(app.config.redisUrl, app.log, 'patient')
    opened.on('message', (channel: string, message: string) => {
      const orgId = orgOf.get(channel)
      if (!orgId) return
      if (message === callersMessage) hear.callersChanged(orgId)
      else hear.changed(orgId)
    })
    app.redis.once('end', () => opened.disconnect())
    return opened
  }

  return {
    start(orgId: Uuid): void {
      const channel = changesChannel(app, orgId)
      orgOf.set(channel, orgId)
      client ??= open()
      client.subscribe(channel).catch(ignore)
    },
    stop(orgId: Uuid): void {
      const channel = changesChannel(app, orgId)
      orgOf.delete(channel)
      client?.unsubscribe(channel).catch(ignore)
    },
  }
}
