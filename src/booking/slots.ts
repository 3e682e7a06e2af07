// Which starts a page offers: every so many minutes from a day's opening, in its zone. Pure; times are epoch ms.
import { type Opening, openings } from '../availability/hours.ts'
import type { Intervals, Window } from '../availability/intervals.ts'
import { dayMs, minuteMs } from '../shapes/durations.ts'
import type { PageRow } from './queries.ts'

/** What of a page decides about its slots. */
export type Offer = Pick<
  PageRow,
  'durationMinutes' | 'windowDays' | 'minNoticeMinutes' | 'timezone' | 'availabilityConstraints'
>

/** In which a whole slot must lie. Empty when the notice is longer. */
export const windowOf = ({ minNoticeMinutes, windowDays }: Offer, now: Date): Window => ({
  fromMs: now.getTime() + minNoticeMinutes * minuteMs,
  toMs: now.getTime() + windowDays * dayMs,
})

/** Free slots inside the window, flat like intervals. Where days follow each other without a break they may overlap. */
export function freeSlots(offer: Offer, window: Window, taken: Intervals): number[] {
  const durationMs = offer.durationMinutes * minuteMs
  const slots: number[] = []
  let next = 0
  let latest = Number.NEGATIVE_INFINITY
  for (const opening of openings(offer.availabilityConstraints, offer.timezone, window)) {
    const lastStart = Math.min(lastStartOf(offer, opening, durationMs), window.toMs - durationMs)
    const skipped = Math.max(0, Math.ceil((window.fromMs - opening.startMs) / durationMs))
    for (let start = opening.startMs + skipped * durationMs; start <= lastStart; start += durationMs) {
      // Where clocks go back over a day's end two openings meet: what was offered is not offered again.
      if (start <= latest) continue
      latest = start
      while (next < taken.length && taken[next + 1]! <= start) next += 2
      if (next >= taken.length || taken[next]! >= start + durationMs) slots.push(start, start + durationMs)
    }
  }
  return slots
}

/** Without constraints any time is open, so that a day's last slot may run into the next. */
const lastStartOf = ({ availabilityConstraints }: Offer, { endMs }: Opening, durationMs: number) =>
  availabilityConstraints ? endMs - durationMs : endMs - 1

export type StartJudgement = 'possible' | 'too_soon' | 'too_late' | 'closed' | 'off_grid'

/** Whether the page could offer this start at all; whether it is free is another matter. */
export function judgeStart(offer: Offer, startMs: number, now: Date): StartJudgement {
  const durationMs = offer.durationMinutes * minuteMs
  const window = windowOf(offer, now)
  if (startMs < window.fromMs) return 'too_soon'
  if (startMs + durationMs > window.toMs) return 'too_late'
  let judgement: StartJudgement = 'closed'
  const slot = { fromMs: startMs, toMs: startMs + durationMs }
  for (const opening of openings(offer.availabilityConstraints, offer.timezone, slot)) {
    if (startMs < opening.startMs || startMs > lastStartOf(offer, opening, durationMs)) continue
    if ((startMs - opening.startMs) % durationMs === 0) return 'possible'
    judgement = 'off_grid'
  }
  return judgement
}
