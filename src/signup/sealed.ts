import type { SealedTable } from '../sealing/sealedTable.ts'
import { codePlace } from './code.ts'

export const sealedCodes: SealedTable = {
  name: 'verification_codes',
  key: ['org_id'],
  columns: { hash_sealed: ({ org_id }) => codePlace(org_id!) },
}
