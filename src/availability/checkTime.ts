// Whether one time is free, its conflicts, and the next free time of the same length.
import type { z } from 'zod'
import type { App } from '../app.ts'
import { noteInterest } from '../connections/sources.ts'
import { notFound } from '../errors.ts'
import { heavyRead } from '../quotas/heavyReads.ts'
import { presentCause } from './causes.ts'
import { causesOf, conflictingPieces, lookAheadUntil, nextFree } from './conflictingPieces.ts'
import { barredStarts } from './dailyLimits.ts'
import { openExplained, type Sees } from './explained.ts'
import type { CheckQuery, checkRecord } from './explainSchema.ts'
import { distinctSources } from './freshness.ts'
import { gaps } from './intervals.ts'
import { judgedSources } from './judged.ts'
import { presentIntervals } from './present.ts'
import type { Scope } from './queries.ts'
import { readNamedTimes } from './readTimes.ts'

const maxCauses = 2_000

export async function checkTime(
  app: App,
  scope: Scope,
  { start, end }: CheckQuery,
  sees: Sees,
): Promise<z.infer<typeof checkRecord>> {
  const asked = { fromMs: start.getTime(), toMs: end.getTime() }
  const lengthMs = asked.toMs - asked.fromMs
  const window = { fromMs: asked.fromMs, toMs: Math.max(lookAheadUntil(asked.fromMs), asked.toMs) }
  return heavyRead(app, scope.orgId, 'availability', async () => {
    const now = app.clock.now()
    const rows = await readNamedTimes(app, scope, window, now)
    if (rows.length === 0) throw notFound(scope.kind === 'calendar' ? 'calendar' : 'agent')
    const { busyOf, closeAll, beyondLimits, rooms, pieces } = openExplained(window, sees)
    const sources = distinctSources(rows)
    noteInterest(app, scope.orgId, sources, now)
    const isOpen = judgedSources(app, sources, asked, now, false).offersSlots
    const busy = busyOf(rows)
    if (!isOpen) closeAll(rows.every(sees))
    const barred = barredStarts(rooms(), lengthMs)
    const next = presentIntervals(nextFree(isOpen ? gaps(busy, window) : [], lengthMs, { barred }))
    const spans = [asked.fromMs, asked.toMs]
    const causes = causesOf(conflictingPieces([...pieces, ...beyondLimits(spans)], spans))
    return {
      free: causes.length === 0,
      blocked_by: causes.slice(0, maxCauses).map((cause) => presentCause(cause)),
      free_from: next[0]?.start ?? null,
      next_free: next,
    }
  })
}
