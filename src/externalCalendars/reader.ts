// The reading engine of one process: due connections, places for their servers, one parser for all. Channels have places of their own:
// an organization with thousands of calendars makes them for a long while.
import type { App } from '../app.ts'
import type { ConnectionKey } from '../connections/queries.ts'
import { serverContext } from '../connections/sealed.ts'
import type { Uuid } from '../shapes/ids.ts'
import { jobs, type Payload } from '../wakeups/jobs.ts'
import { watchConnection } from './channels.ts'
import { readConnection } from './read.ts'
import { serverOf } from './readQueries.ts'
import { openReadQueue } from './readQueue.ts'
import { attend } from './reauthorizationReminders.ts'

const maxAtServer = 2

/** A provider that hangs holds at most half of the places, an organization at most half of those. */
const sharesOf = (total: number) => ({ total, atProvider: total / 2, perOrganization: total / 4 })

type Reader = {
  read(payload: Payload<'read'>): Promise<void>
  attend(payload: Payload<'attend'>): Promise<void>
  watch(payload: Payload<'watch'>): Promise<void>
}

export function openReader(app: App): Reader {
  const queueRead = openQueue(app, {
    total: jobs.read.atOnce,
    dueAtOf: ({ nextReadAt }) => nextReadAt,
    trouble: 'a read of external calendars could not be finished, it will be made again',
  })
  const queueWatch = openQueue(app, {
    total: jobs.watch.atOnce,
    dueAtOf: () => null,
    trouble: 'channels of external calendars could not be made, it will be tried again',
  })
  return {
    read({ interest = false, ...key }) {
      return queueRead(key, interest, async () => (await readConnection(app, key, interest)) === 'done')
    },
    attend: (key) => attend(app, key),
    watch: (key) => queueWatch(key, false, () => watchConnection(app, key).then(() => true)),
  }
}

type Server = Awaited<ReturnType<typeof serverOf>>[number]

type QueueOptions = {
  total: number
  /** Null: now. */
  dueAtOf(server: Server): Date | null
  /** The log message of failed work. */
  trouble: string
}

/** Returns what enters a connection into a queue, if it is active. The work returns false if nothing more may begin. */
function openQueue(app: App, { total, dueAtOf, trouble }: QueueOptions) {
  const { atProvider, ...limits } = sharesOf(total)
  const queue = openReadQueue(limits)
  return async (key: ConnectionKey, isAsked: boolean, work: () => Promise<boolean>): Promise<void> => {
    const [server] = await serverOf(app.sql, key)
    if (!server) return
    const candidate = {
      ...key,
      ...hostOf(app, key.id, server, atProvider),
      isAsked,
      dueAt: dueAtOf(server) ?? app.clock.now(),
    }
    await queue.enter(candidate, async () => {
      try {
        return await work()
      } catch (error) {
        app.log.error({ err: error }, trouble)
        return true
      }
    })
  }
}

/** A CalDAV server by its origin, any other provider as a whole. */
function hostOf({ sealer }: App, id: Uuid, { provider, serverSealed }: Server, atProvider: number) {
  if (!serverSealed) return { host: provider, maxAtHost: atProvider }
  const { origin } = JSON.parse(sealer.unseal(serverContext(id), serverSealed)) as { origin: string }
  return { host: origin, maxAtHost: maxAtServer }
}
