// The mails to guests, written when they are sent: the booking, with a file for their calendar, in their language and zone. The
// file of a change has the UID of the first one and a higher SEQUENCE, so that calendars change their entry.
import type { RequestContext } from '../actors/actor.ts'
import type { App } from '../app.ts'
import { bookingById, sequenceOf } from '../bookings/bookingRows.ts'
import { bookingFile } from '../feeds/bookingFile.ts'
import type { BookingMail } from '../mails/bookingMails.ts'
import type { MailContent } from '../mails/mails.ts'
import type { Composed } from '../mails/send.ts'
import { networkOf } from '../outbound/addresses.ts'
import { secondsToWait } from '../quotas/throttle.ts'
import { callLine } from '../shapes/callLine.ts'
import { dayMs } from '../shapes/durations.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import { type Guest, openGuest } from './guestDetails.ts'
import { filled, languages } from './languages/languages.ts'
import { secondsToWaitOfPage } from './pageLimits.ts'
import { type PublicPageRow, pageOfBooking } from './queries.ts'
import { openTimes } from './times.ts'

/** The address is unverified, so a limit keeps a page from filling a mailbox. */
const perRecipient = { name: 'guest_mails', max: 10, windowMs: dayMs }
/** Limits mail to unverified addresses by source and by page. */
const perClient = { name: 'guest_mails_client', max: 100, windowMs: dayMs }
const perPage = { name: 'guest_mails_page', max: 500, windowMs: dayMs }
/** A cancellation must arrive before the time it is about, so others do not use up its turn. */
const cancellations = { name: 'guest_cancellations', max: 20, windowMs: dayMs }
/** An owner may be the one who typed the addresses. */
const byOwner = { name: 'guest_mails_owner', max: 1_000, windowMs: dayMs }

export const areMailed = ({ details }: Pick<PublicPageRow, 'details'>): boolean => details.guest_mails !== false

/** Whether the guest gets a mail about a change of their own: the owner wants it, and no limit is reached. Counts it. */
export async function isMailed(app: App, page: PublicPageRow, { ip }: RequestContext, email: string): Promise<boolean> {
  if (!areMailed(page)) return false
  if ((await secondsToWait(app, perClient, networkOf(ip ?? ''))) > 0) return false
  if ((await secondsToWaitOfPage(app, perPage, page)) > 0) return false
  return (await secondsToWait(app, perRecipient, mailboxOf(email))) === 0
}

/** Many servers put `name+anything` into the mailbox of `name`. */
function mailboxOf(email: string): string {
  const [name = '', host = ''] = email.toLowerCase().split('@')
  return `${name.replace(/(?<=.)[+].*$/, '')}@${host}`
}

/** For a mail whose limits are counted when it is sent. */
async function secondsToWaitFor(app: App, { page, to, about: { by, happened } }: GuestMail): Promise<number> {
  const limit = by === 'owner' && happened === 'cancelled' ? cancellations : perRecipient
  const wait = await secondsToWait(app, limit, mailboxOf(to))
  return wait > 0 || by === 'guest' ? wait : secondsToWaitOfPage(app, byOwner, page)
}

type GuestMail = { page: PublicPageRow; guest: Guest; to: string; about: BookingMail }

/**
 * Finds the recipient of a mail when it is sent: none if the booking was erased, is over, or its page sends no mails any more.
 * A mail that a later change has overtaken is left to the mail of that change. While its organization is stopped the mail
 * waits.
 */
export async function composeGuestMail(
  app: App,
  orgId: Uuid,
  about: BookingMail,
  { isRepeated }: { isRepeated: boolean },
): Promise<Composed> {
  const now = app.clock.now()
  const [row] = await bookingById(app.sql, orgId, about.booking)
  const [page] = row ? await pageOfBooking(app.sql, orgId, row.pageId) : []
  if (!row || !page || !areMailed(page) || isOver(about, now)) return { kind: 'needless' }
  if (isRepeated && about.sequence < sequenceOf(row)) return { kind: 'needless' }
  if (page.isStopped) return { kind: 'held' }
  const guest = openGuest(app, row)
  const to = about.to === 0 ? guest.email : guest.others?.[about.to - 1]
  if (to === undefined) return { kind: 'needless' }
  const content = contentOf(app, { page, guest, to, about })
  if (about.isCounted || (about.to === 0 && about.by === 'guest')) return { kind: 'content', content }
  const waitSeconds = await secondsToWaitFor(app, { page, guest, to, about })
  if (waitSeconds > 0) return { kind: 'later', at: new Date(now.getTime() + waitSeconds * 1000) }
  return { kind: 'content', content }
}

