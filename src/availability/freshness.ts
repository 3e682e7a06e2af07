// Whether what is known of external calendars is enough to answer. Fail-closed: what is not current offers no slots.

/** An external calendar whose busy time counts. `usable`: the copy at hand is old; `missing`: there is none. */
export type ExternalSource = { copy: 'current' | 'usable' | 'missing'; lastSyncedAt: Date | null }

type AvailabilityState = 'complete' | 'stale' | 'partial' | 'unavailable'

export type Freshness = {
  state: AvailabilityState
  external: 'current' | 'stale' | 'partial' | 'unavailable' | 'none'
  /** Of the copy that is oldest. */
  lastSyncedAt: Date | null
  offersSlots: boolean
  warnings: string[]
}

/** `allowStale` makes do with old copies; nothing makes up for a missing one. */
export function judgeSources(sources: readonly ExternalSource[], allowStale: boolean): Freshness {
  const state = stateOf(sources)
  const external = state === 'complete' ? (sources.length === 0 ? 'none' : 'current') : state
  return {
    state,
    external,
    lastSyncedAt: oldestSync(sources),
    offersSlots: state === 'complete' || (state === 'stale' && allowStale),
    warnings: state === 'complete' ? [] : ['availability_incomplete'],
  }
}

function stateOf(sources: readonly ExternalSource[]): AvailabilityState {
  const missing = sources.filter(({ copy }) => copy === 'missing').length
  if (missing > 0) return missing === sources.length ? 'unavailable' : 'partial'
  return sources.every(({ copy }) => copy === 'current') ? 'complete' : 'stale'
}

function oldestSync(sources: readonly ExternalSource[]): Date | null {
  const times = sources.flatMap(({ lastSyncedAt }) => lastSyncedAt?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}
