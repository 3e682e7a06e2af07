import type { SealedTable } from '../sealing/sealedTable.ts'
import { digestKeyContext, urlContext } from './present.ts'

export const sealedSubscriptions: SealedTable = {
  name: 'ical_subscriptions',
  key: ['org_id', 'id'],
  columns: { url_sealed: ({ id }) => urlContext(id!), digest_key_sealed: ({ id }) => digestKeyContext(id!) },
}
