// The publishing engine of one process. A provider that hangs holds at most half of its places.
import type { App } from '../app.ts'
import { openReadQueue } from '../externalCalendars/readQueue.ts'
import { jobs, type Payload } from '../wakeups/jobs.ts'
import { laneOf } from './leaseQueries.ts'
import { publishThrough } from './publish.ts'

const maxLanes = jobs.publish.atOnce
const maxAtProvider = maxLanes / 2
/** Less than that: no organization alone keeps the others from a provider. */
const maxOfOrganization = 12

type Publisher = { publish(payload: Payload<'publish'>): Promise<void> }

export function openPublisher(app: App): Publisher {
  const queue = openReadQueue({ total: maxLanes, perOrganization: maxOfOrganization })
  return {
    async publish(key) {
      const [lane] = await laneOf(app.sql, key.orgId, key.id)
      if (!lane) return
      const candidate = {
        id: lane.connectionId,
        orgId: key.orgId,
        host: lane.provider ?? '',
        maxAtHost: maxAtProvider,
        isAsked: false,
        dueAt: app.clock.now(),
      }
      await queue.enter(candidate, async () => {
        try {
          return await publishThrough(app, lane, key)
        } catch (error) {
          app.log.error({ err: error }, 'events of a calendar could not be published, it will be tried again')
          return true
        }
      })
    },
  }
}
