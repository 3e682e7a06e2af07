// The reading engine of one process: due connections, places for their servers, one parser for all. Channels have places of their own:
// an organization with thousands of calendars makes them for a long while.
import type { App } from '../app.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { Payload } from '../wakeups/jobs.ts'
import { attend } from './attention.ts'
import { watchConnection } from './channels.ts'
import { openPlaces } from './places.ts'
import { readConnection } from './read.ts'
import { serverOf } from './readQueries.ts'
import { serverPlace } from './sealed.ts'

/** At once in one process: reads, and connections whose channels are made. */
export const maxReads = 32
export const maxWatches = 8
const maxAtServer = 2

/** A provider that hangs holds at most half of the places, an organization at most half of those. */
const sharesOf = (total: number) => ({ total, atProvider: total / 2, perOrganization: total / 4 })
const readShares = sharesOf(maxReads)
const watchShares = sharesOf(maxWatches)

type Reader = {
  read(payload: Payload<'read'>): Promise<void>
  attend(payload: Payload<'attend'>): Promise<void>
  watch(payload: Payload<'watch'>): Promise<void>
}

export function openReader(app: App): Reader {
  const reads = openPlaces(readShares)
  const watches = openPlaces(watchShares)
  return {
    async read({ orgId, connectionId, interest = false }) {
      const key = { orgId, id: connectionId }
      const [row] = await serverOf(app.sql, key)
      if (!row) return
      await reads.stand({
        ...key,
        ...hostOf(app, connectionId, row, readShares.atProvider),
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
    async watch({ orgId, connectionId }) {
      const key = { orgId, id: connectionId }
      const [row] = await serverOf(app.sql, key)
      if (!row) return
      await watches.stand({
        ...key,
        ...hostOf(app, connectionId, row, watchShares.atProvider),
        isAsked: false,
        dueAt: app.clock.now(),
        work: async () => {
          try {
            await watchConnection(app, key)
          } catch (error) {
            app.log.error({ err: error }, 'channels of external calendars could not be made, it will be tried again')
          }
          return true
        },
      })
    },
  }
}

type Place = { provider: string; serverSealed: Buffer | null }

/** A CalDAV server by its origin, any other provider as a whole. */
function hostOf({ sealer }: App, id: Uuid, { provider, serverSealed }: Place, atProvider: number) {
  if (!serverSealed) return { host: provider, maxAtHost: atProvider }
  const { origin } = JSON.parse(sealer.unseal(serverPlace(id), serverSealed)) as { origin: string }
  return { host: origin, maxAtHost: maxAtServer }
}
