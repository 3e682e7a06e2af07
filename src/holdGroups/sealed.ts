import type { SealedTable } from '../sealing/sealedTable.ts'
import { descriptionContext, titleContext } from './present.ts'

export const sealedHoldGroups: SealedTable = {
  name: 'hold_groups',
  key: ['org_id', 'id'],
  columns: { title_sealed: ({ id }) => titleContext(id!), description_sealed: ({ id }) => descriptionContext(id!) },
}
