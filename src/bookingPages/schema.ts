import { z } from 'zod'
import { outsideField } from '../actors/outsideText.ts'
import { explain, explainedKeys } from '../availability/explainSchema.ts'
import { refuseHours } from '../availability/rules.ts'
import { weeklyHours, weekRecord } from '../availability/schema.ts'
import { datetime, laterDatetime } from '../localtime/fields.ts'
import { email } from '../organizations/schema.ts'
import { laterTimestamp, timestamp } from '../shapes/datetimes.ts'
import { exampleId, id, idInput, queryBoolean, searchText, zone } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'
import { guestsField } from './additionalGuests.ts'
import { createDetails, recordDetails, updateDetails } from './details.ts'
import { languageNames } from './languages/languages.ts'
import { answersField } from './questions.ts'

const title = z.string().min(1).max(200)
const description = z.string().max(2_000)
const durationMinutes = z.int().min(5).max(480)
const bufferMinutes = z
  .int()
  .min(0)
  .max(120)
  .meta({ description: 'Minutes kept free on each side of an event, on top of the buffers of the calendar.' })
const windowDays = z.int().min(1).max(365).meta({ description: 'How many days ahead guests can book.' })
const minNoticeMinutes = z
  .int()
  .min(0)
  .max(40_320)
  .meta({ description: 'Guests must book at least this many minutes before the start.' })
const pageZone = zone.meta({ description: 'The zone of the hours and of the days.', example: 'Europe/Berlin' })

const constraints = weeklyHours
  .check(({ value, issues }) => {
    const refusal = refuseHours(value, 'availability_constraints')
    if (!refusal) return
    issues.push({ code: 'custom', path: refusal.param.split('.').slice(1), message: refusal.message, input: value })
  })
  .nullable()
  .meta({
    description:
      'Weekly hours of at least one day, each a stretch or a list of stretches, as `working_hours`; null: any time.',
  })

export const createPageBody = z
  .strictObject({
    calendar_id: idInput('cal'),
    title,
    description: description.optional(),
    duration_minutes: durationMinutes.default(30),
    buffer_minutes: bufferMinutes.default(0),
    window_days: windowDays.default(14),
    min_notice_minutes: minNoticeMinutes.default(0),
    timezone: pageZone.default('UTC'),
    availability_constraints: constraints.default(null),
    active: z.boolean().default(true),
    ...createDetails,
  })
  .meta({
    example: {
      calendar_id: exampleId('cal'),
      title: 'Half an hour with the team',
      duration_minutes: 30,
      timezone: 'Europe/Berlin',
    },
  })
export type CreatePageBody = z.infer<typeof createPageBody>

export const updatePageBody = z
  .strictObject({
    title: title.optional(),
    description: description.nullable().optional().meta({ description: 'null clears' }),
    duration_minutes: durationMinutes.optional(),
    buffer_minutes: bufferMinutes.optional(),
    window_days: windowDays.optional(),
    min_notice_minutes: minNoticeMinutes.optional(),
    timezone: pageZone.optional(),
    availability_constraints: constraints.optional(),
    active: z.boolean().optional(),
    ...updateDetails,
  })
  .refine((body) => Object.keys(body).length > 0, 'give at least one field; the calendar cannot change')
  .meta({
    minProperties: 1,
    example: {
      window_days: 28,
      availability_constraints: { mon: { start: '09:00', end: '17:00' }, thu: { start: '13:00', end: '17:00' } },
    },
  })
export type UpdatePageBody = z.infer<typeof updatePageBody>

export const pageRecord = z
  .object({
    id: id('bkp'),
    org_id: id('org'),
    calendar_id: id('cal'),
    agent_id: id('agt').nullable(),
    slug: z.string().meta({ example: 'k3v9q2m7x5d8' }),
    title: z.string().meta({ example: 'Half an hour with the team' }),
    description: z.string().nullable().meta({ example: null }),
    duration_minutes: z.int().meta({ example: 30 }),
    buffer_minutes: z.int().meta({ example: 0 }),
    window_days: z.int().meta({ example: 14 }),
    min_notice_minutes: z.int().meta({ example: 0 }),
    timezone: z.string().meta({ example: 'Europe/Berlin' }),
    availability_constraints: weekRecord.nullable(),
    active: z
      .boolean()
      .meta({ description: 'Guests can book. Always false once the calendar is deleted.', example: true }),
    bookings_count: z.int().meta({ example: 3 }),
    booking_url: z.string().meta({ format: 'uri', example: 'https://calendar.example.com/book/k3v9q2m7x5d8' }),
    created_at: timestamp,
    updated_at: timestamp,
    ...recordDetails,
  })
  .meta({ id: 'BookingPage' })

/** Not strict: sites that pass the public address on add parameters to it. */
export const slotsQuery = z
  .looseObject({
    from: datetime.optional().meta({ description: 'Leave out slots that start earlier.' }),
    to: laterDatetime.optional().meta({ description: 'Leave out slots that end later.' }),
    explain,
  })
  .check(({ value, issues }) => {
    if (!value.from || !value.to || value.to > value.from) return
    issues.push({ code: 'custom', path: ['to'], message: 'must be after from', input: value.to })
  })
