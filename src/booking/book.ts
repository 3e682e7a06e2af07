// A guest books a slot: a confirmed event on the page's calendar. It is written only if the calendar has not changed since
// the slot was found free, so whatever took the slot first (an event, a hold, another booking) wins.

import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { busyAtRevision, connectionsBehind } from '../availability/busyAtRevision.ts'
import type { Help } from '../availability/help.ts'
import { presentIntervals } from '../availability/present.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { bumpCalendar } from '../calendars/writes.ts'
import { byItself } from '../changelog/origin.ts'
import { commit } from '../changes/commit.ts'
import { again } from '../changes/decide.ts'
import { readAnew } from '../connections/refresh.ts'
import { conflict, invalid, ServiceError } from '../errors.ts'
import { placeEvent } from '../events/place.ts'
import { withEventBudget } from '../events/spending.ts'
import { periodAt, secondsLeft } from '../plans/period.ts'
import { limitsOf } from '../plans/plans.ts'
import { minuteMs } from '../shapes/durations.ts'
import { encodeId, type PublicId, type Uuid } from '../shapes/ids.ts'
import { emit } from '../webhooks/emit.ts'
import { recallAttempt, rememberAttempt, type Wanted } from './attempts.ts'
import { type GuestPage, nextSlots, requireOpenPage } from './guest.ts'
import { type Answered, type AnswerFault, judgeAnswers } from './questions.ts'
import type { BookBody } from './schema.ts'
import { judgeStart, type StartJudgement } from './slots.ts'
import { countBooking, isAsSeen } from './writes.ts'

export type Booked = { page: GuestPage; eventId: PublicId<'evt'>; start: Date; end: Date }

/** `explain`: a refusal of a slot that is taken offers other ones. */
export async function book(
  app: App,
  request: RequestContext,
  slug: string,
  body: BookBody,
  explain = false,
): Promise<Booked> {
  const { calendarId, ...opened } = await requireOpenPage(app, slug)
  if (judgeStart(opened, body.start.getTime(), app.clock.now()) === 'possible') {
    // Whatever their age: a booking commits. A read that does not come leaves the copy.
    const connections = await connectionsBehind(app, { orgId: opened.orgId, calendarId })
    await readAnew(app, opened.orgId, connections, app.clock.now(), { patienceMs })
  }
  return onCalendar(app, calendarId, async () => {
    const page = await requireOpenPage(app, slug)
    const now = app.clock.now()
    const answers = requireAnswers(page, body)
    const wanted = { page, body, answers, end: new Date(body.start.getTime() + page.durationMinutes * minuteMs) }
    const judgement = judgeStart(page, body.start.getTime(), now)
    if (judgement !== 'possible') return bookedBefore(app, wanted, invalid(refusals[judgement], 'start'))
    const slot = { fromMs: body.start.getTime(), toMs: wanted.end.getTime() }
    const read = await busyAtRevision(app, page, slot, page.bufferMinutes, now)
    if (!read) return again
    if (!read.isOpen) return bookedBefore(app, wanted, notKnown())
    if (read.busy.length > 0) return bookedBefore(app, wanted, await slotTaken(app, wanted, explain, now))
    const actor = actorOf(page, request, now)
    const eventId = await withEventBudget(app, actor, () => place(app, actor, wanted, read.revision, now))
    if (eventId === 'no_quota') throw noQuota(app, actor)
    return eventId ? bookedAs(wanted, eventId) : again
  })
}

function requireAnswers({ details }: GuestPage, { answers = {} }: BookBody): Answered[] {
  const judged = judgeAnswers(details.questions ?? [], answers)
  if ('answers' in judged) return judged.answers
  const { name, why } = judged.fault
  throw invalid(`answers.${name}: ${answerFaults[why]}`, `answers.${name}`)
}

const answerFaults: Record<AnswerFault['why'], string> = {
  missing: 'is required',
  too_long: 'is too long',
  not_an_option: 'must be one of the options',
  unknown: 'is not a question of this page',
}

