// The current time in an answer, and the window that it is about.
import { z } from 'zod'
import { momentWords, offsetTime, spanWhen } from '../../../src/localtime/words.ts'
import { zone } from '../../../src/shapes/fields.ts'

/** The zone in which an answer shows times, and the current time. */
export type Clock = { zone: string; now: Date }

/** At the top of every answer about events or availability. */
export const clockKeys = { now: 'string', timezone: 'string' } as const
export const clockOf = ({ zone, now }: Clock) => ({ now: momentWords(now.getTime(), zone), timezone: zone })

export const windowArguments = {
  start: z.string().optional(),
  end: z.string().optional(),
  timezone: zone.optional(),
}

/** A span of time as answers show it. */
export const shownSpan = (startMs: number, endMs: number, { zone, now }: Clock) => ({
  start: offsetTime(startMs, zone),
  end: offsetTime(endMs, zone),
  when: spanWhen({ startMs, endMs }, zone, now.getTime()),
})

/** The window that was searched. */
export const windowOf = ({ start, end }: { start: Date; end: Date }, clock: Clock) =>
  shownSpan(start.getTime(), end.getTime(), clock)
