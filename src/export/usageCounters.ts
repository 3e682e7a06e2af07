import { countEvents } from '../events/spending.ts'
import { countProposals } from '../proposals/count.ts'
import type { Counters } from '../quotas/budget.ts'
import { countSpentUnits } from '../webhooks/count.ts'

/** Every budget that is counted from rows, with the noun that counts it. */
export const counters: Counters = {
  events: countEvents,
  proposals: countProposals,
  webhook_deliveries: countSpentUnits,
}