export type SlotsQuery = z.infer<typeof slotsQuery>

export const slotsRecord = z
  .object({
    booking_page: pageRecord
      .pick({
        slug: true,
        title: true,
        description: true,
        duration_minutes: true,
        timezone: true,
        host_name: true,
        host_organization: true,
        location: true,
        questions: true,
        additional_guests: true,
        contact: true,
      })
      .extend({
        conference: z
          .object({ provider: z.string().meta({ example: 'Meet' }) })
          .optional()
          .meta({ description: 'Where set: guests who have booked get the whole.' }),
      }),
    slots: z.array(z.object({ start: timestamp, end: laterTimestamp })),
    next_from: timestamp.optional().meta({
      description: 'Only if later slots may be free: pass it as `from` for the next ones.',
    }),
    ...explainedKeys,
  })
  .meta({ id: 'BookingSlots' })

/** Not strict either. */
export const bookQuery = z.looseObject({
  explain: queryBoolean.default(false).meta({ description: 'The refusal of a slot that is taken offers other ones.' }),
})

export const language = z.enum(languageNames).meta({ example: 'en' })

/** The clock of a reader who does not want the usual one of their language. */
export const clock = z.enum(['12', '24']).meta({ description: 'The 12-hour or the 24-hour clock.', example: '24' })

/** The form on the page has the same limits. */
export const maxNameLength = 200
export const maxNotesLength = 2_000

/** A form sends each line break as two characters. */
const notes = z
  .string()
  .transform((text) => text.replace(/\r\n?/g, '\n'))
  .pipe(z.string().max(maxNotesLength))
  .meta({ maxLength: maxNotesLength })

export const bookBody = z
  .strictObject({
    name: z.string().trim().min(1).max(maxNameLength),
    email,
    notes: notes.optional(),
    answers: answersField.optional(),
    guests: guestsField.optional(),
    start: datetime.meta({ description: 'The start of a free slot.' }),
    zone: zone.optional().meta({ description: 'The zone in which the confirmation page shows the time.' }),
    lang: language.optional().meta({ description: 'The language of the confirmation page and of mails.' }),
    clock: clock.optional(),
    attempt: z.string().min(16).max(64).optional().meta({
      description: 'A random text. A request that repeats it gets the same booking instead of a conflict.',
    }),
    website: z
      .string()
      .max(0, 'must stay empty')
      .optional()
      .meta({ description: 'Leave it empty; robots fill it in.' }),
  })
  .meta({ example: { name: 'Ada Lovelace', email: 'ada@example.com', start: '2026-12-01T09:00:00Z' } })
export type BookBody = z.infer<typeof bookBody>

export const bookedRecord = z
  .object({
    booking_page_id: id('bkp'),
    event: z.object({ id: id('evt'), status: z.literal('confirmed') }),
  })
  .meta({ id: 'Booking' })

/** Facts about the reader of a guest's form. */
const readerFields = {
  zone: zone.optional().meta({ description: 'The zone in which the page shows times.' }),
  lang: language.optional().meta({ description: 'The language of the page.' }),
  clock: clock.optional(),
}

export const guestBookingBody = z.strictObject(readerFields).meta({ example: {} })

export const rescheduleBody = z
  .strictObject({ start: datetime.meta({ description: 'The start of a free slot.' }), ...readerFields })
  .meta({ example: { start: '2026-12-01T09:00:00Z' } })

export const guestBookingRecord = z
  .object({
    booking_page_id: id('bkp'),
    event: z.object({ id: id('evt'), status: z.enum(['confirmed', 'cancelled']) }),
    start: timestamp,
    end: laterTimestamp,
    can_cancel: z.boolean(),
    can_reschedule: z.boolean(),
  })
  .meta({ id: 'GuestBooking' })

export const bookingListQuery = pageQuery().extend({
  from: datetime.optional().meta({ description: 'First start that is listed.' }),
  to: laterDatetime.optional().meta({ description: 'First start that is not listed any more.' }),
  query: searchText.optional().meta({ description: 'A part of the name or address of a guest.', example: 'ada' }),
})
export type BookingListQuery = z.infer<typeof bookingListQuery>

export const bookingRecord = z
  .object({
    event_id: id('evt'),
    start: timestamp,
    end: laterTimestamp,
    status: z.enum(['confirmed', 'cancelled']),
    name: z.string().meta({ example: 'Ada Lovelace' }),
    email: z.string().meta({ example: 'ada@example.com' }),
    notes: z.string().nullable(),
    answers: z.array(z.object({ name: z.string(), label: z.string(), answer: z.string() })),
    guests: z.array(z.string()).meta({ description: 'The addresses of further guests who were invited.' }),
    created_at: timestamp,
    outside: outsideField,
  })
  .meta({ id: 'PageBooking' })
export type BookingRecord = z.infer<typeof bookingRecord>
