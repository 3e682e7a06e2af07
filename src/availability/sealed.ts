import type { SealedTable } from '../sealing/sealedTable.ts'
import { labelsContext } from './present.ts'

export const sealedRules: SealedTable = {
  name: 'availability_rules',
  key: ['org_id', 'calendar_id'],
  columns: { labels_sealed: ({ calendar_id }) => labelsContext(calendar_id!) },
}
