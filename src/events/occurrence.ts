// One occurrence of a series: read, edited, cancelled, or given back to its series. All of it is a change of the series, which its row
// is locked and compared for.
import type { Actor } from '../actors/actor.ts'
import { changedAt, requireMatch, requireMatchOfOne } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { again } from '../commit/decide.ts'
import { badRequest, conflict, invalid, invalidTransition, notFound } from '../errors.ts'
import { isOccurrence } from '../recurrence/expand.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { readPendingTimers } from '../timers/pendingTimers.ts'
import { seriesOf } from '../timers/series.ts'
import type { EventRow, OwnField } from './columns.ts'
import { detailNames } from './detailsSchema.ts'
import { onEvent, onEventOrCalendar } from './edit.ts'
import { asUpdate, writeEdit } from './editedEvents.ts'
import { externalSyncOf, externalSyncOfEdit } from './externalSync.ts'
import { requireChangeableEvent, requireEvent } from './find.ts'
import { mustBeFree, requireAllowedTimes } from './guarded.ts'
import { withLabelKeys } from './labels.ts'
import { type Instance, occurrenceAt, overridden } from './occurrences.ts'
import { overrideAt, overridesOf } from './overrideQueries.ts'
import { maxOverrides, newOverride } from './overrides.ts'
import { type EventInstanceRecord, presentEvent, presentInstance } from './present.ts'
import type { EventWithCalendar } from './queries.ts'
import { overlapsToReport, refusedBy, requireFree, requirementOf } from './requireFree.ts'
import type { UpdateEventBody } from './schema.ts'
import { siblingsNear } from './siblings.ts'
import { tellDueMoments, toldBySeries } from './tellDue.ts'
import { changedMoments, isRescheduled } from './timers.ts'
import { type EditOptions, editedRow, takesTimeNow, withLength } from './update.ts'
import { requireWeekday } from './weekday.ts'
import type { Written } from './written.ts'

/** `occurrenceStart`: the start that the series gives it. */
export type OccurrenceIds = { calendarId: string | undefined; eventId: string; occurrenceStart: Date }

export async function getOccurrence(app: App, actor: Actor, ids: OccurrenceIds): Promise<EventInstanceRecord> {
  const series = await requireEvent(app, actor, ids.eventId, ids.calendarId)
  const instance = await findOccurrence(app, series, ids.occurrenceStart)
  if (!instance) throw notFound('occurrence', 'occurrence_start')
  return presentInstance(app, instance, app.clock.now())
}

/** Whatever its status. Undefined if none starts then, or it was cancelled by a deletion. */
async function findOccurrence(app: App, series: EventWithCalendar, start: Date): Promise<Instance | undefined> {
  const compiled = seriesOf(series)
  if (!compiled) return undefined
  if (isOccurrence(compiled, start.getTime())) return occurrenceAt(series, start.getTime())
  const [row] = await overrideAt(app.sql, series, start)
  return row && overridden(row, series)
}

export async function updateOccurrence(
  app: App,
  actor: Actor,
  ids: OccurrenceIds,
  body: UpdateEventBody,
  options: EditOptions = {},
): Promise<Written> {
  const own = ownFieldsOf(body)
  const asked = await withLabelKeys(app, actor, body)
  const requirement = requirementOf(body.require_free || mustBeFree(actor), options)
  return onEventOrCalendar(app, actor, ids, requirement, async () => {
    const series = await requireChangeableEvent(app, actor, ids.eventId, ids.calendarId)
    const known = await requireOccurrence(app, actor, series, ids.occurrenceStart)
    if (!known && series.overriddenStarts.length >= maxOverrides) throw tooMany()
    const before: EventWithCalendar = { ...series, ...(known ?? newOverride(app, series, ids.occurrenceStart)) }
    requireWeekday(body, body.start_time ?? before.startTime, series.timezone)
    if (before.status === 'cancelled' && body.status !== undefined)
      throw invalidTransition('A cancelled occurrence stays cancelled. Give it back to its series with revert=true.')
    const now = app.clock.now()
    const updatedAt = changedAt(actor, now, series.updatedAt)
    const row: EventWithCalendar = {
      ...editedRow(app, before, withLength(before, asked, options), updatedAt),
      ownFields: [...new Set([...before.ownFields!, ...own])],
    }
    const isOther =
      row.startTime.getTime() !== before.startTime.getTime() || row.endTime.getTime() !== before.endTime.getTime()
    if (isOther && row.status !== 'cancelled') requireAllowedTimes(actor, row, now)
    const isJudged = body.require_free || ((isOther || takesTimeNow(before, row)) && mustBeFree(actor))
    const judged = requirementOf(isJudged, isOther ? options : { explain: options.explain })
    const omitted = {
      eventId: series.id,
      ...(refusedBy(judged) === 'availability' && (await staying(app, series, row))),
    }
    const free = await requireFree(app, row, omitted, judged, now)
    if (!free) return again
    const overlaps = await overlapsToReport(app, row, omitted, judged, now)
    const overriddenStarts = known ? series.overriddenStarts : [...series.overriddenStarts, ids.occurrenceStart]
    const after = { ...series, overriddenStarts, updatedAt }
    const event = presentInstance(app, overridden(row, after), now)
    // It has a copy of its own.
    const copied = { row, event: presentEvent(app, row, now) }
    const sync = known
      ? await externalSyncOfEdit(app, before, copied, now)
      : await externalSyncOf(app, series.destinationId, copied, now)
    const moments = !known || isRescheduled(before, row) ? changedMoments(row, now) : undefined
    const change = { before: series, row: after, publishes: true, isMoved: false, seenRevision: free.revision, now }
    const overrides = { written: [{ row, moments, isNew: !known }], dropped: [] }
    const written = { event, sync, overlaps }
    return (await writeEdit(app, actor, { ...change, overrides }, asUpdate(written))) ? written : again
  })
}

