import type { App } from '../../src/app.ts'
import { counters } from '../../src/export/usageCounters.ts'
import { type Meter, openMeter } from '../../src/quotas/meter.ts'

const open = (app: App): Meter => openMeter(app, counters)

/** The one meter of this process. */
export const meterOf = (app: App): Meter => app.memory(open)
