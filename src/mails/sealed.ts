import type { SealedTable } from '../sealing/sealedTable.ts'
import { contentContext } from './mails.ts'

export const sealedMails: SealedTable = {
  name: 'mails',
  key: ['org_id', 'id'],
  columns: { content_sealed: ({ id }) => contentContext(id!) },
}
