import { titleContext } from '../changeLog/sealed.ts'
import type { SealedTable } from '../sealing/sealedTable.ts'
import { bookingContext } from './bookingMetadata.ts'
import { detailsContext } from './details.ts'
import { descriptionContext } from './present.ts'

export const sealedEvents: SealedTable = {
  name: 'events',
  key: ['org_id', 'id'],
  columns: {
    title_sealed: ({ id }) => titleContext(id!),
    description_sealed: ({ id }) => descriptionContext(id!),
    booking_sealed: ({ id }) => bookingContext(id!),
    details_sealed: ({ id }) => detailsContext(id!),
  },
}
