// How moments read: `Tuesday 1 December 2026, 10:00–10:30` in the chosen zone. Pure.

type Clock = '24' | '12'
export type Shown = { timezone: string; clock: Clock }

const formats = new Map<string, Intl.DateTimeFormat>()

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options)
  const kept = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', options)
  formats.set(key, kept)
  return kept
}

export const day = (at: Date, timeZone: string) => {
  const parts = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value
  return `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`
}

export const time = (at: Date, { timezone, clock }: Shown) =>
  format({
    ...(clock === '24' ? { hour: '2-digit', hourCycle: 'h23' } : { hour: 'numeric', hourCycle: 'h12' }),
    minute: '2-digit',
    timeZone: timezone,
  }).format(at)

export const moment = (at: string, shown: Shown): string => {
  const date = new Date(at)
  return `${day(date, shown.timezone)}, ${time(date, shown)}`
}

/** The day of the end is only said if it is another one. */
export function span(start: string, end: string, shown: Shown): string {
  const [from, to] = [new Date(start), new Date(end)]
  const isSameDay = day(from, shown.timezone) === day(to, shown.timezone)
  return `${moment(start, shown)}–${isSameDay ? time(to, shown) : ` ${moment(end, shown)}`}`
}

/** A state of the API as a word: `all_blocked` is `All blocked`. */
export const word = (state: string): string => {
  const text = state.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
