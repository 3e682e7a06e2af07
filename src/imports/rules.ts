// Pure decisions of the import: when the next sync is, and what a reading changes.
import { dayMs, minuteMs } from '../shapes/durations.ts'
import type { Uuid } from '../shapes/ids.ts'

const periodMs = 15 * minuteMs
const longestWaitMs = 6 * 60 * minuteMs
const jitter = 0.1

/** `failures` in a row so far; `random` in [0, 1) spreads them by ten percent to either side. */
export function nextSyncAt(failures: number, now: Date, random: number): Date {
  const waitMs = Math.min(longestWaitMs, periodMs * 2 ** Math.max(0, failures - 1))
  return new Date(now.getTime() + Math.round(waitMs * (1 - jitter + 2 * jitter * random)))
}

/** Recurring sources are expanded so far ahead. */
const aheadDays = 366
/** Of a series, instances that lie further back are not kept. */
const backDays = 31
/** An unchanged feed is expanded anew when its instances reach a day less far. */
const expandEveryMs = dayMs

export const windowAt = (now: Date): { from: Date; until: Date } => ({
  from: new Date(now.getTime() - backDays * dayMs),
  until: new Date(now.getTime() + aheadDays * dayMs),
})

/** Whether what was imported from the last body still is what that body says at this moment. */
export const isExpanded = (
  last: { expandedAt: Date | null; expandedZone: string | null },
  zone: string,
  now: Date,
): boolean =>
  last.expandedAt !== null && last.expandedZone === zone && now.getTime() - last.expandedAt.getTime() < expandEveryMs

/** Identity and content of an event, as digests. */
export type Digests = { key: string; content: string }
export type Kept = Digests & { id: Uuid }

type ImportDiff<Item extends Digests> = {
  added: Item[]
  changed: (Item & { id: Uuid })[]
  removed: Uuid[]
}

/** Of two items with one identity the last counts. */
export function diffOf<Item extends Digests>(kept: readonly Kept[], read: readonly Item[]): ImportDiff<Item> {
  const missing = new Map(kept.map((one) => [one.key, one]))
  const items = new Map(read.map((item) => [item.key, item]))
  const diff: ImportDiff<Item> = { added: [], changed: [], removed: [] }
  for (const item of items.values()) {
    const known = missing.get(item.key)
    missing.delete(item.key)
    if (!known) diff.added.push(item)
    else if (known.content !== item.content) diff.changed.push({ ...item, id: known.id })
  }
  diff.removed = [...missing.values()].map(({ id }) => id)
  return diff
}
