// The reading engine of one process: due connections, places for their servers, one parser for all.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Payload } from '../wakeups/jobs.ts'
import { attend } from './attention.ts'
import { watchConnection } from './channels.ts'
import { openPlaces } from './places.ts'
import { readConnection } from './read.ts'
import { serverOf } from './readQueries.ts'
import { serverPlace } from './sealed.ts'

/** Reads at once in one process. */
export const maxReads = 16
/** A provider that hangs holds at most half of the places. */
const maxAtProvider = maxReads / 2
const maxAtServer = 2
const limits = { total: maxReads, perOrganization: 8 }

type Reader = {
  read(payload: Payload<'read'>): Promise<void>
  attend(payload: Payload<'attend'>): Promise<void>
  watch(payload: Payload<'watch'>): Promise<void>
}

export function openReader(app: App): Reader {
  const places = openPlaces(limits)
  return {
    async read({ orgId, connectionId, interest = false }) {
      const key = { orgId, id: connectionId }
      const [row] = await serverOf(app.sql, key)
      if (!row) return
      await places.stand({
        id: connectionId,
        orgId,
        ...hostOf(app, connectionId, row),
        isAsked: interest,
        dueAt: row.nextReadAt ?? app.clock.now(),
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
    watch: ({ orgId, connectionId }) => watchConnection(app, { orgId, id: connectionId }),
  }
}

type Place = { provider: string; serverSealed: Buffer | null }

/** A CalDAV server by its origin, any other provider as a whole. */
function hostOf({ sealer }: App, id: Uuid, { provider, serverSealed }: Place) {
  if (!serverSealed) return { host: provider, maxAtHost: maxAtProvider }
  const { origin } = JSON.parse(sealer.unseal(serverPlace(id), serverSealed)) as { origin: string }
  return { host: origin, maxAtHost: maxAtServer }
}
