// The reading engine of one process: due connections, places for their servers, one parser for all.
import type { App } from '../app.ts'
import type { Payload } from '../wakeups/jobs.ts'
import { attend } from './attention.ts'
import { readConnection } from './read.ts'
import { openReadPlaces } from './readPlaces.ts'
import { serverOf } from './readQueries.ts'
import { serverPlace } from './sealed.ts'

/** Reads at once in one process. */
export const maxReads = 16
const limits = { total: maxReads, perHost: 2, perOrganization: 8 }

type Reader = { read(payload: Payload<'read'>): Promise<void>; attend(payload: Payload<'attend'>): Promise<void> }

export function openReader(app: App): Reader {
  const places = openReadPlaces(limits)
  return {
    async read({ orgId, connectionId, interest = false }) {
      const key = { orgId, id: connectionId }
      const [server] = await serverOf(app.sql, key)
      if (!server?.serverSealed) return
      const { origin } = JSON.parse(app.sealer.unseal(serverPlace(connectionId), server.serverSealed)) as {
        origin: string
      }
      await places.stand({
        id: connectionId,
        orgId,
        host: origin,
        isAsked: interest,
        dueAt: server.nextReadAt ?? app.clock.now(),
        work: async () => {
          try {
            return (await readConnection(app, key, interest)) === 'done'
          } catch (error) {
            app.log.error({ err: error }, 'a read of external calendars could not be finished, it will be made again')
            return true
          }
        },
      })
    },
    attend: ({ orgId, connectionId }) => attend(app, { orgId, id: connectionId }),
  }
}
