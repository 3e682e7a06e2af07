import type { SealedTable } from '../sealing/sealedTable.ts'
import { ownPayloadPlace } from './payload.ts'
import { secretPlace, urlPlace } from './present.ts'

export const sealedWebhooks: SealedTable = {
  name: 'webhook_subscriptions',
  key: ['org_id', 'id'],
  columns: {
    url_sealed: ({ id }) => urlPlace(id!),
    secret_sealed: ({ id }) => secretPlace(id!),
    // Moved from the column before it as it is.
    secret_previous_sealed: ({ id }) => secretPlace(id!),
  },
}

export const sealedDeliveries: SealedTable = {
  name: 'webhook_deliveries',
  key: ['org_id', 'id'],
  beside: ['change_id', 'position'],
  columns: { payload_sealed: ({ change_id, position }) => ownPayloadPlace(change_id!, Number(position)) },
}
