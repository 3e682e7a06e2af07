// The parameters that ask for the best times, and how the answer shows them.
import { z } from 'zod'
import { localRecord } from '../localtime/schema.ts'
import { laterTimestamp, timestamp } from '../shapes/datetimes.ts'
import { zone } from '../shapes/fields.ts'
import { type BestOrder, ranks } from './best.ts'
import { minutesSinceMidnight } from './hours.ts'

const maxBest = 50
const steps = ['5', '10', '15', '30', '60'] as const

const hoursPattern = /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/

export const bestShape = {
  best: z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(maxBest))
    .optional()
    .meta({
      description: 'Adds this many of the best times, by `rank`.',
      override: { type: 'integer', minimum: 1, maximum: maxBest },
    }),
  rank: z.enum(ranks).optional().meta({
    description: '`soonest` (default), `compact`: next to other events, or `spread`: far from them. Needs `best`.',
  }),
  step: z.enum(steps).optional().meta({
    description: 'The best times start at multiples of this many minutes after midnight; 15 by default. Needs `best`.',
  }),
  prefer: z
    .string()
    .regex(hoursPattern, 'expected HH:MM-HH:MM, each 00:00 to 23:59')
    .refine((text) => hoursPattern.test(text) && preferred(text).to > preferred(text).from, {
      error: 'must end after its start, on the same day',
      abort: true,
    })
    .optional()
    .meta({ description: 'Times of day that are preferred. Needs `best`.', example: '09:00-12:00' }),
  tz: zone.optional().meta({
    description:
      "The zone of midnight and of `prefer`: the calendar's by default, UTC for agents. With `view=local` also that of the local times. Needs one of both.",
  }),
}

type BestInput = Partial<z.infer<z.ZodObject<typeof bestShape>>> & { view?: string }

/** Parameters that only `best` allows. */
export function checkBest({ value, issues }: z.core.ParsePayload<BestInput>) {
  if (value.best !== undefined) return
  for (const name of ['rank', 'step', 'prefer', 'tz'] as const) {
    if (value[name] === undefined || (name === 'tz' && value.view !== undefined)) continue
    issues.push({
      code: 'custom',
      path: [name],
      message: name === 'tz' ? 'needs best or view=local' : 'needs best',
      input: value[name],
    })
  }
}

const preferred = (text: string) => ({
  from: minutesSinceMidnight(text.slice(0, 5)),
  to: minutesSinceMidnight(text.slice(6)),
})

/** Undefined if the caller does not ask for the best times. `usualZone`: the zone without `tz`. */
export function bestOrderOf(query: BestInput, usualZone: string): BestOrder | undefined {
  if (query.best === undefined) return undefined
  return {
    count: query.best,
    rank: query.rank ?? 'soonest',
    stepMinutes: Number(query.step ?? 15),
    prefer: query.prefer === undefined ? undefined : preferred(query.prefer),
    zone: query.tz ?? usualZone,
  }
}

export const bestRecord = z.array(
  z.object({
    start: timestamp,
    end: laterTimestamp,
    local: localRecord.optional(),
    score: z.int().min(0).max(100).meta({ example: 100 }),
    reasons: z.array(z.string()).meta({
      description:
        '`touches_before`, `touches_after`, `in_preferred_hours`, `minutes_before:<n>` and `minutes_after:<n>` to the next busy time.',
      example: ['touches_before', 'minutes_after:45'],
    }),
  }),
)
