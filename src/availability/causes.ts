// Why a time is not free. Causes are compared by identity: each stands for one thing that could be taken away. Pure.
import { z } from 'zod'
import { isoTimeOf, laterTimestamp, timestamp } from '../shapes/datetimes.ts'
import { id } from '../shapes/fields.ts'
import { encodeId, type PublicId, type Uuid } from '../shapes/ids.ts'
import { type LimitKind, limitKinds } from './dailyLimits.ts'

type OfEvent = { calendarId: Uuid; eventId: Uuid }

export type Cause =
  /** `occurrenceMs`: of a series, which occurrence. */
  | ({ kind: 'event'; status: 'confirmed' | 'tentative'; occurrenceMs?: number } & OfEvent)
  | ({ kind: 'hold'; priority: number; expiresMs: number; groupId?: Uuid } & OfEvent)
  /** `expiresMs`: around a hold, when that lapses. */
  | ({ kind: 'buffer'; side: 'before' | 'after'; minutes: number; expiresMs?: number } & OfEvent)
  /** Without its calendar for whom may not see it. */
  | { kind: 'working_hours'; calendarId?: Uuid }
  /** A local day on which other hours count, or none at all. Without its calendar for whom may not see it. */
  | { kind: 'closed_date' | 'holiday'; calendarId?: Uuid; date: string }
  | { kind: 'time_off'; calendarId: Uuid }
  /** A local day on which the calendar takes no more. */
  | { kind: 'daily_limit'; calendarId: Uuid; date: string; limit: LimitKind }
  /** A human is busy elsewhere, or it is not known whether they are. */
  | { kind: 'external'; reason: 'busy' | 'not_current' }
  /** Something that the caller may not see. */
  | { kind: 'busy' }

const ofEvent = { calendar_id: id('cal'), event_id: id('evt') }

const date = z.iso
  .date()
  .meta({ description: "The local day, in the zone of the calendar's rules.", example: '2026-12-24' })
const ofDay = { calendar_id: id('cal').optional(), date }

/** The keys are those of its kind. */
const shapes = [
  z.object({
    kind: z.literal('event'),
    ...ofEvent,
    status: z.enum(['confirmed', 'tentative']),
    occurrence_start: timestamp.optional().meta({ description: 'Of a series: which occurrence.' }),
  }),
  z.object({
    kind: z.literal('hold'),
    ...ofEvent,
    hold_priority: z.int(),
    hold_expires_at: timestamp,
    hold_group_id: id('hgr').optional().meta({ description: 'The group that the hold was placed with.' }),
  }),
  z.object({ kind: z.literal('buffer'), ...ofEvent, side: z.enum(['before', 'after']), minutes: z.int() }),
  z.object({ kind: z.literal('working_hours'), calendar_id: id('cal').optional() }),
  z.object({ kind: z.literal('closed_date'), ...ofDay }),
  z.object({ kind: z.literal('holiday'), ...ofDay }),
  z.object({ kind: z.literal('time_off'), calendar_id: id('cal') }),
  z.object({
    kind: z.literal('daily_limit'),
    calendar_id: id('cal'),
    date,
    limit: z.enum(limitKinds).meta({ description: 'Which limit of the rules is reached, or would be exceeded.' }),
  }),
  z.object({ kind: z.literal('external'), reason: z.enum(['busy', 'not_current']) }),
  z.object({ kind: z.literal('busy') }),
] as const

export const causeRecord = z.discriminatedUnion('kind', shapes).meta({
  id: 'Cause',
  description: 'Why a time is not free. `busy`: an event that the caller may not see.',
  example: { kind: 'working_hours', calendar_id: 'cal_01k9xr8m3fe8tbc4x9m2v7h5qd' },
})
export type CauseRecord = z.infer<typeof causeRecord>

/** `conflict` of an error: the cause, its own times, and the owner of its calendar. */
const conflictFields = { start_time: timestamp, end_time: laterTimestamp, agent_id: id('agt').nullable() }
const [event, hold, buffer, hours, closedDate, holiday, timeOff, dailyLimit, external, busy] = shapes
export const conflictRecord = z.discriminatedUnion('kind', [
  event.extend(conflictFields),
  hold.extend(conflictFields),
  buffer.extend(conflictFields),
  hours.extend(conflictFields),
  closedDate.extend(conflictFields),
  holiday.extend(conflictFields),
  timeOff.extend(conflictFields),
  dailyLimit.extend(conflictFields),
  external.extend(conflictFields),
  busy,
])

type CalendarIdOf = (calendarId: Uuid) => PublicId<'cal'>
const encodeCalendar: CalendarIdOf = (calendarId) => encodeId('cal', calendarId)

/** `calendarIdOf`: for callers that present many causes of few calendars. */
export function presentCause(cause: Cause, calendarIdOf = encodeCalendar): CauseRecord {
  switch (cause.kind) {
    case 'event':
      return {
        kind: 'event',
        ...idsOf(cause, calendarIdOf),
        status: cause.status,
        ...(cause.occurrenceMs !== undefined && { occurrence_start: isoTimeOf(cause.occurrenceMs) }),
      }
    case 'hold':
      return {
        kind: 'hold',
        ...idsOf(cause, calendarIdOf),
        hold_priority: cause.priority,
        hold_expires_at: isoTimeOf(cause.expiresMs),
        ...(cause.groupId && { hold_group_id: encodeId('hgr', cause.groupId) }),
      }
    case 'buffer':
      return { kind: 'buffer', ...idsOf(cause, calendarIdOf), side: cause.side, minutes: cause.minutes }
    case 'working_hours':
      return {
        kind: 'working_hours',
        ...(cause.calendarId !== undefined && { calendar_id: calendarIdOf(cause.calendarId) }),
      }
    case 'closed_date':
    case 'holiday':
      return {
        kind: cause.kind,
        ...(cause.calendarId !== undefined && { calendar_id: calendarIdOf(cause.calendarId) }),
        date: cause.date,
      }
    case 'time_off':
      return { kind: 'time_off', calendar_id: calendarIdOf(cause.calendarId) }
    case 'daily_limit':
      return {
        kind: 'daily_limit',
        calendar_id: calendarIdOf(cause.calendarId),
        date: cause.date,
        limit: cause.limit,
      }
    case 'external':
      return { kind: 'external', reason: cause.reason }
    case 'busy':
      return { kind: 'busy' }
  }
}

const idsOf = ({ calendarId, eventId }: OfEvent, calendarIdOf: CalendarIdOf) => ({
  calendar_id: calendarIdOf(calendarId),
  event_id: encodeId('evt', eventId),
})

/** The time at which the cause ends by itself: a hold, and the buffers around it. Undefined for any other cause. */
export const lapseOf = (cause: Cause): number | undefined =>
  cause.kind === 'hold' || cause.kind === 'buffer' ? cause.expiresMs : undefined
