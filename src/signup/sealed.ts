import type { SealedTable } from '../resealing.ts'
import { codePlace } from './code.ts'

export const sealedCodes: SealedTable = {
  name: 'verification_codes',
  key: ['org_id'],
  columns: { hash_sealed: ({ org_id }) => codePlace(org_id!) },
}
