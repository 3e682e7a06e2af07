// How a caller asks why a time is not free, and how the answer says it.
import { z } from 'zod'
import { datetime, laterDatetime } from '../localtime/fields.ts'
import { localRecord } from '../localtime/schema.ts'
import { laterTimestamp, timestamp } from '../shapes/datetimes.ts'
import { queryBoolean } from '../shapes/fields.ts'
import { maxNamed, maxStretches } from './blocked.ts'
import { causeRecord } from './causes.ts'

export const explain = queryBoolean.default(false).meta({ description: 'Adds `blocked` and `empty_reason`.' })

export const emptyReasons = [
  'external_not_current',
  'window_shorter_than_duration',
  'all_blocked',
  'no_stretch_long_enough',
  'daily_limit',
] as const

/** A time, as answers name it. */
export const stretchRecord = z.object({ start: timestamp, end: laterTimestamp, local: localRecord.optional() })

/** Further fields of an explained answer. */
export const explainedKeys = {
  blocked: z
    .array(z.object({ start: timestamp, end: laterTimestamp, by: z.array(causeRecord) }))
    .optional()
    .meta({
      description: `With \`explain\`: the time that is not free, as stretches of one set of causes each. At most ${maxStretches.toLocaleString('en')} of them with ${maxNamed.toLocaleString('en')} causes in all.`,
    }),
  blocked_truncated: z
    .literal(true)
    .optional()
    .meta({ description: 'There are more: `blocked` holds the first ones.' }),
  empty_reason: z.enum(emptyReasons).optional().meta({ description: 'With `explain`, if there are no slots.' }),
}
export const checkQuery = z
  .strictObject({ start: datetime, end: laterDatetime.meta({ description: 'After start.' }) })
  .check(({ value, issues }) => {
    if (value.end > value.start) return
    issues.push({ code: 'custom', path: ['end'], message: 'must be after start', input: value.end })
  })
export type CheckQuery = z.infer<typeof checkQuery>

export const checkRecord = z
  .object({
    free: z.boolean(),
    blocked_by: z.array(causeRecord).meta({ description: 'The causes that block the time, each once.', example: [] }),
    free_from: timestamp.nullable().meta({
      description:
        'The first start, at or after the requested one, from which the same length is free; null: none within 14 days.',
    }),
    next_free: z.array(stretchRecord).meta({ description: 'The next free times of the same length, at most 5.' }),
  })
  .meta({ id: 'AvailabilityCheck' })
