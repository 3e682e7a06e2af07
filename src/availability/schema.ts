import { z } from 'zod'
import { datetime, laterDatetime } from '../localtime/fields.ts'
import { laterTimestamp, timestamp } from '../shapes/datetimes.ts'
import type { ErrorCode } from '../shapes/errorTypes.ts'
import { exampleId, id, idInput, listedIds, queryBoolean, zone } from '../shapes/fields.ts'
import { bestRecord, bestShape, checkBest } from './bestSchema.ts'
import { explain, explainedKeys, stretchRecord } from './explainSchema.ts'
import { weekdays } from './hours.ts'

const minutesOf = { '15m': 15, '30m': 30, '45m': 45, '1h': 60, '2h': 120 } as const
const duration = z.enum(Object.keys(minutesOf) as (keyof typeof minutesOf)[])

const shape = {
  start: datetime,
  end: datetime.meta({ description: 'After start.', example: '2026-12-01T17:00:00Z' }),
  duration: duration.optional().meta({ description: 'Length of a slot; 30m by default.' }),
  slot_duration: duration.optional().meta({ deprecated: true, description: 'The former name of duration.' }),
  include_busy: queryBoolean.default(false),
  allow_stale: queryBoolean
    .default(false)
    .meta({ description: 'Use old copies of external calendars. Only for exploring, never for booking.' }),
  explain,
  ...bestShape,
}

type WindowInput = Pick<z.infer<z.ZodObject<typeof shape>>, 'start' | 'end' | 'duration' | 'slot_duration'>

function checkWindow({ value, issues }: z.core.ParsePayload<WindowInput>) {
  const refuse = (path: string, message: string) =>
    issues.push({ code: 'custom', path: [path], message, input: undefined })
  if (value.end <= value.start) refuse('end', 'must be after start')
  if (value.duration && value.slot_duration && value.duration !== value.slot_duration) {
    refuse('slot_duration', 'differs from duration, whose former name it is: give duration alone')
  }
}

export const availabilityQuery = z.strictObject(shape).check(checkWindow).check(checkBest)
export type AvailabilityQuery = z.infer<typeof availabilityQuery>

export const crossAgentQuery = z
  .strictObject({
    ...shape,
    agents: listedIds('agt').meta({ description: 'Slots at which all of these agents are free.' }),
    calendars: listedIds('cal')
      .optional()
      .meta({ description: 'Only these calendars count. An agent that owns none of them counts as free.' }),
  })
  .check(checkWindow)
  .check(checkBest)
export type CrossAgentQuery = z.infer<typeof crossAgentQuery>

export const slotMinutes = (query: AvailabilityQuery): number =>
  minutesOf[query.duration ?? query.slot_duration ?? '30m']

export const availabilityRecord = z
  .object({
    agents: z.array(id('agt')),
    slots: z.array(stretchRecord),
    busy: z.array(stretchRecord).optional().meta({ description: 'Busy time of the calendar, with include_busy.' }),
    per_agent_busy: z
      .record(z.string(), z.array(stretchRecord))
      .optional()
      .meta({ description: 'Busy time of each agent, with include_busy.' }),
    availability_state: z.enum(['complete', 'stale', 'partial', 'unavailable']),
    sources: z.object({
      internal: z.literal('current'),
      external: z.enum(['current', 'stale', 'partial', 'unavailable', 'none']).meta({ example: 'none' }),
      last_synced_at: timestamp
        .nullable()
        .meta({ description: 'Last synchronization of external calendars; null: there are none.', example: null }),
    }),
    warnings: z.array(z.string()).meta({
      description: '`availability_incomplete`: the busy time of external calendars is not known.',
      example: [],
    }),
    ...explainedKeys,
    best: bestRecord.optional().meta({ description: 'With `best`: by score, then start. They do not overlap.' }),
  })
  .meta({
    id: 'Availability',
    example: {
      agents: [exampleId('agt')],
      slots: [
        { start: '2026-12-01T09:00:00.000Z', end: '2026-12-01T09:30:00.000Z' },
        { start: '2026-12-01T09:30:00.000Z', end: '2026-12-01T10:00:00.000Z' },
      ],
      availability_state: 'complete',
      sources: { internal: 'current', external: 'none', last_synced_at: null },
      warnings: [],
    },
  })

const wallTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected HH:MM, 00:00 to 23:59')
  .meta({ example: '09:00' })
const closingTime = wallTime.meta({ example: '17:00' })
const stretch = z.strictObject({ start: wallTime, end: closingTime }).meta({ id: 'DayHours' })

const maxStretches = 12
const listedStretch = z.strictObject({
  start: wallTime,
  end: z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'expected HH:MM, 00:00 to 24:00')
    .meta({ example: '24:00' }),
})
/** One stretch, or several of them: only in a list can the last one end at midnight. */
const hours = z.union([stretch, z.array(listedStretch).max(maxStretches)])
const week = <T extends z.ZodType>(day: T) =>
  Object.fromEntries(weekdays.map((name) => [name, day])) as Record<(typeof weekdays)[number], T>

/** Hours by weekday. `refuseHours` decides whether they make sense. */
export const weeklyHours = z.strictObject(week(hours.optional()))

