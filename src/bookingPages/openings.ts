// When a page is open: its own hours. On a date that the rules of its calendar name, it is open where these hours meet those of the
// date, and slots count from the latter. Pure; times are epoch ms.
import { datedHours } from '../availability/closings.ts'
import { type Opening, openings, openingsBy } from '../availability/hours.ts'
import type { Window } from '../availability/intervals.ts'
import { localDays } from '../availability/localDays.ts'
import type { PageRow, PublicPageRow } from './queries.ts'

/** The fields of a page that decide about its slots. */
export type Offer = Pick<
  PageRow,
  'durationMinutes' | 'windowDays' | 'minNoticeMinutes' | 'timezone' | 'availabilityConstraints'
> & { details?: Pick<PageRow['details'], 'slot_interval_minutes'> } & Partial<
    Pick<PublicPageRow, 'ruleDates' | 'ruleZone'>
  >

/** `gridMs`: from where slots count, if that is not its start. */
type PageOpening = Opening & { gridMs?: number }

/** Of all days that may overlap the window, in order, not cut to it. */
export function pageOpenings(offer: Offer, window: Window): PageOpening[] {
  const { availabilityConstraints, timezone, ruleDates, ruleZone } = offer
  const own = openings(availabilityConstraints, timezone, window)
  if (!ruleDates || !ruleZone) return own
  const named = datedHours(ruleDates, ruleZone, window)
  const days = localDays(ruleZone, window).filter(({ day }) => named.has(day))
  if (days.length === 0) return own
  const dated = openingsBy((day) => named.get(day) ?? [], ruleZone, window)
  const common = meetings(own, dated).map(([opening, date]) => ({ ...overlap(opening, date), gridMs: date.startMs }))
  const rest = meetings(own, between(days)).map(([opening, gap]) => ({
    ...overlap(opening, gap),
    gridMs: opening.startMs,
  }))
  return [...common, ...rest].sort((a, b) => a.startMs - b.startMs)
}

/** The pairs that overlap, of two lists in order. */
function meetings(some: readonly Opening[], others: readonly Opening[]): [Opening, Opening][] {
  const found: [Opening, Opening][] = []
  for (let i = 0, j = 0; i < some.length && j < others.length; ) {
    const [a, b] = [some[i]!, others[j]!]
    if (Math.max(a.startMs, b.startMs) < Math.min(a.endMs, b.endMs)) found.push([a, b])
    if (a.endMs < b.endMs) i++
    else j++
  }
  return found
}

const overlap = (a: Opening, b: Opening): Opening => ({
  startMs: Math.max(a.startMs, b.startMs),
  endMs: Math.min(a.endMs, b.endMs),
})

/** The time before, between and after the days. */
const between = (days: readonly Opening[]): Opening[] =>
  [...days, undefined].map((day, nth) => ({
    startMs: days[nth - 1]?.endMs ?? Number.NEGATIVE_INFINITY,
    endMs: day?.startMs ?? Number.POSITIVE_INFINITY,
  }))
