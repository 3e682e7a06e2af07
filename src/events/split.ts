// This and following occurrences: the series ends before one of them, and another series begins there. One change, on the calendar.
import type { Actor } from '../actors/actor.ts'
import { changedAt } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { auditEntries } from '../audit/record.ts'
import { requireLiveCalendar } from '../calendars/calendars.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { bumpCalendar } from '../calendars/writes.ts'
import { byActor } from '../changeLog/origin.ts'
import { commitOrAgain } from '../commit/commitOrAgain.ts'
import { again } from '../commit/decide.ts'
import { badRequest, quotaExceeded } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import { secondsLeft } from '../plans/period.ts'
import { countDay, withinDay } from '../quotas/keyDays.ts'
import type { Alone } from '../recording/together.ts'
import { encodeId } from '../shapes/ids.ts'
import { storeResponse } from '../storedResponses/storeResponse.ts'
import type { Fragment } from '../stores/postgres.ts'
import { readPendingTimers } from '../timers/pendingTimers.ts'
import { emit } from '../webhooks/emit.ts'
import { activeSeriesCount } from './counts.ts'
import { onEvent, underCap } from './edit.ts'
import { asUpdate, writeEdit } from './editedEvents.ts'
import { externalSyncOf, externalSyncOfEdit, isMoved } from './externalSync.ts'
import { requireChangeableEvent, requireEvent } from './find.ts'
import { mustBeFree, requireAllowedTimes } from './guarded.ts'
import { withLabelKeys } from './labels.ts'
import { type OccurrenceIds, requireOccurrence } from './occurrence.ts'
import { overridesOf } from './overrideQueries.ts'
import { presentEvent } from './present.ts'
import { overlapsToReport, requireFree, requirementOf } from './requireFree.ts'
import { isActiveSeries } from './rule.ts'
import type { UpdateEventBody } from './schema.ts'
import { reachedOverrides } from './seriesEdit.ts'
import { withEventBudget } from './spending.ts'
import { splitEffects } from './splitEffects.ts'
import { beginSeries, cutSeries } from './splitRows.ts'
import { tellDueMoments, toldBySeries } from './tellDue.ts'
import { changedMoments } from './timers.ts'
import { type EditOptions, updateEvent } from './update.ts'
import { requireWeekday } from './weekday.ts'
import { answerOf, type Written } from './written.ts'

type Half = ReturnType<typeof answerOf>
/** `previous` is null where there is nothing before. */
type Split = { previous: Half | null; series: Half }
type WrittenSplit = { split: Split } & Pick<Written, 'overlaps'>

export async function splitSeries(
  app: App,
  actor: Actor,
  ids: OccurrenceIds,
  body: UpdateEventBody,
  options: EditOptions,
): Promise<WrittenSplit> {
  const read = await requireEvent(app, actor, ids.eventId, ids.calendarId)
  if (read.recurrenceRule !== null && read.startTime.getTime() === ids.occurrenceStart.getTime()) {
    await requireOccurrence(app, actor, read, ids.occurrenceStart)
    const { overlaps, ...written } = await updateEvent(app, actor, ids.calendarId, ids.eventId, body, options)
    return { split: { previous: null, series: answerOf(written) }, overlaps }
  }
  const asked = await withLabelKeys(app, actor, body)
  const split = await withinDay(app, actor, 'events', () =>
    withEventBudget(app, actor, () =>
      onCalendar(app, read.calendarId, async () => {
        const done = await trySplit(app, actor, ids, asked, options)
        if (done !== needsCap) return done
        const count = activeSeriesCount(app.sql, actor.orgId, app.clock.now())
        return withinCap(app, actor, 'recurring_events', count, async (guard) => {
          const capped = await trySplit(app, actor, ids, asked, options, underCap(app, guard))
          return capped === needsCap ? again : capped
        })
      }),
    ),
  )
  if (split === 'no_quota' || split === undefined) {
    const { limits, period } = actor
    throw quotaExceeded('events a month', limits.events ?? 0, secondsLeft(period, app.clock.now()))
  }
  return split
}

/** A further series that is active needs a place under the cap. */
const needsCap = Symbol('needs a place under the cap')

