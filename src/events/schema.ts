import { z } from 'zod'
import { reminders } from '../calendars/schema.ts'
import { datetime, laterDatetime, weekday, zonedDatetime } from '../localtime/fields.ts'
import type { ReadTime } from '../localtime/readTime.ts'
import { metadata, queryBoolean, zone } from '../shapes/fields.ts'
import { pageQuery } from '../shapes/lists.ts'
import { checkBuiltTimes, checkCreateBody, checkRdates, checkUpdateBody, endBeforeStart } from './bodyRules.ts'
import { changedDetails, labelQuery, newDetails, type WithLabelKeys } from './detailsSchema.ts'

export const eventStatuses = ['confirmed', 'tentative', 'cancelled', 'hold'] as const
export const eventSources = ['internal', 'external_ical'] as const

const title = z.string().min(1).max(500)
const description = z.string().max(50_000)

const requireFree = z.boolean().optional().meta({
  description:
    'Refuse it with `not_free` unless its time is free by the rules of availability. Of a series, every occurrence that starts in the first 366 days, at most 730. Not stored.',
})

const recurrenceTimezone = zone.nullable().optional().meta({
  description: 'Only with a rule: the series repeats by the clock of this zone. null: in UTC.',
  example: 'Europe/Berlin',
})

export const maxRdates = 100

const recurrenceRdates = z
  .array(datetime)
  .max(maxRdates)
  .check(checkRdates)
  .optional()
  .meta({ description: 'Only with a rule: starts beside those of the rule, none before `start_time`.' })

/** The zone that a start was sent with: the weekday is held against it. */
const zoneOf = (start: ReadTime | undefined): { start_zone?: string } => ({ start_zone: start?.zone })

export const createEventBody = z
  .strictObject({
    title,
    start_time: zonedDatetime,
    end_time: laterDatetime,
    weekday: weekday.optional(),
    description: description.optional(),
    all_day: z.boolean().default(false),
    status: z.enum(eventStatuses).default('confirmed'),
    metadata: metadata.optional(),
    reminders: reminders.optional(),
    recurrence_rule: z
      .string()
      .optional()
      .meta({ description: 'RRULE subset, without the RRULE: prefix.', example: 'FREQ=WEEKLY;BYDAY=MO' }),
    recurrence_timezone: recurrenceTimezone,
    recurrence_rdates: recurrenceRdates,
    hold_expires_at: datetime.optional().meta({ description: 'Required for a hold: 30 s to 15 min ahead.' }),
    hold_priority: z.int().min(0).max(100).optional().meta({
      description: 'With a hold, 0 unless given: a higher one ends the holds it overlaps, an equal one is refused.',
    }),
    require_free: requireFree,
    ...newDetails,
  })
  .transform(({ start_time, ...body }) => ({ ...body, start_time: start_time.at, ...zoneOf(start_time) }))
  .check(checkCreateBody)
  .meta({
    example: {
      title: 'Planning',
      start_time: '2026-12-01T09:00:00Z',
      end_time: '2026-12-01T10:00:00Z',
      reminders: [10],
    },
  })
export type CreateEventBody = z.infer<typeof createEventBody> & WithLabelKeys

/** A body that was built of checked fields: its times, and the rules between its fields. */
export const builtCreateBody = z.custom<CreateEventBody>().check(checkBuiltTimes, checkCreateBody)

export const updateEventBody = z
  .strictObject({
    title: title.optional(),
    description: description.nullable().optional().meta({ description: 'null clears' }),
    start_time: zonedDatetime.optional(),
    end_time: laterDatetime.optional(),
    weekday: weekday.optional(),
    all_day: z.boolean().optional(),
    status: z.enum(['confirmed', 'tentative', 'cancelled']).optional(),
    metadata: metadata.optional().meta({ description: 'Replaces the whole object.' }),
    reminders: reminders.optional().meta({ description: 'Replaces; null inherits again, [] means none.' }),
    recurrence_rule: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Of the whole series; null makes it a one-off.' }),
    recurrence_timezone: recurrenceTimezone,
    recurrence_rdates: recurrenceRdates,
    require_free: requireFree,
    ...changedDetails,
  })
  .transform(({ start_time, ...body }) => ({ ...body, start_time: start_time?.at, ...zoneOf(start_time) }))
  .check(checkUpdateBody)
  .meta({
    minProperties: 1,
    example: {
      title: 'Planning, an hour later',
      start_time: '2026-12-01T10:00:00Z',
      end_time: '2026-12-01T11:00:00Z',
    },
  })
export type UpdateEventBody = z.infer<typeof updateEventBody> & WithLabelKeys

