import type { SealedTable } from '../sealing/sealedTable.ts'
import { attemptLogContext } from './attemptLog.ts'
import { headersContext } from './headers.ts'
import { secretContext, urlContext } from './present.ts'

export const sealedWebhooks: SealedTable = {
  name: 'webhook_subscriptions',
  key: ['org_id', 'id'],
  columns: {
    url_sealed: ({ id }) => urlContext(id!),
    headers_sealed: ({ id }) => headersContext(id!),
    secret_sealed: ({ id }) => secretContext(id!),
    // Moved from the old column without a change.
    secret_previous_sealed: ({ id }) => secretContext(id!),
  },
}

export const sealedDeliveries: SealedTable = {
  name: 'webhook_deliveries',
  key: ['org_id', 'id'],
  columns: { attempt_log_sealed: ({ id }) => attemptLogContext(id!) },
}
