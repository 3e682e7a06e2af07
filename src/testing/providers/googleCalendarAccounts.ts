// Accounts, calendars and events of humans at the emulator of Google. The functions are a human's changes in their calendar;
// each change gets a new etag and is announced.
import { randomBytes } from 'node:crypto'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'

type Moment = { dateTime?: string; date?: string; timeZone?: string }
export type GoogleEvent = {
  id: string
  etag: string
  status: 'confirmed' | 'tentative' | 'cancelled'
  summary?: string
  description?: string
  start: Moment
  end: Moment
  recurrence?: string[]
  transparency?: 'opaque' | 'transparent'
  eventType?: string
  attendees?: { self?: boolean; email?: string; responseStatus?: string }[]
  iCalUID: string
  sequence: number
  [field: string]: unknown
}
export type GoogleCalendar = {
  id: string
  summary: string
  primary: boolean
  timeZone: string
  accessRole: 'owner' | 'writer' | 'reader' | 'freeBusyReader'
  events: Map<string, GoogleEvent>
  /** Instead of its busy time, as freeBusy says it of one calendar. */
  trouble?: string
}
export type GoogleAccount = { sub: string; email: string; calendars: Map<string, GoogleCalendar> }

export const newEtag = () => `"${randomBytes(8).toString('hex')}"`

export function openGoogleAccounts(changed: (calendar: GoogleCalendar) => void) {
  const accounts = new Map<string, GoogleAccount>()
  const calendarOf = (id: string) => [...accounts.values()].flatMap(({ calendars }) => calendars.get(id) ?? [])[0]
  const required = (id: string) => {
    const calendar = calendarOf(id)
    if (!calendar) throw new Error(`no calendar ${id}`)
    return calendar
  }

  return {
    accounts,
    calendarOf,
    /** With a primary calendar, whose identifier is the address. */
    addAccount(email: string, { timeZone = 'UTC' } = {}): GoogleAccount {
      const account: GoogleAccount = { sub: randomBytes(10).toString('hex'), email, calendars: new Map() }
      accounts.set(email, account)
      this.addCalendar(email, email, { primary: true, timeZone })
      return account
    },
    addCalendar(email: string, id: string, more: Partial<GoogleCalendar> = {}): GoogleCalendar {
      const calendar: GoogleCalendar = {
        ...{ id, summary: id, primary: false, timeZone: 'UTC', accessRole: 'owner', events: new Map() },
        ...more,
      }
      accounts.get(email)!.calendars.set(id, calendar)
      return calendar
    },
    dropCalendar(email: string, id: string): void {
      accounts.get(email)!.calendars.delete(id)
    },
    /** Returns the identifier. Times are ISO texts with an offset, or dates. */
    addEvent(calendarId: string, start: string, end: string, more: Partial<GoogleEvent> = {}): string {
      const calendar = required(calendarId)
      const id = randomBytes(13).toString('hex')
      const moment = (text: string): Moment => (text.includes('T') ? { dateTime: text } : { date: text })
      calendar.events.set(id, {
        ...{ id, etag: newEtag(), status: 'confirmed', sequence: 0, iCalUID: `${id}@google.com` },
        ...{ summary: 'Dentist of Ada', start: moment(start), end: moment(end) },
        ...more,
      })
      changed(calendar)
      return id
    },
    changeEvent(calendarId: string, id: string, more: Partial<GoogleEvent>): void {
      const calendar = required(calendarId)
      calendar.events.set(id, { ...calendar.events.get(id)!, ...more, etag: newEtag() })
      changed(calendar)
    },
    /** It stays as a cancelled one, as in Google's trash. */
    removeEvent(calendarId: string, id: string): void {
      this.changeEvent(calendarId, id, { status: 'cancelled' })
    },
  }
}

type Interval = { startMs: number; endMs: number }

/** The freeBusy of a calendar: merged, and cut at the edges of the question. */
export function busyOf(calendar: GoogleCalendar, fromMs: number, toMs: number): { start: string; end: string }[] {
  const all = [...calendar.events.values()]
    .filter(isBusy)
    .flatMap((event) => occurrences(event, calendar.timeZone, fromMs, toMs))
    .map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, toMs) }))
    .filter(({ startMs, endMs }) => startMs < endMs)
    .sort((a, b) => a.startMs - b.startMs)
  const merged: Interval[] = []
  for (const one of all) {
    const last = merged.at(-1)
    if (last && one.startMs <= last.endMs) last.endMs = Math.max(last.endMs, one.endMs)
    else merged.push({ ...one })
  }
  const text = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
  return merged.map(({ startMs, endMs }) => ({ start: text(startMs), end: text(endMs) }))
}

const isBusy = ({ status, transparency, eventType, attendees = [] }: GoogleEvent): boolean =>
  status !== 'cancelled' &&
  transparency !== 'transparent' &&
  eventType !== 'workingLocation' &&
  !attendees.some(({ self, responseStatus }) => self && responseStatus === 'declined')

function occurrences(event: GoogleEvent, zone: string, fromMs: number, toMs: number): Interval[] {
  const [startMs, endMs] = [msOf(event.start, zone), msOf(event.end, zone)]
  const rule = event.recurrence?.find((line) => line.startsWith('RRULE:'))
  if (!rule) return [{ startMs, endMs }]
  const start = zoned(event.start, zone)
  const lengthMs = endMs - startMs
  const local = start.toPlainDateTime().toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')
  const series = new RRuleTemporal({ rruleString: `DTSTART;TZID=${start.timeZoneId}:${local}\n${rule}` })
  return series
    .between(new Date(fromMs - lengthMs), new Date(toMs), true)
    .map(({ epochMilliseconds: startMs }) => ({ startMs, endMs: startMs + lengthMs }))
}

const msOf = (moment: Moment, zone: string): number =>
  moment.dateTime ? Date.parse(moment.dateTime) : zoned(moment, zone).epochMilliseconds

function zoned({ dateTime, date, timeZone }: Moment, zone: string): Temporal.ZonedDateTime {
  if (date !== undefined) return Temporal.PlainDate.from(date).toZonedDateTime(zone)
  return Temporal.Instant.from(dateTime!).toZonedDateTimeISO(timeZone ?? zone)
}