/** How long a booking waits for the external calendars of the page's owner. */
const patienceMs = 3_000

const notKnown = () =>
  new ServiceError('internal_error', 'It is not known at the moment whether this time is free. Nothing was booked.', {
    code: 'availability_incomplete',
    status: 503,
    retryAfterSeconds: 60,
  })

const bookedAs = ({ page, body, end }: Wanted, eventId: Uuid): Booked => ({
  page,
  eventId: encodeId('evt', eventId),
  start: body.start,
  end,
})

/** If the same attempt has booked the slot before, that booking is the answer; otherwise the refusal is thrown. */
async function bookedBefore(app: App, wanted: Wanted, refusal: ServiceError): Promise<Booked> {
  const eventId = await recallAttempt(app, wanted)
  if (!eventId) throw refusal
  return bookedAs(wanted, eventId)
}

const refusals: Record<Exclude<StartJudgement, 'possible'>, string> = {
  too_soon: 'start: that is too soon to be booked. Choose a later time.',
  too_late: 'start: that is too far ahead to be booked yet. Choose an earlier time.',
  closed: 'start: nothing can be booked at that time of day. Choose one of the slots.',
  off_grid: 'start: no slot starts at that time. Choose one of the slots.',
}

/** A guest is told other slots and nothing of what is in the way. */
async function slotTaken(app: App, { page, body }: Wanted, explain: boolean, now: Date): Promise<ServiceError> {
  const refusal = conflict('This time is not free any more. Choose another one.', undefined, 'start')
  if (!explain) return refusal
  const help: Help = { alternatives: presentIntervals(await nextSlots(app, page, body.start, now)) }
  return new ServiceError(refusal.type, refusal.message, { ...refusal.detail, help })
}

/** Undefined: the calendar or the page has changed since it was read. */
async function place(
  app: App,
  actor: Actor,
  wanted: Wanted,
  calendarRevision: number,
  now: Date,
): Promise<Uuid | undefined> {
  const { page } = wanted
  const pageId = encodeId('bkp', page.id)
  const placed = placeEvent(app, actor, page.calendarId, eventBody(wanted, pageId), now)
  await rememberAttempt(app, wanted, placed.id)
  const payload = { ...placed.emission.payload, booking_page_id: pageId }
  const { matched } = await commit(app, {
    guard: bumpCalendar(app, page, { confirmed: 1 }, isAsSeen(app.sql, page, calendarRevision)),
    effects: [
      ...placed.effects,
      countBooking(app.sql, page),
      ...emit(app, byItself(page.orgId, 'booking'), [{ ...placed.emission, payload }]),
    ],
  })
  return matched ? placed.id : undefined
}

const eventBody = ({ page, body, answers, end }: Wanted, pageId: PublicId<'bkp'>) => ({
  title: `${page.title}: ${body.name.replace(/\s+/g, ' ')}`,
  start_time: body.start,
  end_time: end,
  all_day: false,
  status: 'confirmed' as const,
  metadata: {
    booking_page_id: pageId,
    booking: { name: body.name, email: body.email, notes: body.notes || null, ...(answers.length > 0 && { answers }) },
  },
})

/** The organization itself acts, without a key. The slug is a credential, so the log shows the id of the page instead. */
function actorOf(page: GuestPage, request: RequestContext, now: Date): Actor {
  return {
    orgId: page.orgId,
    plan: page.plan,
    limits: limitsOf(page.plan, page.limits),
    period: periodAt(page.orgCreatedAt, now),
    keyPrefix: null,
    request: { ...request, path: `/book/${encodeId('bkp', page.id)}` },
  }
}

const noQuota = (app: App, { period }: Actor) =>
  new ServiceError('quota_exceeded', 'No more bookings can be taken here at the moment. Nothing was booked.', {
    status: 503,
    retryAfterSeconds: secondsLeft(period, app.clock.now()),
  })
