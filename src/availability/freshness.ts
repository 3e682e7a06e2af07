// Whether the copies of external calendars are current enough to answer. Fail-closed: a source that is not current offers no
// slots. Pure.
import { isCovered, judgeCopy } from '../connections/rules.ts'
import type { Window } from './intervals.ts'

/** An external calendar whose busy time counts, as the statement reads it: times are texts. */
type Source = {
  id: string
  revision: number
  isActive: boolean
  lastReadAt: string | null
  coversFrom: string | null
  coversUntil: string | null
  unreadSince: string | null
}

type AvailabilityState = 'complete' | 'stale' | 'partial' | 'unavailable'

export type Freshness = {
  state: AvailabilityState
  external: 'current' | 'stale' | 'partial' | 'unavailable' | 'none'
  /** Of the copy that is oldest. */
  lastSyncedAt: Date | null
  offersSlots: boolean
}

export const withoutSources: Freshness = { state: 'complete', external: 'none', lastSyncedAt: null, offersSlots: true }

/** `allowStale` makes do with old copies; nothing makes up for a missing one. */
export function judgeSources(sources: readonly Source[], window: Window, now: Date, allowStale: boolean): Freshness {
  if (sources.length === 0) return withoutSources
  const copies = sources.map((source) => copyOf(source, window, now))
  const state = stateOf(copies)
  return {
    state,
    external: state === 'complete' ? 'current' : state,
    lastSyncedAt: oldestRead(sources),
    offersSlots: state === 'complete' || (state === 'stale' && allowStale),
  }
}

type Copy = ReturnType<typeof judgeCopy>

function copyOf(
  { isActive, lastReadAt, coversFrom, coversUntil, unreadSince }: Source,
  window: Window,
  now: Date,
): Copy {
  if (lastReadAt === null || coversFrom === null || coversUntil === null) return 'missing'
  const covers = { coversFrom: new Date(coversFrom), coversUntil: new Date(coversUntil) }
  if (!isCovered(window, covers, now)) return 'missing'
  const age = {
    isActive,
    lastReadAt: new Date(lastReadAt),
    unreadSince: unreadSince === null ? null : new Date(unreadSince),
  }
  return judgeCopy(age, now)
}

function stateOf(copies: readonly Copy[]): AvailabilityState {
  const missing = copies.filter((copy) => copy === 'missing').length
  if (missing > 0) return missing === copies.length ? 'unavailable' : 'partial'
  return copies.every((copy) => copy === 'current') ? 'complete' : 'stale'
}

function oldestRead(sources: readonly Source[]): Date | null {
  const times = sources.flatMap(({ lastReadAt }) => (lastReadAt === null ? [] : Date.parse(lastReadAt)))
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Each once: agents may share a source. */
export const distinctSources = <Row extends Source>(rows: readonly { sources?: readonly Row[] | null }[]): Row[] => [
  ...new Map(rows.flatMap(({ sources }) => sources ?? []).map((source) => [source.id, source])).values(),
]

/** While it stays the same, so does everything that the sources make busy. */
export const sourcesText = (sources: readonly Source[]): string =>
  sources
    .map(({ id, revision }) => `${id}:${revision}`)
    .sort()
    .join(' ')
