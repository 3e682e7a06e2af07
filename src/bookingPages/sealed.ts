import type { SealedTable } from '../sealing/sealedTable.ts'
import { guestPlace } from './guestDetails.ts'
import { slugPlace } from './present.ts'

export const sealedPages: SealedTable = {
  name: 'booking_pages',
  key: ['org_id', 'id'],
  columns: { slug_sealed: ({ id }) => slugPlace(id!) },
}

export const sealedBookings: SealedTable = {
  name: 'bookings',
  key: ['org_id', 'id'],
  columns: { guest_sealed: ({ id }) => guestPlace(id!) },
}
