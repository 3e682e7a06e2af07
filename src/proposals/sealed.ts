import type { SealedTable } from '../sealing/sealedTable.ts'
import { descriptionContext, detailsContext, titleContext } from './present.ts'

export const sealedProposals: SealedTable = {
  name: 'proposals',
  key: ['org_id', 'id'],
  columns: {
    title_sealed: ({ id }) => titleContext(id!),
    description_sealed: ({ id }) => descriptionContext(id!),
    details_sealed: ({ id }) => detailsContext(id!),
  },
}
