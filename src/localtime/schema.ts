import { z } from 'zod'
import { timestamp } from '../shapes/datetimes.ts'
import { zone } from '../shapes/fields.ts'
import { datetime } from './fields.ts'
import { weekdayNames } from './spelling.ts'

const weekday = z.enum(weekdayNames).meta({ example: 'Tuesday' })
const date = z.string().meta({ example: '2026-12-01' })
const offset = z.string().meta({ example: '+01:00' })

export const localRecord = z
  .object({
    timezone: zone,
    weekday: weekday.meta({ description: 'Of the start.' }),
    date: date.meta({ description: 'Of the start.' }),
    start: z.string().meta({ description: 'Seconds and milliseconds only where there are any.', example: '10:00' }),
    end: z.string().meta({ example: '10:30' }),
    end_date: date.meta({ description: 'Of the end. An all-day event ends where this date begins.' }),
    utc_offset: offset.meta({ description: 'At the start.' }),
    end_utc_offset: offset.optional().meta({ description: 'At the end, where clocks change in between.' }),
    last_date: date.optional().meta({ description: 'The last day of an all-day event, included.' }),
    text: z.string().meta({ example: 'Tuesday 1 December 2026, 10:00–10:30 (Europe/Berlin, UTC+01:00)' }),
  })
  .meta({ id: 'LocalTime', description: 'The same times on the wall clock of a zone. Only with `view=local`.' })
export type LocalRecord = z.infer<typeof localRecord>

export const timeQuery = z.strictObject({
  tz: zone,
  at: datetime.optional().meta({ description: 'A time other than now.' }),
})

export const timeRecord = z
  .object({
    now: timestamp,
    local: z.object({
      timezone: zone,
      weekday,
      date,
      time: z.string().meta({ description: 'To the minute.', example: '10:00' }),
      utc_offset: offset,
      text: z.string().meta({ example: 'Tuesday 1 December 2026, 10:00 (Europe/Berlin, UTC+01:00)' }),
    }),
    iso_week: z.string().meta({ description: 'Of the local date.', example: '2026-W49' }),
    next_offset_change: z
      .object({ at: timestamp, utc_offset: offset.meta({ description: 'From then on.' }) })
      .nullable()
      .meta({ description: 'null if there is none.' }),
  })
  .meta({ id: 'Time' })
export type TimeRecord = z.infer<typeof timeRecord>
