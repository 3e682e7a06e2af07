// Which slots a page offers: back to back, or every so many minutes, from each opening of its hours, in its zone, or of a date of its calendar. Pure; times are epoch ms.
import type { Opening } from '../availability/hours.ts'
import type { Window } from '../availability/intervals.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import { type Offer, pageOpenings } from './openings.ts'

/** From the start of one slot to the next. */
export const stepMsOf = ({ durationMinutes, details }: Offer): number =>
  (details?.slot_interval_minutes ?? durationMinutes) * minuteMs

/** Whether no slot can ever be booked: the notice reaches to the end of the window. */
export const isNeverOpen = ({ minNoticeMinutes, windowDays, durationMinutes }: Offer): boolean =>
  (minNoticeMinutes + durationMinutes) * minuteMs > windowDays * dayMs

/** A slot must lie wholly inside. Empty if the notice is longer than the window. */
export const windowOf = ({ minNoticeMinutes, windowDays }: Offer, now: Date): Window => ({
  fromMs: now.getTime() + minNoticeMinutes * minuteMs,
  toMs: now.getTime() + windowDays * dayMs,
})

/** Without constraints every time is open, so the last slot of a day may run into the next day. */
export const lastStartOf = ({ availabilityConstraints }: Offer, { endMs }: Opening, durationMs: number) =>
  availabilityConstraints ? endMs - durationMs : endMs - 1

export type StartVerdict = 'possible' | 'too_soon' | 'too_late' | 'closed' | 'off_grid'

/** Whether the page could offer this start. Does not check that it is free. */
export function judgeStart(offer: Offer, startMs: number, now: Date): StartVerdict {
  const durationMs = offer.durationMinutes * minuteMs
  const window = windowOf(offer, now)
  if (startMs < window.fromMs) return 'too_soon'
  if (startMs + durationMs > window.toMs) return 'too_late'
  let verdict: StartVerdict = 'closed'
  const slot = { fromMs: startMs, toMs: startMs + durationMs }
  for (const opening of pageOpenings(offer, slot)) {
    if (startMs < opening.startMs || startMs > lastStartOf(offer, opening, durationMs)) continue
    if ((startMs - (opening.gridMs ?? opening.startMs)) % stepMsOf(offer) === 0) return 'possible'
    verdict = 'off_grid'
  }
  return verdict
}