async function trySplit(
  app: App,
  actor: Actor,
  ids: OccurrenceIds,
  body: UpdateEventBody,
  options: EditOptions,
  cap?: Alone,
): Promise<WrittenSplit | typeof again | typeof needsCap> {
  // Read before the event: while its revision stays, so does all that is read after it.
  const { calendarId } = await requireEvent(app, actor, ids.eventId, ids.calendarId)
  const { revision } = await requireLiveCalendar(app, actor, encodeId('cal', calendarId))
  const before = await requireChangeableEvent(app, actor, ids.eventId, ids.calendarId)
  await requireOccurrence(app, actor, before, ids.occurrenceStart)
  const now = app.clock.now()
  const { previous, following } = cutSeries(before, ids.occurrenceStart, changedAt(actor, now, before.updatedAt))
  requireWeekday(body, body.start_time ?? ids.occurrenceStart, before.timezone)
  const known = await overridesOf(app.sql, before)
  const { row, overrides: moved } = beginSeries(app, actor, following, known, body, options)
  if (row.status !== 'cancelled') requireAllowedTimes(actor, row, now)
  const isJudged = body.require_free || mustBeFree(actor)
  const requirement = requirementOf(isJudged, isMoved(following, row) ? options : { explain: options.explain })
  const omitted = { eventId: before.id }
  if (!(await requireFree(app, row, omitted, requirement, now))) return again
  if (!cap && isActiveSeries(row, now)) return needsCap
  const overlaps = await overlapsToReport(app, row, omitted, requirement, now)
  const [ended, begun] = [presentEvent(app, previous, now), presentEvent(app, row, now)]
  const split: Split = {
    previous: answerOf({
      event: ended,
      sync: await externalSyncOfEdit(app, before, { row: previous, event: ended }, now),
    }),
    series: answerOf({
      event: begun,
      sync: await externalSyncOf(app, before.destinationId, { row, event: begun }, now),
    }),
  }
  const staying = new Set([...previous.overriddenStarts.map(Number)])
  const going = new Set(moved.map(({ id }) => id))
  const dropped = known
    .filter(({ id, originalStart }) => !going.has(id) && !staying.has(originalStart!.getTime()))
    .map(({ id }) => id)
  const pending = await readPendingTimers(app, before, now)
  if (await tellDueMoments(app, actor, dropped, toldBySeries(row, pending, now))) return again
  const rows = { before, previous, row, moved, dropped, pending, now }
  const counted = { orgId: before.orgId, calendarId }
  const day = countDay(app, actor, { events: 1 })
  const isAsSeen = (c: Fragment) => app.sql`${c}.revision = ${revision} and ${cap?.condition ?? app.sql`true`}`
  return commitOrAgain(
    app,
    {
      ...(cap?.steps && { steps: cap.steps }),
      guard: bumpCalendar(app, counted, { [row.status]: 1 }, isAsSeen),
      effects: [
        ...splitEffects(app, rows),
        day,
        ...emit(app, byActor(actor), [
          { type: 'event.updated', payload: { calendar_id: ended.calendarId, event: ended } },
          { type: 'event.created', payload: { calendar_id: ended.calendarId, event: begun } },
        ]),
        auditEntries(app, [
          { actor, action: 'event.update', resource: ended.id },
          { actor, action: 'event.create', resource: begun.id },
        ]),
        storeResponse(app, actor, split, { made: [begun.id], ...(overlaps && { extras: { overlaps } }), after: day }),
      ],
    },
    { split, overlaps },
  )
}

/** Only the ending: the series stops before the occurrence. */
export const endSeries = (app: App, actor: Actor, ids: OccurrenceIds): Promise<Written> =>
  onEvent(app, ids.eventId, async () => {
    const before = await requireChangeableEvent(app, actor, ids.eventId, ids.calendarId)
    await requireOccurrence(app, actor, before, ids.occurrenceStart)
    if (before.startTime.getTime() === ids.occurrenceStart.getTime())
      throw badRequest('Nothing would be left of the series. Delete it instead.', 'occurrence_start')
    const now = app.clock.now()
    const { previous: row } = cutSeries(before, ids.occurrenceStart, changedAt(actor, now, before.updatedAt))
    const event = presentEvent(app, row, now)
    const sync = await externalSyncOfEdit(app, before, { row, event }, now)
    const overrides = await reachedOverrides(app, before, row, now)
    const moments = changedMoments(row, now, await readPendingTimers(app, before, now))
    const change = { before, row, publishes: true, isMoved: true, moments, overrides, now }
    return (await writeEdit(app, actor, change, asUpdate({ event, sync }))) ? { event, sync } : again
  })
