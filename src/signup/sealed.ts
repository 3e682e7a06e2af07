import type { SealedTable } from '../sealing/sealedTable.ts'
import { codeContext } from './code.ts'

export const sealedCodes: SealedTable = {
  name: 'verification_codes',
  key: ['org_id'],
  columns: { hash_sealed: ({ org_id }) => codeContext(org_id!) },
}
