// A guest books a slot: a confirmed event on the page's calendar. It is written only if the calendar has not changed since
// the slot was found free, so whatever took the slot first (an event, a hold, another booking) wins.

import type { Actor, RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { busyAtRevision, connectionsBehind } from '../availability/busyAtRevision.ts'
import { hasRoom } from '../availability/dailyLimits.ts'
import { bookingById } from '../bookings/bookingRows.ts'
import { queueGuestMail } from '../bookings/mails.ts'
import { insertBooking } from '../bookings/writes.ts'
import { onCalendar } from '../calendars/onCalendar.ts'
import { bumpCalendar } from '../calendars/writes.ts'
import { byItself } from '../changeLog/origin.ts'
import { commit } from '../commit/commit.ts'
import { again } from '../commit/decide.ts'
import { invalid, ServiceError } from '../errors.ts'
import { buildEvent } from '../events/buildEvent.ts'
import { withEventBudget } from '../events/spending.ts'
import { readAnew } from '../externalCalendars/refresh.ts'
import { secondsLeft } from '../plans/period.ts'
import { randomToken, sha256 } from '../sealing/sealer.ts'
import { minuteMs } from '../shapes/durations.ts'
import { encodeId, type PublicId, type Uuid } from '../shapes/ids.ts'
import { emit } from '../webhooks/emit.ts'
import { actorOf } from './actor.ts'
import { readGuests } from './additionalGuests.ts'
import { type Attempt, recallAttempt, rememberAttempt } from './attempts.ts'
import { type Guest, openGuest, sealGuest } from './guestDetails.ts'
import { areMailed, isMailed } from './guestMail.ts'
import { withinInvitations } from './invitations.ts'
import { chooseLanguage } from './languages/languages.ts'
import { type GuestPage, requireOpenPage } from './pageForGuest.ts'
import { type Answered, type AnswerFault, judgeAnswers } from './questions.ts'
import { notKnown, patienceMs, refusalOf } from './refusals.ts'
import type { BookBody } from './schema.ts'
import { judgeStart } from './slots.ts'
import { slotTakenWithOthers } from './slotTaken.ts'
import { countBooking, isAsSeen } from './writes.ts'

export type Booked = {
  page: GuestPage
  eventId: PublicId<'evt'>
  start: Date
  end: Date
  /** Opens the page of the booking. */
  token: string
  isMailed: boolean
  /** The addresses of further guests that get an invitation. */
  invited: readonly string[]
}

/** `explain`: a refusal of a slot that is taken offers other ones. `acceptLanguage`: of the guest's browser. */
export async function book(
  app: App,
  request: RequestContext,
  slug: string,
  body: BookBody,
  { explain = false, acceptLanguage }: { explain?: boolean; acceptLanguage?: string | undefined } = {},
): Promise<Booked> {
  const { calendarId, ...opened } = await requireOpenPage(app, slug)
  if (judgeStart(opened, body.start.getTime(), app.clock.now()) === 'possible') {
    // Whatever their age: a booking commits. A read that does not come leaves the copy.
    const connections = await connectionsBehind(app, { orgId: opened.orgId, calendarId })
    await readAnew(app, opened.orgId, connections, app.clock.now(), { patienceMs })
  }
  const guest = guestOf(body, acceptLanguage, opened.timezone)
  // Counted once, however often it is decided again.
  let mailed: boolean | undefined
  let invited: string[] | undefined
  return onCalendar(app, calendarId, async () => {
    const page = await requireOpenPage(app, slug)
    const now = app.clock.now()
    const answers = requireAnswers(page, body)
    const guests = readGuests(page, body.guests, body.email)
    const attempt = {
      page,
      body,
      answers,
      guests,
      end: new Date(body.start.getTime() + page.durationMinutes * minuteMs),
    }
    const verdict = judgeStart(page, body.start.getTime(), now)
    if (verdict !== 'possible') return bookedBefore(app, attempt, refusalOf(verdict))
    const slot = { fromMs: body.start.getTime(), toMs: attempt.end.getTime() }
    const read = await busyAtRevision(app, page, slot, page.bufferMinutes, now)
    if (!read) return again
    if (!read.isOpen) return bookedBefore(app, attempt, notKnown())
    if (read.busy.length > 0 || !hasRoom(read.rooms, slot))
      return bookedBefore(app, attempt, await slotTakenWithOthers(app, page, body.start, { explain }, now))
    const actor = actorOf(page, request, now)
    mailed ??= await isMailed(app, page, request, body.email)
    const isGuestMailed = mailed
    invited ??= await withinInvitations(app, page, request, guests)
    const whole = { ...guest, ...(invited.length > 0 && { others: invited }) }
    const booked = await withEventBudget(app, actor, () =>
      writeBooking(app, actor, attempt, whole, isGuestMailed, read.revision, now),
    )
    if (booked === 'no_quota') throw noQuota(app, actor)
    return booked ? bookedAs(attempt, booked, whole, isGuestMailed) : again
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

const bookedAs = (
  { page, body, end }: Attempt,
  eventId: Uuid,
  guest: Pick<Guest, 'token' | 'others'>,
  isMailed: boolean,
): Booked => ({
  page,
  eventId: encodeId('evt', eventId),
  start: body.start,
  end,
  token: guest.token,
  isMailed,
  invited: guest.others ?? [],
})

/** If the same attempt has booked the slot before, that booking is the answer; otherwise the refusal is thrown. */
async function bookedBefore(app: App, attempt: Attempt, refusal: ServiceError): Promise<Booked> {
  const eventId = await recallAttempt(app, attempt)
  const [row] = eventId ? await bookingById(app.sql, attempt.page.orgId, eventId) : []
  if (!row) throw refusal
  return bookedAs(attempt, row.id, openGuest(app, row), attempt.page.details.guest_mails !== false)
}

/** Undefined: the calendar or the page has changed since it was read. */
async function writeBooking(
  app: App,
  actor: Actor,
  attempt: Attempt,
  guest: Guest,
  isGuestMailed: boolean,
  calendarRevision: number,
  now: Date,
): Promise<Uuid | undefined> {
  const { page, body, end } = attempt
  const pageId = encodeId('bkp', page.id)
  const planned = buildEvent(app, actor, page.calendarId, eventBody(attempt, pageId), now)
  await rememberAttempt(app, attempt, planned.id)
  const payload = { ...planned.emission.payload, booking_page_id: pageId }
  const booking = insertBooking(app.sql, {
    orgId: page.orgId,
    id: planned.id,
    pageId: page.id,
    tokenHash: sha256(guest.token),
    guestSealed: sealGuest(app, planned.id, guest),
    startTime: body.start,
    endTime: end,
    others: guest.others?.length ?? 0,
    createdAt: now,
  })
  const { matched } = await commit(app, {
    guard: bumpCalendar(app, page, { confirmed: 1 }, isAsSeen(app.sql, page, calendarRevision)),
    effects: [
      ...planned.effects,
      countBooking(app.sql, page),
      booking,
      areMailed(page) ? queueGuestMail(app.sql, booking, 'confirmed', { isGuestMailed, now }) : undefined,
      ...emit(app, byItself(page.orgId, 'booking'), [{ ...planned.emission, payload }]),
    ],
  })
  return matched ? planned.id : undefined
}

const eventBody = ({ page, body, answers, guests, end }: Attempt, pageId: PublicId<'bkp'>) => ({
  title: `${page.title}: ${body.name.replace(/\s+/g, ' ')}`,
  start_time: body.start,
  end_time: end,
  ...(page.details.details_on_event && placeAndCall(page)),
  all_day: false,
  status: 'confirmed' as const,
  metadata: {
    booking_page_id: pageId,
    booking: {
      name: body.name,
      email: body.email,
      notes: body.notes || null,
      ...(answers.length > 0 && { answers }),
      ...(guests.length > 0 && { guests }),
    },
  },
})

const placeAndCall = ({ details: { location, conference } }: GuestPage) => ({ location, conference })

/** `locale`: the guest's style of times, for mails. */
function guestOf(body: BookBody, acceptLanguage: string | undefined, timezone: string): Guest {
  const { language, locale } = chooseLanguage(body.lang, acceptLanguage)
  return {
    name: body.name,
    email: body.email,
    language,
    locale,
    zone: body.zone ?? timezone,
    token: randomToken(),
    ...(body.clock && { clock: body.clock }),
  }
}

const noQuota = (app: App, { period }: Actor) =>
  new ServiceError('quota_exceeded', 'No more bookings can be taken here at the moment. Nothing was booked.', {
    status: 503,
    retryAfterSeconds: secondsLeft(period, app.clock.now()),
  })
