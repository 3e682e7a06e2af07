// How a page writes dates and times: in the zone and the style of its reader.
import { dayMs } from '../../src/shapes/durations.ts'
import { offsetStretches } from '../../src/shapes/zones.ts'

type Reader = { zone: string; locale: string }

/** Pages are in English; the reader's region decides the order of a date and the 12-hour or 24-hour clock. */
export const localeOf = (acceptLanguage: string | undefined): string => {
  const region = /\ben-([a-z]{2})\b/i.exec(acceptLanguage ?? '')?.[1]
  return region ? `en-${region.toUpperCase()}` : 'en-GB'
}

export type Times = ReturnType<typeof openTimes>

export function openTimes({ zone, locale }: Reader) {
  const format = (options: Intl.DateTimeFormatOptions, timeZone = zone) => {
    const formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone })
    return (ms: number) => formatter.format(ms)
  }
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const
  const named = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' })
  return {
    zone,
    time: format({ hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' }),
    day: format(day),
    dayWithYear: format({ ...day, year: 'numeric' }),
    shortDay: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    /** Distinguishes two equal wall times: `CET`, `GMT+2`. */
    zoneName: (ms: number) => named.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? zone,
    /** Takes a date, which is a midnight in UTC. */
    dateNamed: format(day, 'UTC'),
    weekdayNamed: format({ weekday: 'long' }, 'UTC'),
    monthNamed: format({ month: 'long', year: 'numeric' }, 'UTC'),
    dateIn: (ms: number) => dateText([...datesOf([ms], zone, { fromMs: ms, toMs: ms })][0]!),
  }
}

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
