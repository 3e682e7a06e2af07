import type { SealedTable } from '../sealing/sealedTable.ts'
import { descriptionPlace, titlePlace } from './present.ts'

export const sealedProposals: SealedTable = {
  name: 'proposals',
  key: ['org_id', 'id'],
  columns: { title_sealed: ({ id }) => titlePlace(id!), description_sealed: ({ id }) => descriptionPlace(id!) },
}
