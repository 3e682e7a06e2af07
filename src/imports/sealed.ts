import type { SealedTable } from '../sealing/sealedTable.ts'
import { digestKeyPlace, urlPlace } from './present.ts'

export const sealedSubscriptions: SealedTable = {
  name: 'ical_subscriptions',
  key: ['org_id', 'id'],
  columns: { url_sealed: ({ id }) => urlPlace(id!), digest_key_sealed: ({ id }) => digestKeyPlace(id!) },
}
