// The publishing engine of one process. A provider that hangs holds at most half of its places.
import type { App } from '../app.ts'
import { openReadQueue } from '../externalCalendars/readQueue.ts'
import { jobs, type Payload } from '../wakeups/jobs.ts'
import { leaseOf } from './leaseQueries.ts'
import { publishThrough } from './publish.ts'

const maxLeases = jobs.publish.atOnce
const maxAtProvider = maxLeases / 2
/** Less than that: no organization alone keeps the others from a provider. */
const maxOfOrganization = 12

type Publisher = { publish(payload: Payload<'publish'>): Promise<void> }

export function openPublisher(app: App): Publisher {
  const queue = openReadQueue({ total: maxLeases, perOrganization: maxOfOrganization })
  return {
    async publish(key) {
      const [lease] = await leaseOf(app.sql, key.orgId, key.id)
      if (!lease) return
      const candidate = {
        id: lease.connectionId,
        orgId: key.orgId,
        host: lease.provider ?? '',
        maxAtHost: maxAtProvider,
        isAsked: false,
        dueAt: app.clock.now(),
      }
      await queue.enter(candidate, async () => {
        try {
          return await publishThrough(app, lease, key)
        } catch (error) {
          app.log.error({ err: error }, 'events of a calendar could not be published, it will be tried again')
          return true
        }
      })
    },
  }
}
