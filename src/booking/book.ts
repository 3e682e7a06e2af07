// A guest books: a confirmed event on the page's calendar, decided by what lies on it at one revision and written only
// where that is still its revision. Whatever took the slot first, an event, a hold or another booking, wins.
import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { takenTime } from '../availability/taken.ts'
import { bumpCalendar, onCalendar, stale } from '../calendars/revision.ts'
import { commitParts } from '../changes/commitParts.ts'
import { conflict, invalid, ServiceError } from '../errors.ts'
import { placeEvent } from '../events/place.ts'
import { withEventBudget } from '../events/spending.ts'
import { periodAt, secondsLeft } from '../plans/period.ts'
import { limitsOf } from '../plans/plans.ts'
import { encodeId, type PublicId, type Uuid } from '../shapes/ids.ts'
import { emit } from '../webhooks/emit.ts'
import { recallAttempt, rememberAttempt, type Wanted } from './attempts.ts'
import { type GuestPage, requireOpenPage } from './guest.ts'
import { countBooking, isAsSeen } from './queries.ts'
import type { BookBody } from './schema.ts'
import { judgeStart, type StartJudgement } from './slots.ts'

export type Booked = { page: GuestPage; eventId: PublicId<'evt'>; start: Date; end: Date }

export async function book(app: App, request: RequestContext, slug: string, body: BookBody): Promise<Booked> {
  const { calendarId } = await requireOpenPage(app, slug)
  return onCalendar(calendarId, async () => {
    const page = await requireOpenPage(app, slug)
    const now = app.clock.now()
    const wanted = { page, body, end: new Date(body.start.getTime() + page.durationMinutes * 60_000) }
    const judgement = judgeStart(page, body.start.getTime(), now)
    if (judgement !== 'possible') return bookedBefore(app, wanted, invalid(refusals[judgement], 'start'))
    const slot = { fromMs: body.start.getTime(), toMs: wanted.end.getTime() }
    const time = await takenTime(app, page, slot, page.bufferMinutes, now)
    if (!time) return stale
    if (time.taken.length > 0) return bookedBefore(app, wanted, slotTaken())
    const actor = actorOf(page, request, now)
    const eventId = await withEventBudget(app, actor, () => place(app, actor, wanted, time.revision, now))
    if (eventId === 'no_quota') throw noQuota(app, actor)
    return eventId ? bookedAs(wanted, eventId) : stale
  })
}

const bookedAs = ({ page, body, end }: Wanted, eventId: Uuid): Booked => ({
  page,
  eventId: encodeId('evt', eventId),
  start: body.start,
  end,
})

/** What cannot be booked may be what this very attempt has booked. */
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

const slotTaken = () => conflict('This time is not free any more. Choose another one.', undefined, 'start')

/** The event's UUID; undefined: the calendar or the page changed since it was read. */
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
  const guard = bumpCalendar(app, page, { confirmed: 1 }, isAsSeen(app.sql, page, calendarRevision))
  const { matched } = await commitParts(app, guard, {
    ...placed.effects,
    counted: countBooking(app.sql, page),
    deliveries: emit(app, page.orgId, [{ ...placed.emission, payload }]),
  })
  return matched ? placed.id : undefined
}

const eventBody = ({ page, body, end }: Wanted, pageId: PublicId<'bkp'>) => ({
  title: `${page.title}: ${body.name.replace(/\s+/g, ' ')}`,
  start_time: body.start,
  end_time: end,
  all_day: false,
  status: 'confirmed' as const,
  metadata: {
    booking_page_id: pageId,
    booking: { name: body.name, email: body.email, notes: body.notes || null },
  },
})

/** The organization itself acts, without any key. The slug is a credential, so the log has the page's id in its place. */
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
