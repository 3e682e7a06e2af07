import type { SealedTable } from '../sealing/sealedTable.ts'
import { busyTokenContext, feedTokenContext } from './present.ts'

export const sealedCalendars: SealedTable = {
  name: 'calendars',
  key: ['org_id', 'id'],
  columns: {
    feed_token_sealed: ({ id }) => feedTokenContext(id!),
    busy_token_sealed: ({ id }) => busyTokenContext(id!),
  },
}
