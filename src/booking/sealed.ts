import type { SealedTable } from '../resealing.ts'
import { slugPlace } from './present.ts'

export const sealedPages: SealedTable = {
  name: 'booking_pages',
  key: ['org_id', 'id'],
  columns: { slug_sealed: ({ id }) => slugPlace(id!) },
}
