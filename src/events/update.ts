// Editing an event: PATCH semantics, the rule of a series, and the timers that follow.

import type { Actor } from '../actors/actor.ts'
import { changedAt } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { titleContext } from '../changeLog/sealed.ts'
import { again } from '../commit/decide.ts'
import { invalid, invalidTransition } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import type { Alone } from '../recording/together.ts'
import { readPendingTimers } from '../timers/pendingTimers.ts'
import { sealMetadata } from './bookingMetadata.ts'
import type { EventRow } from './columns.ts'
import { activeSeriesCount } from './counts.ts'
import { editedDetails } from './details.ts'
import { guestMails, onEventOrCalendar, underCap } from './edit.ts'
import { asUpdate, writeEdit } from './editedEvents.ts'
import { externalSyncOfEdit, isMoved } from './externalSync.ts'
import { requireWritableEvent } from './find.ts'
import { mustBeFree, requireAllowedTimes } from './guarded.ts'
import { asSettled, settleLapsedHold } from './holds.ts'
import { withLabelKeys } from './labels.ts'
import { descriptionContext, presentEvent } from './present.ts'
import type { EventWithCalendar } from './queries.ts'
import { overlapsToReport, requireFree, requirementOf, type WriteOptions } from './requireFree.ts'
import { isActiveSeries } from './rule.ts'
import type { UpdateEventBody } from './schema.ts'
import { reachedOverrides, repeatingOf, withSeries } from './seriesEdit.ts'
import { tellDueMoments, toldBySeries } from './tellDue.ts'
import { changedMoments, isRescheduled } from './timers.ts'
import { requireWeekday } from './weekday.ts'
import type { Written } from './written.ts'

/** Options of the caller that are not in the body. */
export type EditOptions = WriteOptions & {
  /** An event that moves keeps its length, unless the body has an end. */
  keepsLength?: boolean
}

export async function updateEvent(
  app: App,
  actor: Actor,
  calendarId: string | undefined,
  eventId: string,
  body: UpdateEventBody,
  options: EditOptions = {},
): Promise<Written> {
  const asked = await withLabelKeys(app, actor, body)
  const tryOnce = (cap?: Alone) => edit(app, actor, { calendarId, eventId }, asked, options, cap)
  const requirement = requirementOf(body.require_free || mustBeFree(actor), options)
  const outcome = await onEventOrCalendar(app, actor, { eventId, calendarId }, requirement, () => tryOnce())
  if (outcome !== needsCap) return outcome
  const count = activeSeriesCount(app.sql, actor.orgId, app.clock.now())
  const written = await withinCap(app, actor, 'recurring_events', count, (guard) => tryOnce(underCap(app, guard)))
  return written as Written
}

/** It makes one more active series, which a plan caps. */
const needsCap = Symbol('needs a place under the cap')

type Ids = { eventId: string; calendarId: string | undefined }

async function edit(
  app: App,
  actor: Actor,
  { eventId, calendarId }: Ids,
  body: UpdateEventBody,
  options: EditOptions,
  cap: Alone | undefined,
): Promise<Written | typeof again | typeof needsCap> {
  const read = await requireWritableEvent(app, actor, eventId, calendarId)
  requireWeekday(body, body.start_time ?? read.startTime, read.timezone)
  const now = app.clock.now()
  const before = actor.request.dryRun ? asSettled(read, now) : read
  if (await settleLapsedHold(app, actor, before, now)) return again
  const row = requireEditable(app, actor, before, body, options, now)
  const moves = isMoved(before, row)
  const isJudged = body.require_free || ((moves || takesTimeNow(before, row)) && mustBeFree(actor))
  const requirement = requirementOf(isJudged, moves ? options : { explain: options.explain })
  if (moves && row.status !== 'cancelled') requireAllowedTimes(actor, row, now)
  const omitted = { eventId: row.id }
  const free = await requireFree(app, row, omitted, requirement, now)
  if (!free) return again
  if (!cap && isActiveSeries(row, now) && !isActiveSeries(before, now)) return needsCap
  const overlaps = await overlapsToReport(app, row, omitted, requirement, now)
  const event = presentEvent(app, row, now)
  const sync = await externalSyncOfEdit(app, before, { row, event }, now)
  const isOther = isRescheduled(before, row)
  const pending = isOther && row.recurrenceRule !== null ? await readPendingTimers(app, row, now) : []
  const overrides = await reachedOverrides(app, before, row, now)
  const dropped = overrides?.dropped ?? []
  if (await tellDueMoments(app, actor, dropped, toldBySeries(row, pending, now))) return again
  const change = {
    ...{ before, row, now, seenRevision: free.revision, isMoved: moves },
    moments: isOther ? changedMoments(row, now, pending) : undefined,
    overrides,
    // Its copy says this already.
    publishes: sync.status !== 'published',
  }
  const written = { event, sync, overlaps }
  const mails = guestMails(app, before, row, now)
  const alone = cap || mails ? { ...cap, ...mails } : undefined
  return (await writeEdit(app, actor, change, asUpdate(written), alone)) ? written : again
}

/** The event as it will be. */
function requireEditable(
  app: App,
  actor: Actor,
  before: EventWithCalendar,
  body: UpdateEventBody,
  options: EditOptions,
  now: Date,
): EventWithCalendar {
  if (before.status === 'hold') throw invalidTransition('A hold cannot be edited. Confirm it or release it.')
  if (before.status === 'cancelled' && body.status !== undefined) {
    throw invalidTransition('A cancelled event stays cancelled. Create a new one.')
  }
  const updatedAt = changedAt(actor, now, before.updatedAt)
  return withSeries(actor, before, editedRow(app, before, withLength(before, body, options), updatedAt), body)
}

/** Until now it took none. */
export const takesTimeNow = (before: EventRow, row: EventRow): boolean => before.transparent && !row.transparent

export function withLength(
  before: EventWithCalendar,
  body: UpdateEventBody,
  { keepsLength }: EditOptions,
): UpdateEventBody {
  if (!keepsLength || !body.start_time || body.end_time) return body
  const lengthMs = before.endTime.getTime() - before.startTime.getTime()
  return { ...body, end_time: new Date(body.start_time.getTime() + lengthMs) }
}

export function editedRow(
  { sealer }: App,
  before: EventWithCalendar,
  body: UpdateEventBody,
  updatedAt: Date,
): EventWithCalendar {
  const row: EventWithCalendar = {
    ...before,
    startTime: body.start_time ?? before.startTime,
    endTime: body.end_time ?? before.endTime,
    allDay: body.all_day ?? before.allDay,
    status: body.status ?? before.status,
    ...(body.metadata && sealMetadata(sealer, before.id, body.metadata)),
    reminders: body.reminders === undefined ? before.reminders : body.reminders,
    ...repeatingOf(before, body),
    ...editedDetails(sealer, before, body),
    updatedAt,
  }
  if (row.endTime <= row.startTime) {
    const param = body.end_time ? 'end_time' : 'start_time'
    throw invalid(`${param}: end_time must be after start_time`, param, 'end_before_start')
  }
  if (body.title !== undefined) row.titleSealed = sealer.seal(titleContext(row.id), body.title)
  if (body.description !== undefined) {
    row.descriptionSealed = body.description === null ? null : sealer.seal(descriptionContext(row.id), body.description)
  }
  return row
}
