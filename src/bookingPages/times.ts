// How pages and mails write dates and times: in the zone and the style of its reader.
import { dayMs } from '../shapes/durations.ts'
import { offsetStretches } from '../shapes/zones.ts'

/** `clock`: if it is not the usual one of the locale. */
type Reader = { zone: string; locale: string; clock?: Clock | undefined }
export type Clock = '12' | '24'

export type Times = ReturnType<typeof openTimes>

/** The parts of a day, and the hour at which each begins. */
export const dayParts = { morning: 0, afternoon: 12, evening: 17 } as const
export type DayPart = keyof typeof dayParts

export function openTimes({ zone, locale, clock }: Reader) {
  // The months of the page are those of one calendar, whatever the region's usual one is.
  const format = (options: Intl.DateTimeFormatOptions, timeZone = zone) => {
    const formatter = new Intl.DateTimeFormat(locale, { calendar: 'gregory', ...options, timeZone })
    return (ms: number) => formatter.format(ms)
  }
  const usual = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  const hour12 = clock === undefined ? usual.hour12 : clock === '12'
  const hourCycle = clock === undefined ? usual.hourCycle! : clock === '12' ? 'h12' : 'h23'
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const
  const named = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' })
  const hour = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' })
  const number = new Intl.NumberFormat(locale)
  return {
    zone,
    clock: hour12 ? ('12' as const) : ('24' as const),
    time: format({ hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hourCycle }),
    day: format(day),
    dayWithYear: format({ ...day, year: 'numeric' }),
    shortDay: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    /** Distinguishes two equal wall times: `CET`, `GMT+2`. */
    zoneName: (ms: number) => named.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? zone,
    /** Takes a date, which is a midnight in UTC. */
    dateNamed: format(day, 'UTC'),
    weekdayNamed: format({ weekday: 'long' }, 'UTC'),
    weekdayShort: format({ weekday: 'short' }, 'UTC'),
    monthNamed: format({ month: 'long', year: 'numeric' }, 'UTC'),
    dateIn: (ms: number) => dateText(dateOf(ms, zone)),
    /** The local date, as midnight UTC of that date. */
    dateAt: (ms: number) => dateOf(ms, zone),
    number: (value: number) => number.format(value),
    partOfDay(ms: number): DayPart {
      const at = Number(hour.format(ms))
      return at < dayParts.afternoon ? 'morning' : at < dayParts.evening ? 'afternoon' : 'evening'
    },
  }
}

const dateOf = (ms: number, zone: string): number => [...datesOf([ms], zone, { fromMs: ms, toMs: ms })][0]!

/** The local date of each moment, as midnight UTC of that date; the moments must be in ascending order. */
export function* datesOf(moments: Iterable<number>, zone: string, window: { fromMs: number; toMs: number }) {
  const stretches = offsetStretches(zone, window.fromMs, window.toMs + 1)
  let at = 0
  for (const ms of moments) {
    while (at < stretches.length - 1 && stretches[at]!.toMs <= ms) at++
    yield Math.floor((ms + stretches[at]!.offsetMs) / dayMs) * dayMs
  }
}

/** `2026-03-04`, or `2026-03` with seven characters. */
export const dateText = (dateMs: number, characters: 7 | 10 = 10): string =>
  new Date(dateMs).toISOString().slice(0, characters)

export const monthOf = (dateMs: number): number => Date.parse(`${dateText(dateMs, 7)}-01`)

export const nextMonth = (monthMs: number, months = 1): number => {
  const month = new Date(monthMs)
  return Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + months)
}

/** The day on which weeks begin for a reader: 1 is Monday, 7 is Sunday. */
export const firstDayOfWeek = (locale: string): number => {
  const info = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?(): { firstDay: number } }
  return info.getWeekInfo?.().firstDay ?? 1
}

/** `30 minutes`, `1 hour 30 minutes`. */
export function lengthText(minutes: number, locale: string): string {
  const unit = (name: 'hour' | 'minute') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' })
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [hours > 0 && unit('hour').format(hours), rest > 0 && unit('minute').format(rest)].filter(Boolean).join(' ')
}
