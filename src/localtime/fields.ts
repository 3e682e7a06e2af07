// Fields that callers send: a datetime, with an offset or with its zone in brackets, and a weekday.
import { z } from 'zod'
import { datetimeForm } from './hints.ts'
import { type ReadTime, readTime } from './readTime.ts'
import type { WeekdayName } from './spelling.ts'
import { parseWeekday } from './weekday.ts'

const text = z.string({
  error: ({ input }) => (input === undefined ? undefined : `must be a string, ${datetimeForm}`),
})

/** `params` of an issue become keys of the error. */
function read(sent: string, { issues }: z.core.$RefinementCtx<string>): ReadTime {
  const time = readTime(sent)
  if (time.kind === 'time') return time
  const { code, message, suggestions } = time
  const params = suggestions.length > 0 ? { code, suggestions } : { code }
  issues.push({ code: 'custom', message, params, input: sent })
  return z.NEVER
}

const shown = { format: 'date-time', example: '2026-12-01T09:00:00Z' }

/** A datetime a caller sends. */
export const datetime = text.transform((sent, context) => read(sent, context).at).meta(shown)

/** One that comes after another: an end, a bound. */
export const laterDatetime = datetime.meta({ example: '2026-12-01T10:00:00Z' })

/** A datetime with the zone that it was sent with, if any. */
export const zonedDatetime = text.transform(read).meta(shown)

export const weekday = z
  .string()
  .transform((sent, { issues }): WeekdayName => {
    const name = parseWeekday(sent)
    if (name !== undefined) return name
    issues.push({ code: 'custom', message: 'expected a weekday, for example tuesday or tue', input: sent })
    return z.NEVER
  })
  .meta({
    description: 'A checksum: the weekday of the start, on the wall clock of its zone. Not stored.',
    example: 'tuesday',
  })