const isOver = ({ end, before }: BookingMail, now: Date): boolean =>
  new Date(end) <= now && (before === undefined || new Date(before.end) <= now)

const subjects = { confirmed: 'mailConfirmed', moved: 'mailMoved', cancelled: 'mailCancelled' } as const
const news = {
  guest: { confirmed: 'mailConfirmedText', moved: 'mailMovedText', cancelled: 'mailCancelledText' },
  owner: { confirmed: 'mailConfirmedText', moved: 'mailHostMovedText', cancelled: 'mailHostCancelledText' },
} as const

function contentOf(app: App, mail: GuestMail): MailContent {
  const { page, guest, to, about } = mail
  return {
    to,
    subject: oneLine(filled(languages[guest.language][subjects[about.happened]], { title: page.title })),
    text: textOf(app, mail),
    calendar: { method: methodOf(about), content: fileOf(app, mail) },
  }
}

const methodOf = ({ happened }: BookingMail) => (happened === 'cancelled' ? 'CANCEL' : 'REQUEST')

const fileOf = ({ config, clock }: App, { page, to, about }: GuestMail): string =>
  bookingFile({
    id: encodeId('evt', about.booking),
    title: page.title,
    description: page.description,
    location: page.details.location ?? null,
    conference: page.details.conference,
    start: new Date(about.start),
    end: new Date(about.end),
    stamp: clock.now(),
    invitation: {
      method: methodOf(about),
      sequence: about.sequence,
      organizer: { name: page.details.host_name ?? page.title, email: config.mailFrom },
      attendee: to,
      hasAccepted: about.to === 0,
    },
  })

function textOf({ config }: App, { page, guest, about }: GuestMail): string {
  const texts = languages[guest.language]
  const times = openTimes(guest)
  const { happened, by, before } = about
  const isFirst = about.to === 0
  const { host_name, host_organization, location, conference } = page.details
  const when = ({ start, end }: { start: string; end: string }) => {
    const ms = Date.parse(start)
    return `${times.dayWithYear(ms)}, ${times.time(ms)} – ${times.time(Date.parse(end))} (${guest.zone.replaceAll('_', ' ')}, ${times.zoneName(ms)})`
  }
  const facts = [
    [texts.what, page.title],
    [texts.host, [host_name, host_organization].filter(Boolean).join(', ')],
    [texts.bookedBy, !isFirst && isPlainName(guest.name) && guest.name],
    [texts.when, when(about)],
    [texts.before, before && when(before)],
    [texts.where, location],
    [texts.call, conference && callLine(conference)],
  ] as const
  const text = isFirst || happened !== 'confirmed' ? texts[news[by][happened]] : texts.mailInvitedText
  return [
    ...(isFirst && isPlainName(guest.name) ? [filled(texts.mailHello, { name: guest.name }), ''] : []),
    text,
    '',
    ...facts.filter(([, fact]) => fact).map(([name, fact]) => `${name}: ${oneLine(fact as string)}`),
    '',
    ...(happened === 'cancelled' || !isFirst
      ? []
      : [texts.mailManage, '', bookingAddress(config.baseUrl, guest.token), '']),
    isFirst ? texts.mailWhy : texts.mailWhyInvited,
    '',
    '-- ',
    'agent-calendar',
  ].join('\n')
}

export const bookingAddress = (root: string, token: string): string => `${root}/booking/${token}`

/** The guest may have typed anything as a name, and somebody else's address: a name must not become an advertisement. */
const isPlainName = (name: string): boolean =>
  name.length <= 60 && /^[\p{L}\p{M}][\p{L}\p{M} .'’-]*$/u.test(name) && !/[.]\p{L}{2}/u.test(name)

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
