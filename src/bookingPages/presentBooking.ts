import { isoTime } from '../shapes/datetimes.ts'
import { encodeId } from '../shapes/ids.ts'
import type { Found } from './bookings.ts'

/** As its guest sees it. */
export const presentBooking = ({ row, page, start, end, freedom }: Found) => ({
  booking_page_id: encodeId('bkp', page.id),
  event: {
    id: encodeId('evt', row.id),
    status: freedom === 'cancelled' ? ('cancelled' as const) : ('confirmed' as const),
  },
  start: isoTime(start),
  end: isoTime(end),
  can_cancel: freedom === 'free' || freedom === 'only_cancel',
  can_reschedule: freedom === 'free',
})
