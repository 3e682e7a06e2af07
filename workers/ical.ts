// The queue `ical`: an external feed is to be read.
import type { App } from '../src/app.ts'
import { openSyncer } from '../src/imports/syncer.ts'
import type { Handlers } from '../src/wakeups/pool.ts'

export const icalHandlers = (app: App): Handlers<'ical'> => openSyncer(app)
