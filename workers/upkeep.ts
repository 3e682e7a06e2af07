// The queue `upkeep`: housekeeping, once an hour, and the rows of deleted organizations.
import { purgeSessions } from '../src/accounts/sessions.ts'
import type { App } from '../src/app.ts'
import { purgeAuditLog } from '../src/audit/retention.ts'
import { removeRemains } from '../src/erasure/remains.ts'
import { measureQuotas } from '../src/quotas/metrics.ts'
import { purgeOldCodes } from '../src/signup/code.ts'
import type { Handlers } from '../src/wakeups/pool.ts'
import { purgeOldDeliveries } from '../src/webhooks/due.ts'

/** The partitions of the audit log first: without them every entry lands in one. */
const purges = [purgeAuditLog, purgeOldDeliveries, purgeSessions, purgeOldCodes]

export const upkeepHandlers = (app: App): Handlers<'upkeep'> => ({
  erase: ({ orgId }) => removeRemains(app, orgId),
  measure: () => measureQuotas(app),
  /** Each in its turn, and whatever became of those before it. */
  async purge() {
    const errors: Error[] = []
    for (const purge of purges) await purge(app).catch((error: Error) => errors.push(error))
    if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
  },
})
