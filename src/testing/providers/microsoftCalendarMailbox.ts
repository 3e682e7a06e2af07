// The mailbox of the Microsoft emulator: calendars, events, series, and every change in order. Its human works through the
// functions; the API of the emulator goes through the same ones.
import { RRuleTemporal } from 'rrule-temporal'

type GraphRecurrence = {
  pattern: {
    type: string
    interval: number
    daysOfWeek?: string[]
    firstDayOfWeek?: string
    dayOfMonth?: number
    month?: number
    index?: string
  }
  range: {
    type: string
    startDate: string
    endDate?: string
    numberOfOccurrences?: number
    recurrenceTimeZone?: string
  }
}

/** Everything of an event but its times, as Graph names it. */
export type GraphFields = {
  subject?: string
  body?: { contentType: string; content: string }
  showAs?: string
  location?: { displayName: string }
  sensitivity?: string
  isCancelled?: boolean
  responseStatus?: { response: string }
  isReminderOn?: boolean
  categories?: string[]
  attendees?: object[]
  transactionId?: string
  iCalUId?: string
  recurrence?: GraphRecurrence | null
  singleValueExtendedProperties?: { id: string; value: string }[]
}

/** Of all-day events the times are midnights, counted as UTC. `zone` is of IANA, `zoneName` what Graph calls it. */
export type Times = { startMs: number; endMs: number; isAllDay: boolean; zone: string; zoneName: string }

export type StoredEvent = {
  id: string
  calendar: string
  version: number
  times: Times
  fields: GraphFields
  /** Of an exception: its series, and when the occurrence would have begun. */
  master: { id: string; originalMs: number } | undefined
  /** Of a series: occurrences that are gone. */
  gone: Set<number>
}

export type StoredCalendar = { id: string; name: string; canEdit: boolean; isDefault: boolean; isShared: boolean }

type Change = { kind: 'created' | 'updated' | 'deleted'; calendar: string; id: string }

type Wanted = {
  start: string
  end: string
  /** IANA. */
  zone?: string
  zoneName?: string
  isAllDay?: boolean
} & GraphFields

const windowsNames: Record<string, string> = {
  'Europe/Berlin': 'W. Europe Standard Time',
  'America/New_York': 'Eastern Standard Time',
  'America/Los_Angeles': 'Pacific Standard Time',
  'Asia/Tokyo': 'Tokyo Standard Time',
  UTC: 'UTC',
}

export type Mailbox = ReturnType<typeof openMailbox>

export function openMailbox(prefix: string) {
  const calendars = new Map<string, StoredCalendar>()
  const events = new Map<string, StoredEvent>()
  const changes: Change[] = []
  const listeners = new Set<(change: Change) => void>()
  let ids = 0
  let versions = 0

  function tell(kind: Change['kind'], event: StoredEvent): void {
    // A changed exception is a change of its series.
    const change = { kind, calendar: event.calendar, id: event.master?.id ?? event.id }
    changes.push(change)
    for (const listener of listeners) listener(change)
  }

  function store(calendar: string, times: Times, fields: GraphFields): StoredEvent {
    if (!calendars.has(calendar)) throw new Error(`no calendar ${calendar}`)
    const id = `${prefix}-event-${++ids}=`
    const event: StoredEvent = {
      id,
      calendar,
      version: ++versions,
      times,
      fields: { iCalUId: `uid-${id}`, ...fields },
      master: undefined,
      gone: new Set(),
    }
    events.set(id, event)
    tell('created', event)
    return event
  }

  function required(id: string): StoredEvent {
    const event = events.get(id)
    if (!event) throw new Error(`no event ${id}`)
    return event
  }

  function change(id: string, { times, fields }: { times?: Partial<Times>; fields?: GraphFields }): StoredEvent {
    const event = required(id)
    event.version = ++versions
    event.times = { ...event.times, ...times }
    event.fields = { ...event.fields, ...fields }
    tell('updated', event)
    return event
  }

  const exceptionOf = (master: string, originalMs: number) =>
    [...events.values()].find((one) => one.master?.id === master && one.master.originalMs === originalMs)

  return {
    calendars,
    events,
    changes,
    store,
    change,
    exceptionOf,
    onChange(listener: (change: Change) => void) {
      listeners.add(listener)
    },
    clear() {
      for (const one of [calendars, events]) one.clear()
    },
    addCalendar(id: string, options: Partial<Omit<StoredCalendar, 'id'>> = {}) {
      const isDefault = calendars.size === 0
      calendars.set(id, { id, name: id, canEdit: true, isDefault, isShared: false, ...options })
    },
    /** `start` and `end` are instants, or dates of an all-day event. Returns the identifier. */
    add(calendar: string, { start, end, zone = 'UTC', zoneName, isAllDay = false, ...fields }: Wanted): string {
      const times = {
        startMs: Date.parse(start),
        endMs: Date.parse(end),
        isAllDay,
        zone,
        zoneName: zoneName ?? windowsNames[zone] ?? zone,
      }
      return store(calendar, times, { showAs: 'busy', subject: 'Secret', ...fields }).id
    },
    remove(id: string) {
      const event = required(id)
      for (const one of events.values()) if (one.master?.id === id) events.delete(one.id)
      events.delete(id)
      if (event.master) required(event.master.id).gone.add(event.master.originalMs)
      tell(event.master ? 'updated' : 'deleted', event)
    },
    forgetExceptions(master: string) {
      required(master).gone.clear()
      for (const one of events.values()) if (one.master?.id === master) events.delete(one.id)
    },
    /** One occurrence of a series is cancelled, which no `@removed` says. */
    removeOccurrence(master: string, start: string) {
      const series = required(master)
      series.gone.add(Date.parse(start))
      const exception = exceptionOf(master, Date.parse(start))
      if (exception) events.delete(exception.id)
      series.version = ++versions
      tell('updated', series)
    },
    moveOccurrence(master: string, original: string, start: string, end: string, fields: GraphFields = {}): string {
      const series = required(master)
      const originalMs = Date.parse(original)
      const before = exceptionOf(master, originalMs)
      const id = before?.id ?? occurrenceId(series, originalMs)
      events.set(id, {
        ...series,
        id,
        version: ++versions,
        times: { ...series.times, startMs: Date.parse(start), endMs: Date.parse(end) },
        fields: { ...series.fields, recurrence: null, ...fields },
        master: { id: master, originalMs },
        gone: new Set(),
      })
      series.version = ++versions
      tell('updated', series)
      return id
    },
  }
}

