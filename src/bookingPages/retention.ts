import type { App } from '../app.ts'
import { deleteBookings } from '../bookings/writes.ts'
import { shownForMs } from './bookings.ts'

/** Removes what guests can no longer look at. Their events stay. */
export async function purgeBookings({ sql, clock }: App): Promise<void> {
  await deleteBookings(sql, new Date(clock.now().getTime() - shownForMs))
}
