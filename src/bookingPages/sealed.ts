import type { SealedTable } from '../sealing/sealedTable.ts'
import { guestContext } from './guestDetails.ts'
import { slugContext } from './present.ts'

export const sealedPages: SealedTable = {
  name: 'booking_pages',
  key: ['org_id', 'id'],
  columns: { slug_sealed: ({ id }) => slugContext(id!) },
}

export const sealedBookings: SealedTable = {
  name: 'bookings',
  key: ['org_id', 'id'],
  columns: { guest_sealed: ({ id }) => guestContext(id!) },
}
