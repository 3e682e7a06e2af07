// Editing an event: PATCH semantics, the rule of a series, and the timers that follow.

import type { Actor } from '../actors/actor.ts'
import { changedAt } from '../actors/precondition.ts'
import type { App } from '../app.ts'
import { tellCancelled, tellMoved } from '../bookings/mails.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { asDecided, bumpSeenEvent, type CalendarCondition, countChange } from '../calendars/writes.ts'
import { byActor } from '../changeLog/origin.ts'
import { titlePlace } from '../changeLog/sealed.ts'
import { type Committed, commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import type { Effect } from '../commit/effect.ts'
import { step } from '../commit/step.ts'
import { invalid, invalidTransition } from '../errors.ts'
import { withinCap } from '../organizations/caps.ts'
import { answered } from '../storedResponses/answered.ts'
import type { Fragment } from '../stores/postgres.ts'
import { unfiredTimers } from '../timers/pendingTimers.ts'
import { sealMetadata } from './bookingMetadata.ts'
import type { Clash } from './conflict.ts'
import { activeSeriesCount } from './counts.ts'
import { requireRule } from './createSeries.ts'
import { editEffects } from './editEffects.ts'
import { type ExternalSync, externalSyncOfEdit, isMoved } from './externalSync.ts'
import { requireWritableEvent, turnOf } from './find.ts'
import { asSettled, settleLapsedHold } from './holds.ts'
import { descriptionPlace, presentEvent } from './present.ts'
import type { PlacedEventRow } from './queries.ts'
import { type Asked, requireFree, termsOf, toldClash } from './requireFree.ts'
import { isActiveSeries } from './rule.ts'
import type { UpdateEventBody } from './schema.ts'
import { changedTimers, isRescheduled } from './timers.ts'
import { requireWeekday } from './weekday.ts'
import { answerOf, type Written } from './written.ts'

type Edit = {
  before: PlacedEventRow
  row: PlacedEventRow
  isFree: CalendarCondition
  clash: Clash | undefined
  sync: ExternalSync
  now: Date
}

/** What a door asks for beside the body. */
type AskedEdit = Asked & {
  /** An event that moves keeps its length, unless the body has an end. */
  keepsLength?: boolean
}

export async function updateEvent(
  app: App,
  actor: Actor,
  calendarId: string | undefined,
  eventId: string,
  body: UpdateEventBody,
  asked: AskedEdit = {},
): Promise<Written> {
  const outcome = await onCalendar(app, await turnOf(app, actor, eventId, calendarId), async () => {
    const edit = await decideEdit(app, actor, calendarId, eventId, body, asked)
    if (edit === again) return again
    if (addsActiveSeries(edit)) return 'needs_cap'
    const { matched } = await writeEdit(app, actor, edit)
    return matched ? writtenAs(app, edit) : again
  })
  if (outcome !== 'needs_cap') return outcome
  let written: Written | undefined
  await withinCap(
    app,
    actor,
    'recurring_events',
    activeSeriesCount(app.sql, actor.orgId, app.clock.now()),
    async (cap) => {
      const edit = await decideEdit(app, actor, calendarId, eventId, body, asked)
      if (edit === again) return { matched: false, rows: [] }
      written = writtenAs(app, edit)
      return writeEdit(app, actor, edit, cap)
    },
  )
  return written!
}

const writtenAs = (app: App, { row, clash, sync, now }: Edit): Written => ({
  event: presentEvent(app, row, now),
  sync,
  clash,
})

async function decideEdit(
  app: App,
  actor: Actor,
  calendarId: string | undefined,
  eventId: string,
  body: UpdateEventBody,
  asked: AskedEdit,
): Promise<Edit | typeof again> {
  const read = await requireWritableEvent(app, actor, eventId, calendarId)
  requireWeekday(body, body.start_time ?? read.startTime, read.timezone)
  const now = app.clock.now()
  const before = actor.request.dryRun ? asSettled(read, now) : read
  if (await settleLapsedHold(app, actor, before, now)) return again
  if (before.status === 'hold') throw invalidTransition('A hold cannot be edited. Confirm it or release it.')
  if (before.status === 'cancelled' && body.status !== undefined) {
    throw invalidTransition('A cancelled event stays cancelled. Create a new one.')
  }
  const updatedAt = changedAt(actor, now, before.updatedAt)
  const row = withRule(actor, before, editedRow(app, before, withLength(before, body, asked), updatedAt), body)
  const terms = termsOf(body.require_free, isMoved(before, row) ? asked : { explain: asked.explain })
  const omitted = { eventId: row.id }
  const isFree = await requireFree(app, row, omitted, terms, now)
  if (!isFree) return again
  const clash = await toldClash(app, row, omitted, terms, now)
  return { before, row, isFree, clash, sync: await externalSyncOfEdit(app, before, row, now), now }
}

function withLength(before: PlacedEventRow, body: UpdateEventBody, { keepsLength }: AskedEdit): UpdateEventBody {
  if (!keepsLength || !body.start_time || body.end_time) return body
  const lengthMs = before.endTime.getTime() - before.startTime.getTime()
  return { ...body, end_time: new Date(body.start_time.getTime() + lengthMs) }
}

async function writeEdit(
  app: App,
  actor: Actor,
  { before, row, isFree, clash, sync, now }: Edit,
  capGuard?: Fragment,
): Promise<Committed<unknown>> {
  const event = presentEvent(app, row, now)
  const hasOtherTimers = isRescheduled(before, row)
  const unfired = hasOtherTimers && row.recurrenceRule !== null ? await unfiredTimers(app, row, now) : []
  const cap = capGuard && step('cap', capGuard)
  const isAsDecided = asDecided(app, before, cap)
  const condition: CalendarCondition = (c) => app.sql`${isAsDecided(c)} and ${isFree(c)}`
  return commit(app, {
    steps: cap ? [cap] : [],
    guard: bumpSeenEvent(app, before, countChange(before.status, row.status), condition),
    effects: [
      ...editEffects(app, actor, byActor(actor), row, event, {
        timers: hasOtherTimers ? changedTimers(app, row, now, unfired) : [],
        isMoved: isMoved(before, row),
        isPublished: sync.status === 'published',
      }),
      ...tellGuest(app, before, row, now),
      answered(app, actor, answerOf({ event, sync }), { beside: { clash } }),
    ],
  })
}

/** The guest of a booking is told of another time and of the end. */
function tellGuest({ sql }: App, before: PlacedEventRow, row: PlacedEventRow, now: Date): Effect[] {
  if (before.status === 'cancelled') return []
  const [was, is] = [before, row].map(({ startTime, endTime }) => ({ start: startTime, end: endTime }))
  if (row.status === 'cancelled') return tellCancelled(sql, row, was!, now)
  const isSame = was!.start.getTime() === is!.start.getTime() && was!.end.getTime() === is!.end.getTime()
  return isSame ? [] : tellMoved(sql, row, was!, is!, now)
}

const addsActiveSeries = ({ before, row, now }: Edit): boolean =>
  isActiveSeries(row, now) && !isActiveSeries(before, now)

function editedRow({ sealer }: App, before: PlacedEventRow, body: UpdateEventBody, updatedAt: Date): PlacedEventRow {
  const row: PlacedEventRow = {
    ...before,
    startTime: body.start_time ?? before.startTime,
    endTime: body.end_time ?? before.endTime,
    allDay: body.all_day ?? before.allDay,
    status: body.status ?? before.status,
    ...(body.metadata && sealMetadata(sealer, before.id, body.metadata)),
    reminders: body.reminders === undefined ? before.reminders : body.reminders,
    recurrenceRule: body.recurrence_rule === undefined ? before.recurrenceRule : body.recurrence_rule,
    updatedAt,
  }
  if (row.endTime <= row.startTime) {
    const param = body.end_time ? 'end_time' : 'start_time'
    throw invalid(`${param}: end_time must be after start_time`, param, 'end_before_start')
  }
  if (body.title !== undefined) row.titleSealed = sealer.seal(titlePlace(row.id), body.title)
  if (body.description !== undefined) {
    row.descriptionSealed = body.description === null ? null : sealer.seal(descriptionPlace(row.id), body.description)
  }
  return row
}

/** A new rule or a new start is a new series: its cancelled occurrences are forgotten. */
function withRule(actor: Actor, before: PlacedEventRow, row: PlacedEventRow, body: UpdateEventBody): PlacedEventRow {
  const isSameSeries =
    row.recurrenceRule === before.recurrenceRule && row.startTime.getTime() === before.startTime.getTime()
  if (isSameSeries) return row
  const blames = body.recurrence_rule === undefined ? 'start_time' : 'recurrence_rule'
  const seriesLastStart =
    row.recurrenceRule === null ? null : requireRule(actor, row.recurrenceRule, row.startTime, blames)
  return { ...row, recurrenceExdates: [], seriesLastStart }
}
