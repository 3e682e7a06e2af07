import { titlePlace } from '../changeLog/sealed.ts'
import type { SealedTable } from '../sealing/sealedTable.ts'
import { bookingPlace } from './bookingMetadata.ts'
import { descriptionPlace } from './present.ts'

export const sealedEvents: SealedTable = {
  name: 'events',
  key: ['org_id', 'id'],
  columns: {
    title_sealed: ({ id }) => titlePlace(id!),
    description_sealed: ({ id }) => descriptionPlace(id!),
    booking_sealed: ({ id }) => bookingPlace(id!),
  },
}
