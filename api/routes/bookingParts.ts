// Shared by the routes of booking pages and those of a guest's booking.
import { z } from 'zod'
import { minuteMs } from '../../src/shapes/durations.ts'
import { RawAnswer } from '../http/route.ts'
import { guarded, guardedHeaders } from '../pages/document.ts'

/** From one address, for both together. */
export const reads = { name: 'booking', max: 60, windowMs: minuteMs }
export const writes = { name: 'booking_post', max: 10, windowMs: minuteMs }

/** The success of a route that answers with the calendar file of a booking. */
export const bookingFile = {
  status: 200,
  schema: z.string(),
  contentType: 'text/calendar',
  headers: [...guarded, 'Content-Disposition'],
} as const

const fileHeaders = {
  ...guardedHeaders,
  'Content-Type': 'text/calendar; charset=utf-8',
  'Content-Disposition': 'attachment; filename="booking.ics"',
}

export const answerFile = (text: string) => new RawAnswer(200, fileHeaders, text)