export const maxBufferMinutes = 120

const maxEntries = 200
const maxHolidayFeeds = 5
const label = z.string().min(1).max(100).optional().meta({ example: 'Company holidays' })
const localDate = z.iso.date().meta({ example: '2026-12-24' })

const dateHours = z.strictObject({
  from: localDate,
  to: localDate.optional().meta({ description: 'The last day; without it one day.', example: '2026-12-31' }),
  hours: z.array(listedStretch).max(maxStretches),
  label,
})
const absence = z.strictObject({ start: datetime, end: laterDatetime, label })

/** Any number passes here: a number out of range is `bad_request`, which `refuseRules` throws. The bounds are for the document. */
const bufferMinutes = z
  .number()
  .refine(Number.isInteger, 'expected a whole number')
  .default(0)
  .meta({ type: 'integer', minimum: 0, maximum: maxBufferMinutes })

const freeShape = {
  start: datetime,
  end: datetime,
  timezone: zone.meta({ description: 'The zone of the quarter hours at which slots begin, and of the day.' }),
  duration_minutes: z.int().min(5).max(480).default(30),
  day_start: wallTime.optional().meta({ description: 'For slots, HH:MM' }),
  day_end: wallTime.optional(),
  limit: z.int().min(1).max(50).default(10),
  include_busy: z.boolean().default(false),
}

function checkFree({ value, issues }: z.core.ParsePayload<z.infer<z.ZodObject<typeof freeShape>>>) {
  const { start, end, day_start: from = '00:00', day_end: until } = value
  const refuse = (path: string, message: string, code?: ErrorCode) =>
    issues.push({ code: 'custom', path: [path], message, ...(code && { params: { code } }), input: undefined })
  if (end <= start) refuse('end', 'must be after start', 'end_before_start')
  if (until !== undefined && until <= from) refuse('day_end', 'must be after day_start')
}

/** Of free time from now on, in slots at quarter hours. */
export const freeQuery = z.strictObject(freeShape).check(checkFree)
export type FreeQuery = z.infer<typeof freeQuery>

const idList = z
  .array(z.string())
  .min(1)
  .transform((ids) => [...new Set(ids)])

export const crossAgentFreeQuery = z
  .strictObject({ ...freeShape, agents: idList, calendars: idList.optional() })
  .check(checkFree)
export type CrossAgentFreeQuery = z.infer<typeof crossAgentFreeQuery>

export const rulesBody = z
  .strictObject({
    buffer_before_minutes: bufferMinutes,
    buffer_after_minutes: bufferMinutes,
    working_hours: weeklyHours
      .nullable()
      .default(null)
      .meta({
        description:
          'null: no restriction. A day that is left out is not a working day. A list of stretches is in order and without overlap, ' +
          'and its last `end` may be `24:00`.',
      }),
    timezone: zone.default('UTC'),
    dates: z
      .array(dateHours)
      .max(maxEntries)
      .optional()
      .meta({
        description:
          'Days of `timezone` that have these hours alone, or none with `hours: []`. The ranges do not overlap; `to` is included. ' +
          'They go before holidays and the week.',
      }),
    time_off: z.array(absence).max(maxEntries).optional().meta({ description: 'Times at which nothing is free.' }),
    holiday_subscription_ids: z
      .array(idInput('ics'))
      .max(maxHolidayFeeds)
      .optional()
      .meta({
        description: 'iCal subscriptions whose whole-day events close their days, unless `dates` names the day.',
        example: [exampleId('ics')],
      }),
    max_meetings_per_day: z.int().min(1).max(100).optional().meta({
      description: 'Events and holds that start on a local day of `timezone`. With so many of them the day is closed.',
    }),
    max_busy_minutes_per_day: z
      .int()
      .min(1)
      .max(1440)
      .optional()
      .meta({ description: 'Minutes that events and holds may take together on a local day of `timezone`.' }),
  })
  .meta({
    example: {
      buffer_after_minutes: 10,
      working_hours: { mon: { start: '09:00', end: '17:00' }, tue: { start: '09:00', end: '17:00' } },
      timezone: 'Europe/Berlin',
    },
  })
export type RulesBody = z.infer<typeof rulesBody>

export const weekRecord = z.object(week(hours.optional()))

export const rulesRecord = z
  .object({
    id: id('avr'),
    calendar_id: id('cal'),
    buffer_before_minutes: z.int().meta({ example: 0 }),
    buffer_after_minutes: z.int().meta({ example: 10 }),
    working_hours: weekRecord.nullable(),
    timezone: z.string().meta({ example: 'Europe/Berlin' }),
    dates: z.array(dateHours).optional().meta({ description: 'This and the following are shown where they are set.' }),
    time_off: z.array(z.object({ start: timestamp, end: laterTimestamp, label })).optional(),
    holiday_subscription_ids: z
      .array(id('ics'))
      .optional()
      .meta({ description: 'Those that were not removed.', example: [exampleId('ics')] }),
    max_meetings_per_day: z.int().optional().meta({ example: 6 }),
    max_busy_minutes_per_day: z.int().optional().meta({ example: 300 }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AvailabilityRules' })