/** The other occurrences near this one. */
async function staying(app: App, series: EventWithCalendar, row: EventRow) {
  const overrides = series.overriddenStarts.length === 0 ? [] : await overridesOf(app.sql, series)
  const overriddenStarts = [...series.overriddenStarts, row.originalStart!]
  const others = overrides.filter(({ id }) => id !== row.id)
  return { stays: siblingsNear({ ...series, overriddenStarts }, others, row) }
}

/**
 * Cancels the occurrence that starts exactly then. Its timers stay where they are: one that comes due for a cancelled
 * occurrence moves on in silence. `reverts`: instead, it is as the series has it again.
 */
export const endOverride = (
  app: App,
  actor: Actor,
  ids: OccurrenceIds,
  { reverts }: { reverts: boolean },
): Promise<Written> =>
  onEvent(app, ids.eventId, async () => {
    const { occurrenceStart } = ids
    const before = await requireChangeableEvent(app, actor, ids.eventId, ids.calendarId)
    const known = await requireOccurrence(app, actor, before, occurrenceStart)
    const now = app.clock.now()
    const row = {
      ...before,
      recurrenceExdates: reverts ? before.recurrenceExdates : [...before.recurrenceExdates, occurrenceStart],
      overriddenStarts: before.overriddenStarts.filter((at) => at.getTime() !== occurrenceStart.getTime()),
      updatedAt: changedAt(actor, now, before.updatedAt),
    }
    const event = presentEvent(app, row, now)
    const sync = await externalSyncOfEdit(app, before, { row, event }, now)
    const pending = known && reverts ? await readPendingTimers(app, row, now) : undefined
    if (pending && (await tellDueMoments(app, actor, [known!.id], toldBySeries(row, pending, now)))) return again
    const moments = pending && changedMoments(row, now, pending)
    const overrides = known && { written: [], dropped: [known.id] }
    const change = { before, row, publishes: true, isMoved: false, moments, overrides, now }
    return (await writeEdit(app, actor, change, asUpdate({ event, sync }))) ? { event, sync } : again
  })

/** The row of an occurrence that differs from its series; undefined for any other that is active. */
export async function requireOccurrence(
  app: App,
  actor: Actor,
  series: EventWithCalendar,
  start: Date,
): Promise<EventRow | undefined> {
  const compiled = seriesOf(series)
  if (!compiled) {
    requireMatch(actor, () => presentEvent(app, series, app.clock.now()))
    throw conflict('occurrence_start needs a recurring series; this event happens once.', undefined, 'occurrence_start')
  }
  const isPlain = isOccurrence(compiled, start.getTime())
  const [known] = isPlain ? [] : await overrideAt(app.sql, series, start)
  const now = app.clock.now()
  const shown = known ? overridden(known, series) : occurrenceAt(series, start.getTime())
  requireMatchOfOne(actor, () => [presentInstance(app, shown, now), presentEvent(app, series, now)])
  if (series.status === 'cancelled' || (!isPlain && !known)) {
    throw badRequest(
      `No active occurrence of this series starts at ${isoTime(start)}. Lists with expand=true show its occurrences.`,
      'occurrence_start',
    )
  }
  return known
}

const tooMany = () =>
  badRequest(`A series has at most ${maxOverrides} occurrences that differ from it. Split it with scope=following.`)

const fields: readonly OwnField[] = [
  ...(['title', 'description', 'start_time', 'end_time', 'all_day', 'status', 'metadata', 'reminders'] as const),
  ...detailNames,
]

/** Refuses the fields that only a series has. */
function ownFieldsOf(body: UpdateEventBody): OwnField[] {
  for (const param of ['recurrence_rule', 'recurrence_timezone', 'recurrence_rdates'] as const) {
    if (body[param] !== undefined) throw invalid(`${param}: an occurrence has no rule of its own`, param)
  }
  return fields.filter((name) => body[name] !== undefined)
}
