// The queue `upkeep`: housekeeping, once an hour.
import type { App } from '../src/app.ts'
import type { Handlers } from '../src/pool.ts'
import { purgeOldDeliveries } from '../src/webhooks/due.ts'

export const upkeepHandlers = (app: App): Handlers<'upkeep'> => ({ purge: () => purgeOldDeliveries(app) })
