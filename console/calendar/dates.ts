// Dates as texts, and which of them a view shows. Pure.
import { wallOf } from '../parts/days.ts'
import { day } from '../parts/times.ts'

export const views = ['day', 'week', 'month', 'agenda'] as const
export type View = (typeof views)[number]
type WeekStart = 'monday' | 'sunday'

const dayMs = 86_400_000
export const minutesOfDay = 1_440

const ms = (date: string) => Date.parse(`${date}T00:00:00Z`)
const text = (at: number) => new Date(at).toISOString().slice(0, 10)

/** A date that calendars have, of the years that people plan in. */
export const isDate = (date: string | undefined): date is string =>
  /^(19|20|21)\d\d-\d\d-\d\d$/.test(date ?? '') && !Number.isNaN(ms(date!)) && text(ms(date!)) === date

export const addDays = (date: string, days: number): string => text(ms(date) + days * dayMs)
export const daysBetween = (from: string, to: string): number => (ms(to) - ms(from)) / dayMs

/** The date and the minute of the day that the clock of a zone shows. */
export function clockAt(at: number, zone: string): { date: string; minute: number } {
  const wall = wallOf(at, zone)
  return { date: text(wall), minute: (wall - ms(text(wall))) / 60_000 }
}

/** A wall clock as if it were UTC. */
export const wallAt = (date: string, minute: number): number => ms(date) + minute * 60_000

const weekOf = (date: string, weekStart: WeekStart) => {
  const fromMonday = (new Date(ms(date)).getUTCDay() + 6) % 7
  return addDays(date, -(weekStart === 'monday' ? fromMonday : (fromMonday + 1) % 7))
}

const range = (from: string, count: number) => Array.from({ length: count }, (_, nth) => addDays(from, nth))
const firstOfMonth = (date: string) => `${date.slice(0, 8)}01`

/** A month in whole weeks. An agenda is a week, too. */
export function daysShown(view: View, date: string, weekStart: WeekStart): string[] {
  if (view === 'day') return [date]
  if (view !== 'month') return range(weekOf(date, weekStart), 7)
  const first = weekOf(firstOfMonth(date), weekStart)
  const last = addDays(monthLater(firstOfMonth(date), 1), -1)
  return range(first, daysBetween(first, addDays(weekOf(last, weekStart), 7)))
}

function monthLater(date: string, by: number): string {
  const [year, month, day] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year!, month! + by, 0)).getUTCDate()
  return text(Date.UTC(year!, month! - 1 + by, Math.min(day!, lastDay)))
}

/** Where `Previous` and `Next` lead. */
export const stepped = (view: View, date: string, by: 1 | -1): string =>
  view === 'month' ? monthLater(date, by) : addDays(date, view === 'day' ? by : 7 * by)

/** `Tuesday 1 December 2026`. */
const fullDay = (date: string): string => day(new Date(ms(date)), 'UTC')
/** One day, or the first and the last of several. */
export const fullDays = (first: string, last: string): string =>
  first === last ? fullDay(first) : `${fullDay(first)} – ${fullDay(last)}`
/** `Tuesday 1 December`. */
export const dayName = (date: string): string => fullDay(date).replace(/ \d{4}$/, '')

/** `Tue 1`. */
export const shortDay = (date: string): string => {
  const [weekday, day] = fullDay(date).split(' ')
  return `${weekday!.slice(0, 3)} ${day}`
}

/** `30 November – 6 December 2026`, `7–13 December 2026`, `Tuesday 1 December 2026`, `December 2026`. */
export function headingOf(view: View, date: string, days: readonly string[]): string {
  if (view === 'day') return fullDay(date)
  const words = (of: string) => fullDay(of).split(' ').slice(1)
  if (view === 'month') return words(date).slice(1).join(' ')
  const [from, to] = [words(days[0]!), words(days.at(-1)!)]
  if (from[2] !== to[2]) return `${from.join(' ')} – ${to.join(' ')}`
  if (from[1] !== to[1]) return `${from[0]} ${from[1]} – ${to.join(' ')}`
  return `${from[0]}–${to.join(' ')}`
}
