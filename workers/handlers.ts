// The engine behind every queue. BullMQ calls it; with Redis away the sweeper calls it itself.
import type { App } from '../src/app.ts'
import { composeGuestMail } from '../src/bookingPages/guestMail.ts'
import { openPublisher } from '../src/copyWriter/publisher.ts'
import { type Deliverer, openDeliverer } from '../src/deliveries/deliver.ts'
import { openReader } from '../src/externalCalendars/reader.ts'
import { openSyncer } from '../src/imports/syncer.ts'
import { sendMail } from '../src/mails/send.ts'
import type { PoolName } from '../src/wakeups/jobs.ts'
import type { Handlers } from '../src/wakeups/pool.ts'
import { timerHandlers } from './timers.ts'
import { upkeepHandlers } from './upkeep.ts'

export type QueueHandlers = { [Q in PoolName]: Handlers<Q> }

/** The engine of deliveries lives longer than its jobs: the process that runs its pool also opens and closes its relay. */
export type Engines = QueueHandlers & { deliveries: Deliverer }

export const openHandlers = (app: App): Engines => ({
  timers: timerHandlers(app),
  deliveries: openDeliverer(app),
  ical: openSyncer(app),
  connections: openReader(app),
  publishing: openPublisher(app),
  mail: { mail: (payload) => sendMail(app, payload, composeGuestMail) },
  upkeep: upkeepHandlers(app),
})
