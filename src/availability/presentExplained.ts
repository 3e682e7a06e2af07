// Why time is not free, as the API shows it.
import type { z } from 'zod'
import { isoTimeOf } from '../shapes/datetimes.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { blockedBy } from './blocked.ts'
import { type Cause, type CauseRecord, presentCause } from './causes.ts'
import type { emptyReasons, explainedKeys } from './explainSchema.ts'
import type { Intervals, Window } from './intervals.ts'

type EmptyReason = (typeof emptyReasons)[number]
type Explained = z.infer<z.ZodObject<typeof explainedKeys>>

/** `free` is the free rest of the window; `slots` are those of the answer. `isOpen`: false if the sources are not current. `isLimited`: without the
 * daily limits there would be slots. */
export function presentExplained(
  { stretches, truncated }: ReturnType<typeof blockedBy>,
  {
    window,
    free,
    slots,
    durationMs,
    isOpen = true,
    isLimited = false,
  }: {
    window: Window
    free: Intervals
    slots: readonly number[]
    durationMs: number
    isOpen?: boolean
    isLimited?: boolean
  },
): Explained {
  const present = openPresent()
  return {
    blocked: stretches.map(({ startMs, endMs, by }) => ({
      start: isoTimeOf(startMs),
      end: isoTimeOf(endMs),
      by: by.map(present),
    })),
    ...(truncated && { blocked_truncated: true as const }),
    ...(slots.length === 0 && {
      empty_reason: isOpen ? emptyReason(window, free, durationMs, isLimited) : 'external_not_current',
    }),
  }
}

function emptyReason({ fromMs, toMs }: Window, free: Intervals, durationMs: number, isLimited: boolean): EmptyReason {
  if (toMs - fromMs < durationMs) return 'window_shorter_than_duration'
  if (isLimited) return 'daily_limit'
  return free.length === 0 ? 'all_blocked' : 'no_stretch_long_enough'
}

/** Each cause is presented once, however many stretches name it, and so is the id of each calendar. */
function openPresent(): (cause: Cause) => CauseRecord {
  const calendarIdOf = once((calendarId: Uuid) => encodeId('cal', calendarId))
  return once((cause) => presentCause(cause, calendarIdOf))
}

function once<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
