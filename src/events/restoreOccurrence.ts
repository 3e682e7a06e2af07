// Taking back the cancellation of one occurrence of a series: a change of the series.
import type { Actor } from '../actors/actor.ts'
import { changedAt } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { again } from '../commit/decide.ts'
import { badRequest, conflict } from '../errors.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { readPendingTimers } from '../timers/pendingTimers.ts'
import type { EventRow } from './columns.ts'
import { onEventOrCalendar } from './edit.ts'
import { asUpdate, writeEdit } from './editedEvents.ts'
import { externalSyncOfEdit } from './externalSync.ts'
import { requireAllowedTimes } from './guarded.ts'
import { overrideAt } from './overrideQueries.ts'
import { inherited, newOverride, type OverrideChanges } from './overrides.ts'
import { presentEvent } from './present.ts'
import type { EventWithCalendar } from './queries.ts'
import { type Requirement, requireFree } from './requireFree.ts'
import { changedMoments } from './timers.ts'
import { requireRestorable } from './trash.ts'
import type { Written } from './written.ts'

/** `occurrenceStart`: the start that the series gives it. */
type Ids = { eventId: string; occurrenceStart: Date }

export const restoreOccurrence = (
  app: App,
  actor: Actor,
  { eventId, occurrenceStart }: Ids,
  requirement: Requirement,
): Promise<Written> =>
  onEventOrCalendar(app, actor, { eventId }, requirement, async () => {
    const before = await requireRestorable(app, actor, eventId, { isDeleted: false })
    if (before.recurrenceRule === null)
      throw conflict(
        'occurrence_start needs a recurring series; this event happens once.',
        undefined,
        'occurrence_start',
      )
    const restored = await restoredIn(app, before, occurrenceStart)
    if (!restored) {
      const message = `No cancelled occurrence of this series starts at ${isoTime(occurrenceStart)}.`
      throw badRequest(message, 'occurrence_start')
    }
    const now = app.clock.now()
    const { occurrence, series } = restored
    if (occurrence.status !== 'cancelled') requireAllowedTimes(actor, occurrence, now)
    const free = await requireFree(app, occurrence, { eventId: before.id }, requirement, now)
    if (!free) return again
    const row = { ...before, ...series, updatedAt: changedAt(actor, now, before.updatedAt) }
    const event = presentEvent(app, row, now)
    const sync = await externalSyncOfEdit(app, before, { row, event }, now)
    // The timers of the series may have passed it.
    const moments = changedMoments(row, now, await readPendingTimers(app, row, now))
    const overrides = overridesOf(app, restored, row, now)
    const change = {
      before,
      row,
      moments,
      overrides,
      publishes: true,
      isMoved: false,
      seenRevision: free.revision,
      now,
    }
    const done = { ...asUpdate({ event, sync }), action: 'event.restore' } as const
    return (await writeEdit(app, actor, change, done)) ? { event, sync } : again
  })

type Restored = {
  /** As it will be. */
  occurrence: EventRow
  /** The fields of its series that change. */
  series: Partial<EventRow>
  /** Of an occurrence with a row of its own. */
  override?: { id: EventRow['id']; isKept: boolean }
}

/** It was cancelled by a deletion, or by an edit, which then cancels it no longer. Undefined: it is not cancelled. */
async function restoredIn(app: App, series: EventWithCalendar, start: Date): Promise<Restored | undefined> {
  const without = (starts: readonly Date[]) => starts.filter((at) => at.getTime() !== start.getTime())
  const recurrenceExdates = without(series.recurrenceExdates)
  if (recurrenceExdates.length < series.recurrenceExdates.length)
    return { occurrence: newOverride(app, series, start), series: { recurrenceExdates } }
  const [row] = await overrideAt(app.sql, series, start)
  if (row?.status !== 'cancelled' || !row.ownFields!.includes('status')) return undefined
  const ownFields = row.ownFields!.filter((name) => name !== 'status')
  const isKept = ownFields.length > 0
  return {
    occurrence: inherited(app, series, { ...row, ownFields }),
    series: isKept ? {} : { overriddenStarts: without(series.overriddenStarts) },
    override: { id: row.id, isKept },
  }
}

function overridesOf(
  app: App,
  { occurrence, override }: Restored,
  series: EventWithCalendar,
  now: Date,
): OverrideChanges | undefined {
  if (!override) return undefined
  if (!override.isKept) return { written: [], dropped: [override.id] }
  const row = inherited(app, series, occurrence)
  const moments = changedMoments({ ...row, defaultReminders: series.defaultReminders }, now)
  return { written: [{ row, moments, isNew: false }], dropped: [] }
}
