// The moments of edited occurrences that have come, told before their rows go: the timers of the series have passed them.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { isOccurrence } from '../recurrence/expand.ts'
import type { Uuid } from '../shapes/ids.ts'
import type { PendingTimer } from '../timers/pendingTimers.ts'
import { kindsOf, momentShiftMs, seriesOf } from '../timers/series.ts'
import type { Timer } from '../timers/timers.ts'
import { fireMoments } from './fire.ts'
import { type DueEventTimer, dueOfEvents } from './firingQueries.ts'
import { remindersOf, type TimedEvent } from './timers.ts'

/**
 * As if a worker had been faster. True: something was told, here or by a worker at this instant, and the caller must read again.
 * `isToldAnyway`: by the series. A dry run tells nothing.
 */
export async function tellDueMoments(
  app: App,
  { orgId, request }: Actor,
  ids: readonly Uuid[],
  isToldAnyway: (timer: Timer) => boolean,
): Promise<boolean> {
  if (ids.length === 0 || request.dryRun) return false
  const due = (await dueOfEvents(app, orgId, ids)).filter(isMoment).filter((timer) => !isToldAnyway(timer))
  if (due.length === 0) return false
  const { fired, later = [] } = await fireMoments(app, due)
  return fired.length > 0 || later.length > 0
}

/**
 * Whether a series, or the event that is left of it, tells the moment of an occurrence itself: it is to come, or the timer of the
 * series stands before it.
 */
export const toldBySeries =
  (series: TimedEvent, pending: readonly PendingTimer[], now: Date) =>
  (timer: Timer): boolean => {
    const startMs = timer.occurrenceStart!.getTime()
    const isOf = (other: Pick<Timer, 'kind' | 'offsetMinutes'>) =>
      other.kind === timer.kind && other.offsetMinutes === timer.offsetMinutes
    if (series.status !== 'confirmed' || !startsAt(series, startMs)) return false
    if (!kindsOf(remindersOf(series)).some(isOf)) return false
    const dueMs = startMs + momentShiftMs(timer, series)
    return dueMs > now.getTime() || pending.some((standing) => isOf(standing) && standing.dueAt.getTime() <= dueMs)
  }

function startsAt(event: TimedEvent, ms: number): boolean {
  const series = seriesOf(event)
  return series ? isOccurrence(series, ms) : event.startTime.getTime() === ms
}

type MomentTimer = Parameters<typeof fireMoments>[1][number]

const isMoment = (timer: DueEventTimer): timer is MomentTimer =>
  timer.kind === 'event_start' || timer.kind === 'event_end' || timer.kind === 'event_reminder'