/** As `builtCreateBody`. */
export const builtUpdateBody = z.custom<UpdateEventBody>().check(checkBuiltTimes, checkUpdateBody)

const widestExpandMs = 366 * 24 * 60 * 60 * 1000

export const eventListQuery = pageQuery()
  .extend({
    start_after: datetime.optional().meta({ description: 'First start that is listed.' }),
    start_before: laterDatetime.optional().meta({ description: 'First start that is not listed any more.' }),
    status: z.enum(eventStatuses).optional(),
    source: z.enum(eventSources).optional(),
    label: labelQuery,
    expand: queryBoolean
      .default(false)
      .meta({ description: 'Needs both bounds, at most 366 days apart: series come as their occurrences.' }),
  })
  .check(({ value: { expand, start_after: after, start_before: before }, issues }) => {
    if (!expand) return
    const refuse = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: undefined })
    if (!after) refuse('start_after', 'is required with expand=true')
    else if (!before) refuse('start_before', 'is required with expand=true')
    else if (before.getTime() - after.getTime() > widestExpandMs)
      refuse('start_before', 'may lie at most 366 days after start_after with expand=true')
  })
export type EventListQuery = z.infer<typeof eventListQuery>

export function checkWindow({ value: { start, end }, issues }: z.core.ParsePayload<{ start: Date; end: Date }>) {
  if (end <= start) issues.push({ ...endBeforeStart('end'), message: 'must be after start' })
  if (end.getTime() - start.getTime() <= widestExpandMs) return
  issues.push({ code: 'custom', path: ['end'], message: 'may lie at most 366 days after start', input: end })
}

/** A list of the events that overlap a window, rather than of those that start in it. */
export const windowQuery = z
  .strictObject({
    start: datetime,
    end: laterDatetime,
    status: z.enum(eventStatuses).optional().meta({ description: 'Else all but cancelled' }),
    query: z.string().min(2).max(100).optional(),
    label: labelQuery,
    limit: z.int().min(1),
    offset: z.int().min(0),
  })
  .check(checkWindow)
export type WindowQuery = z.infer<typeof windowQuery>

const heavyWindowMs = 31 * 24 * 60 * 60 * 1000

/** Whether it may cost much: its total is counted over all that lies in the window, and series are expanded in it. */
export function isHeavyList({ expand, start_after: after, start_before: before }: EventListQuery): boolean {
  if (expand) return true
  if (!after && !before) return false
  return !after || !before || before.getTime() - after.getTime() > heavyWindowMs
}

export const explainQuery = z.strictObject({
  explain: queryBoolean.default(false).meta({
    description: 'A `conflict` also says what is in the way and when it would be free.',
  }),
})

export const confirmQuery = explainQuery.extend({
  require_free: queryBoolean.default(false).meta({
    description: 'Refuse it with `not_free` unless its time is free by the rules of availability.',
  }),
})

const occurrenceStart = datetime.optional().meta({
  description: 'Only this occurrence of a series, by the start that the series gives it.',
})

export const occurrenceQuery = z.strictObject({ occurrence_start: occurrenceStart })

const scope = z.literal('following').optional().meta({
  description: 'With `occurrence_start`: this occurrence and those after it.',
})

const onlyWithOccurrence = (path: 'scope' | 'revert') => ({
  code: 'custom' as const,
  path: [path],
  message: 'only with occurrence_start',
  input: undefined,
})

export const updateEventQuery = explainQuery
  .extend({ occurrence_start: occurrenceStart, scope })
  .check(({ value, issues }) => {
    if (value.scope && !value.occurrence_start) issues.push(onlyWithOccurrence('scope'))
  })

export const removeEventQuery = explainQuery
  .extend({
    occurrence_start: occurrenceStart,
    revert: queryBoolean.default(false).meta({
      description: 'With `occurrence_start`: the occurrence is not cancelled, but as the series has it again.',
    }),
  })
  .extend({ scope })
  .check(({ value: { occurrence_start, revert, scope: following }, issues }) => {
    if (following && !occurrence_start) issues.push(onlyWithOccurrence('scope'))
    if (revert && !occurrence_start) issues.push(onlyWithOccurrence('revert'))
    else if (revert && following)
      issues.push({ code: 'custom', path: ['revert'], message: 'only of one occurrence', input: revert })
  })

export const restoreEventBody = z
  .strictObject({
    require_free: requireFree,
    occurrence_start: datetime.optional().meta({
      description:
        'Of a series that is there: takes back the cancellation of this one occurrence, by the start that the series gives it.',
    }),
  })
  .meta({ example: { require_free: true } })
export type RestoreEventBody = z.infer<typeof restoreEventBody>
