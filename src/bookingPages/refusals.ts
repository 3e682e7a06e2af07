// Why a slot cannot be booked, as errors.
import { conflict, invalid, ServiceError } from '../errors.ts'
import type { StartVerdict } from './slots.ts'

/** How long a booking waits for the external calendars of the page's owner. */
export const patienceMs = 3_000

export const notKnown = () =>
  new ServiceError('internal_error', 'We cannot check this time right now. Nothing was booked.', {
    code: 'availability_incomplete',
    status: 503,
    retryAfterSeconds: 60,
  })

const refusals: Record<Exclude<StartVerdict, 'possible'>, string> = {
  too_soon: 'start: that is too soon to be booked. Choose a later time.',
  too_late: 'start: that is too far ahead to be booked yet. Choose an earlier time.',
  closed: 'start: nothing can be booked at that time of day. Choose one of the slots.',
  off_grid: 'start: no slot starts at that time. Choose one of the slots.',
}

export const refusalOf = (verdict: Exclude<StartVerdict, 'possible'>): ServiceError =>
  invalid(refusals[verdict], 'start')

export const slotTaken = (): ServiceError =>
  conflict('This time is no longer free. Choose another one.', undefined, 'start')
