// The queue `deliveries`: an attempt of one webhook delivery is due.
import type { App } from '../src/app.ts'
import type { Handlers } from '../src/wakeups/pool.ts'
import { openDeliverer } from '../src/webhooks/deliver.ts'

export const deliveryHandlers = (app: App): Handlers<'deliveries'> => openDeliverer(app)
