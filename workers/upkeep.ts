// The queue `upkeep`: housekeeping, once an hour, and the rows of deleted organizations.
import type { App } from '../src/app.ts'
import { purgeAuditLog } from '../src/audit/retention.ts'
import { removeRemains } from '../src/erasure/remains.ts'
import type { Handlers } from '../src/pool.ts'
import { measureQuotas } from '../src/quotas/distribution.ts'
import { purgeSessions } from '../src/sessions/sessions.ts'
import { purgeOldCodes } from '../src/signup/code.ts'
import { purgeOldDeliveries } from '../src/webhooks/due.ts'

export const upkeepHandlers = (app: App): Handlers<'upkeep'> => ({
  erase: ({ orgId }) => removeRemains(app, orgId),
  measure: () => measureQuotas(app),
  async purge() {
    await purgeOldDeliveries(app)
    await purgeAuditLog(app)
    await purgeSessions(app)
    await purgeOldCodes(app)
  },
})