export const occurrenceId = (series: StoredEvent, startMs: number) =>
  `${series.id}.o${new Date(startMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`

/** The starts of a series, also of moved or removed occurrences, that lie in `[fromMs, untilMs)` with their usual length. */
export function startsOf({ times, fields }: StoredEvent, fromMs: number, untilMs: number): number[] {
  const { recurrence } = fields
  if (!recurrence) return []
  const zone = times.isAllDay ? 'UTC' : times.zone
  const lengthMs = times.endMs - times.startMs
  const rule = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${zone}:${wall(times.startMs, zone)}\nRRULE:${ruleOf(recurrence, zone)}`,
  })
  return rule
    .between(new Date(fromMs - lengthMs), new Date(untilMs), true)
    .map((one) => one.epochMilliseconds)
    .filter((startMs) => startMs < untilMs && startMs + lengthMs > fromMs)
}

/** `20260302T090000` on the wall of the zone. */
const wall = (ms: number, zone: string): string =>
  new Date(ms).toLocaleString('sv-SE', { timeZone: zone }).replaceAll(/[-:]/g, '').replace(' ', 'T')

const frequencies: Record<string, string> = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  absoluteMonthly: 'MONTHLY',
  relativeMonthly: 'MONTHLY',
  absoluteYearly: 'YEARLY',
  relativeYearly: 'YEARLY',
}
const positions: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4, last: -1 }
const code = (day: string) => day.slice(0, 2).toUpperCase()

function ruleOf({ pattern, range }: GraphRecurrence, zone: string): string {
  const { type, interval, daysOfWeek, firstDayOfWeek, dayOfMonth, month, index } = pattern
  const isRelative = type.startsWith('relative')
  const parts = [
    `FREQ=${frequencies[type]}`,
    `INTERVAL=${interval}`,
    daysOfWeek && type !== 'daily' && `BYDAY=${daysOfWeek.map(code).join(',')}`,
    `WKST=${code(firstDayOfWeek ?? 'sunday')}`,
    isRelative && `BYSETPOS=${positions[index ?? 'first']}`,
    type.startsWith('absolute') && `BYMONTHDAY=${dayOfMonth}`,
    type.endsWith('Yearly') && `BYMONTH=${month}`,
    range.type === 'numbered' && `COUNT=${range.numberOfOccurrences}`,
    range.type === 'endDate' && `UNTIL=${untilOf(range.endDate!, zone)}`,
  ]
  return parts.filter(Boolean).join(';')
}

/** The end of the last local day, within what any zone makes of it: no occurrence begins in its last second. */
function untilOf(date: string, zone: string): string {
  const guess = Date.parse(`${date}T23:59:59Z`)
  const shownMs = Date.parse(`${new Date(guess).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`)
  return new Date(guess - (shownMs - guess)).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}
