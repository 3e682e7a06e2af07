// The mails to guests: what is booked, with a file for their calendar, in their language and zone. The file of a change has the
// UID of the first one and a higher SEQUENCE, so that calendars change their entry.
import type { App } from '../app.ts'
import type { Effect } from '../changes/effect.ts'
import { bookingFile } from '../feeds/bookingFile.ts'
import { sendLater } from '../mails/mails.ts'
import { secondsToWait } from '../quotas/throttle.ts'
import { dayMs } from '../shapes/durations.ts'
import { encodeId, type Uuid } from '../shapes/ids.ts'
import type { Guest } from './guests.ts'
import { filled, languages } from './languages/languages.ts'
import type { PublicPageRow } from './queries.ts'
import { openTimes } from './times.ts'

type Happened = 'confirmed' | 'moved' | 'cancelled'

type Told = {
  page: PublicPageRow
  guest: Guest
  eventId: Uuid
  start: Date
  end: Date
  /** How often the guest has changed it before. */
  changes: number
  /** Where it was moved from. */
  before?: { start: Date; end: Date }
}

/** Nobody has proven the address, so no page can be used to fill a mailbox. */
const perRecipient = { name: 'guest_mails', max: 10, windowMs: dayMs }

/** Whether the guest gets a mail: the owner wants it, and the address has not had many today. Counts it. */
export async function isMailed(app: App, page: PublicPageRow, email: string): Promise<boolean> {
  if (page.details.guest_mails === false) return false
  return (await secondsToWait(app, perRecipient, email.toLowerCase())) === 0
}

const subjects = { confirmed: 'mailConfirmed', moved: 'mailMoved', cancelled: 'mailCancelled' } as const
const news = { confirmed: 'mailConfirmedText', moved: 'mailMovedText', cancelled: 'mailCancelledText' } as const

export function guestMail(app: App, happened: Happened, told: Told): Effect {
  const { page, guest } = told
  const content = {
    kind: `booking_${happened}` as const,
    to: guest.email,
    subject: oneLine(filled(languages[guest.language][subjects[happened]], { title: page.title })),
    text: textOf(app, happened, told),
    calendar: {
      method: happened === 'cancelled' ? ('CANCEL' as const) : ('REQUEST' as const),
      content: fileOf(app, happened, told),
    },
  }
  return sendLater(app, content, page.orgId)
}

function fileOf(
  { config, clock }: App,
  happened: Happened,
  { page, guest, eventId, start, end, changes }: Told,
): string {
  return bookingFile({
    id: encodeId('evt', eventId),
    title: page.title,
    description: page.description,
    location: page.details.location ?? null,
    start,
    end,
    stamp: clock.now(),
    invitation: {
      method: happened === 'cancelled' ? 'CANCEL' : 'REQUEST',
      sequence: changes,
      organizer: { name: page.details.host_name ?? page.title, email: config.mailFrom },
      attendee: guest.email,
    },
  })
}

function textOf({ config }: App, happened: Happened, { page, guest, start, end, before }: Told): string {
  const texts = languages[guest.language]
  const times = openTimes(guest)
  const { host_name, host_organization, location } = page.details
  const when = (from: Date, to: Date) => {
    const ms = from.getTime()
    return `${times.dayWithYear(ms)}, ${times.time(ms)} – ${times.time(to.getTime())} (${guest.zone.replaceAll('_', ' ')}, ${times.zoneName(ms)})`
  }
  const facts = [
    [texts.what, page.title],
    [texts.host, [host_name, host_organization].filter(Boolean).join(', ')],
    [texts.when, when(start, end)],
    [texts.before, before && when(before.start, before.end)],
    [texts.where, location],
  ]
  return [
    ...(isPlainName(guest.name) ? [filled(texts.mailHello, { name: guest.name }), ''] : []),
    texts[news[happened]],
    '',
    ...facts.filter(([, fact]) => fact).map(([name, fact]) => `${name}: ${oneLine(fact!)}`),
    '',
    ...(happened === 'cancelled' ? [] : [texts.mailManage, '', bookingAddress(config.baseUrl, guest.token), '']),
    texts.mailWhy,
    '',
    '-- ',
    'agent-calendar',
  ].join('\n')
}

export const bookingAddress = (root: string, token: string): string => `${root}/booking/${token}`

/** Whoever booked may have typed anything for a name, and for an address that of somebody else: a name is no advertisement. */
const isPlainName = (name: string): boolean =>
  name.length <= 60 && /^[\p{L}\p{M}][\p{L}\p{M} .'’-]*$/u.test(name) && !/[.]\p{L}{2}/u.test(name)

const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
