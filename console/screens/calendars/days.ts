// Days with hours of their own and time off, between the rules and their form. Pure.
import type { AvailabilityRules } from '../../../clients/typescript/src/entry.ts'
import { stretchesOf, stretchesText } from '../../parts/stretches.ts'
import { momentText, wallText } from '../../parts/wallTimes.ts'

type Rules = Pick<AvailabilityRules, 'dates' | 'time_off' | 'holiday_subscription_ids'>
export type DatesRow = { from: string; to: string; hours: string; label: string }
export type TimeOffRow = { start: string; end: string; label: string }
export type DaysValues = {
  dates: readonly DatesRow[]
  time_off: readonly TimeOffRow[]
  holiday_subscription_ids: readonly string[]
}

export const noDates: DatesRow = { from: '', to: '', hours: '', label: '' }
export const noTimeOff: TimeOffRow = { start: '', end: '', label: '' }

export const daysOf = ({ dates, time_off, holiday_subscription_ids }: Rules, zone: string): DaysValues => ({
  dates: (dates ?? []).map(({ from, to = '', hours, label = '' }) => ({
    from,
    to,
    hours: stretchesText(hours),
    label,
  })),
  time_off: (time_off ?? []).map(({ start, end, label = '' }) => ({
    ...{ start: wallText(start, zone), end: wallText(end, zone) },
    label,
  })),
  holiday_subscription_ids: holiday_subscription_ids ?? [],
})

/** A moment that was not changed stays exactly what it was, also in another zone. */
const momentOf = (wall: string, zone: string, kept: ReadonlyMap<string, string>): string =>
  kept.get(wall) ?? momentText(wall, zone)

/** A save replaces all rules, so all of them are sent. */
export function daysBody(values: DaysValues, zone: string, before: Rules & { timezone: string }) {
  const moments = (before.time_off ?? []).flatMap(({ start, end }) => [start, end])
  const kept = new Map(moments.map((at) => [wallText(at, before.timezone), at]))
  const dates = values.dates.map(({ from, to, hours, label }) => ({
    ...{ from, ...(to && { to }), hours: stretchesOf(hours) },
    ...(label && { label }),
  }))
  const time_off = values.time_off.map(({ start, end, label }) => ({
    ...{ start: momentOf(start, zone, kept), end: momentOf(end, zone, kept) },
    ...(label && { label }),
  }))
  const { holiday_subscription_ids } = values
  return {
    ...(dates.length > 0 && { dates }),
    ...(time_off.length > 0 && { time_off }),
    ...(holiday_subscription_ids.length > 0 && { holiday_subscription_ids: [...holiday_subscription_ids] }),
  }
}

const line = (text: string, label: string) => (label ? `${text} (${label})` : text)

export const datesText = (rows: readonly DatesRow[], closed: string): string =>
  rows.map(({ from, to, hours, label }) => line(`${from}${to && ` – ${to}`}: ${hours || closed}`, label)).join('; ')

export const timeOffText = (rows: readonly TimeOffRow[]): string =>
  rows.map(({ start, end, label }) => line(`${start} – ${end}`, label)).join('; ')
