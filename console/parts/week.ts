// Hours of a week between the API, which has stretches for each day, and the form, which has one for each chosen day. Pure.
import type { AvailabilityRules } from '../../clients/typescript/src/entry.ts'

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof days)[number]

type Hours = NonNullable<AvailabilityRules['working_hours']>
export type WeekValues = { [D in `${Day}_on`]: boolean } & { [D in `${Day}_from` | `${Day}_to`]: string }

const usual = { start: '09:00', end: '17:00' }

/** A day of several stretches shows the first and is kept as it is until somebody changes it. */
export function weekValues(hours: Hours | null): WeekValues {
  const entries = days.flatMap((day) => {
    const given = hours?.[day]
    const first = (Array.isArray(given) ? given[0] : given) ?? usual
    return [
      [`${day}_on`, given !== undefined],
      [`${day}_from`, first.start],
      [`${day}_to`, first.end],
    ]
  })
  return Object.fromEntries(entries) as WeekValues
}

/** Null without a chosen day: every hour counts. */
export function hoursOf(values: WeekValues, before: Hours | null): Hours | null {
  const was = weekValues(before)
  const chosen = days
    .filter((day) => values[`${day}_on`])
    .map((day) => {
      const start = values[`${day}_from`]
      const end = values[`${day}_to`]
      const isSame = was[`${day}_on`] && start === was[`${day}_from`] && end === was[`${day}_to`]
      return [day, isSame ? before![day] : { start, end }]
    })
  return chosen.length > 0 ? Object.fromEntries(chosen) : null
}

/** As one line: `Monday 09:00–17:00, Tuesday 09:00–12:00`. */
export const hoursText = (values: WeekValues, names: Record<Day, string>): string =>
  days
    .filter((day) => values[`${day}_on`])
    .map((day) => `${names[day]} ${values[`${day}_from`]}–${values[`${day}_to`]}`)
    .join(', ')
