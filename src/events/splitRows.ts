// The rows of a series that is split: what ends before an occurrence, and what begins there.
import type { Actor } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { badRequest, invalid } from '../errors.ts'
import { isOccurrence } from '../recurrence/expand.ts'
import { shifterOf, splitRule } from '../recurrence/split.ts'
import { newId } from '../shapes/ids.ts'
import { besideOf, seriesOf } from '../timers/series.ts'
import { rdateBeforeStart } from './bodyRules.ts'
import { openMetadata, sealMetadata } from './bookingMetadata.ts'
import type { EventRow } from './columns.ts'
import { requireRule } from './createSeries.ts'
import { detailsFor } from './details.ts'
import { inherited } from './overrides.ts'
import { descriptionContext, textsOf } from './present.ts'
import type { EventWithCalendar } from './queries.ts'
import { decideRule } from './rule.ts'
import type { UpdateEventBody } from './schema.ts'
import { type EditOptions, editedRow, withLength } from './update.ts'

/** `following` has no id of its own yet. Throws if the rule cannot be cut there: before its first occurrence, or at a single date. */
export function cutSeries(
  before: EventWithCalendar,
  at: Date,
  updatedAt: Date,
): { previous: EventWithCalendar; following: EventWithCalendar } {
  const cut = splitRule(before.recurrenceRule!, before.startTime, at, besideOf(before))
  if (!cut) {
    throw badRequest(
      'The series cannot be split here: name an occurrence of its rule after the first one.',
      'occurrence_start',
    )
  }
  const earlier = (times: readonly Date[]) => times.filter((time) => time < at)
  const later = (times: readonly Date[]) => times.filter((time) => time >= at)
  const { recurrenceExdates, recurrenceRdates, overriddenStarts } = before
  const previous: EventWithCalendar = {
    ...before,
    recurrenceRule: cut.before,
    recurrenceExdates: earlier(recurrenceExdates),
    recurrenceRdates: earlier(recurrenceRdates),
    overriddenStarts: earlier(overriddenStarts),
    updatedAt,
  }
  const lengthMs = before.endTime.getTime() - before.startTime.getTime()
  const following: EventWithCalendar = {
    ...before,
    ...{ startTime: at, endTime: new Date(at.getTime() + lengthMs), recurrenceRule: cut.after },
    recurrenceSkippedMs: cut.skippedMs,
    recurrenceExdates: later(recurrenceExdates),
    recurrenceRdates: later(recurrenceRdates),
    overriddenStarts: later(overriddenStarts),
    updatedAt,
  }
  return { previous: { ...previous, seriesLastStart: lastStartOf(previous) }, following }
}

function lastStartOf(row: EventRow): Date | null {
  const decision = decideRule(row.recurrenceRule!, row.startTime, true, 'recurrence_rule', besideOf(row))
  if (decision.kind !== 'accepted') throw new Error(`a rule that was cut is not accepted: ${row.recurrenceRule}`)
  return decision.lastStart
}

type Begun = { row: EventWithCalendar; overrides: EventRow[] }

/** The series that begins, with the edits. Its cancelled and edited occurrences go along by the same shift, where it still is one of its occurrences. */
export function beginSeries(
  app: App,
  actor: Actor,
  following: EventWithCalendar,
  overrides: readonly EventRow[],
  body: UpdateEventBody,
  options: EditOptions,
): Begun {
  const copied = { ...copyOf(app, following), createdAt: following.updatedAt }
  const edited = editedRow(app, copied, withLength(copied, body, options), following.updatedAt)
  const isSame =
    edited.startTime.getTime() === following.startTime.getTime() &&
    edited.recurrenceRule === following.recurrenceRule &&
    edited.recurrenceTimezone === following.recurrenceTimezone
  const base = { ...edited, recurrenceSkippedMs: isSame ? following.recurrenceSkippedMs : 0 }
  const { recurrenceRule, recurrenceTimezone, startTime } = base
  if (recurrenceRule === null) {
    const single = { recurrenceExdates: [], recurrenceRdates: [], overriddenStarts: [], seriesLastStart: null }
    return { row: { ...base, ...single, recurrenceSkippedMs: 0 }, overrides: [] }
  }
  const origin = { at: following.startTime, skippedMs: following.recurrenceSkippedMs }
  const shift = shifterOf(origin, startTime, recurrenceTimezone ?? undefined)
  const rdates = body.recurrence_rdates ? base.recurrenceRdates : following.recurrenceRdates.map(shift)
  if (rdates.some((at) => at < startTime)) throw invalid(`recurrence_rdates: ${rdateBeforeStart}`, 'recurrence_rdates')
  const bare = { ...base, recurrenceRdates: rdates, recurrenceExdates: [], overriddenStarts: [] }
  const blames = body.start_time && body.recurrence_rule === undefined ? 'start_time' : 'recurrence_rule'
  const seriesLastStart = requireRule(actor, recurrenceRule, startTime, blames, besideOf(bare))
  const series = seriesOf(bare)!
  const stays = (at: Date) => isOccurrence(series, at.getTime())
  const row = { ...bare, seriesLastStart, recurrenceExdates: following.recurrenceExdates.map(shift).filter(stays) }
  const moved = overrides
    .filter(({ originalStart }) => originalStart! >= following.startTime && stays(shift(originalStart!)))
    .map((one) => movedOverride(app, row, one, shift))
  return { row: { ...row, overriddenStarts: moved.map(({ originalStart }) => originalStart!) }, overrides: moved }
}

const movedOverride = (app: App, series: EventRow, row: EventRow, shift: (at: Date) => Date): EventRow =>
  inherited(app, series, {
    ...row,
    ...{ seriesId: series.id, originalStart: shift(row.originalStart!) },
    ...{ startTime: shift(row.startTime), endTime: shift(row.endTime) },
  })

/** Its texts are sealed for its id. */
function copyOf(app: App, row: EventWithCalendar): EventWithCalendar {
  const { sealer } = app
  const id = newId()
  const { title, description } = textsOf(app, row)
  return {
    ...row,
    id,
    titleSealed: sealer.seal(titleContext(id), title),
    descriptionSealed: description === null ? null : sealer.seal(descriptionContext(id), description),
    ...sealMetadata(sealer, id, openMetadata(sealer, row)),
    ...detailsFor(sealer, row, id),
    ...{
      holdExpiresAt: null,
      holdOutcome: null,
      holdPriority: 0,
      holdGroupId: null,
      renewUntil: null,
      holdFence: null,
    },
  }
}
