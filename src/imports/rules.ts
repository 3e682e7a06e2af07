// Pure decisions of the import: when the next sync is, and which instances of a series are imported.
import { dayMs, minuteMs } from '../shapes/durations.ts'

const periodMs = 15 * minuteMs
const maxWaitMs = 6 * 60 * minuteMs
const jitter = 0.1

/** `failures` in a row so far; `random` in [0, 1) spreads them by ten percent to either side. */
export function nextSyncAt(failures: number, now: Date, random: number): Date {
  const waitMs = Math.min(maxWaitMs, periodMs * 2 ** Math.max(0, failures - 1))
  return new Date(now.getTime() + Math.round(waitMs * (1 - jitter + 2 * jitter * random)))
}

/** How far ahead series are expanded. */
const aheadDays = 366
/** Instances of a series that lie further back are not kept. */
const backDays = 31
/** An unchanged feed is expanded again when its instances reach one day less far. */
const expandEveryMs = dayMs

export const windowAt = (now: Date): { from: Date; until: Date } => ({
  from: new Date(now.getTime() - backDays * dayMs),
  until: new Date(now.getTime() + aheadDays * dayMs),
})

/** Whether the last body, expanded now, would still give the same events. */
export const isExpanded = (
  last: { expandedAt: Date | null; expandedZone: string | null },
  zone: string,
  now: Date,
): boolean =>
  last.expandedAt !== null && last.expandedZone === zone && now.getTime() - last.expandedAt.getTime() < expandEveryMs
