// Every queue's handlers. BullMQ calls them; with Redis away the sweeper calls them itself.
import type { App } from '../src/app.ts'
import type { PoolName } from '../src/wakeups/jobs.ts'
import type { Handlers } from '../src/wakeups/pool.ts'
import { deliveryHandlers } from './deliveries.ts'
import { icalHandlers } from './ical.ts'
import { mailHandlers } from './mail.ts'
import { timerHandlers } from './timers.ts'
import { upkeepHandlers } from './upkeep.ts'

export type DirectHandlers = { [Q in PoolName]: Handlers<Q> }

export const directHandlers = (app: App): DirectHandlers => ({
  timers: timerHandlers(app),
  deliveries: deliveryHandlers(app),
  ical: icalHandlers(app),
  mail: mailHandlers(app),
  upkeep: upkeepHandlers(app),
})
