// Hours of a week between the API, which has stretches for each day, and the form, which has times for the first and a text for the others. Pure.
import type { AvailabilityRules } from '../../clients/typescript/src/entry.ts'
import { stretchesOf, stretchesText } from './stretches.ts'

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof days)[number]

type Hours = NonNullable<AvailabilityRules['working_hours']>
type Times = { [D in `${Day}_from` | `${Day}_to` | `${Day}_also`]: string }
export type WeekValues = { [D in `${Day}_on`]: boolean } & Times

const usual = { start: '09:00', end: '17:00' }
/** A field for times has no 24:00. */
const midnight = { field: '00:00', api: '24:00' }

export function weekValues(hours: Hours | null): WeekValues {
  const entries = days.flatMap((day) => {
    const given = [hours?.[day] ?? []].flat()
    const [first = usual, ...others] = given
    return [
      [`${day}_on`, given.length > 0],
      [`${day}_from`, first.start],
      [`${day}_to`, first.end === midnight.api ? midnight.field : first.end],
      [`${day}_also`, stretchesText(others)],
    ]
  })
  return Object.fromEntries(entries) as WeekValues
}

/** Null without a chosen day: every hour counts. A day that was not changed is sent in the shape that it had. */
export function hoursOf(values: WeekValues, before: Hours | null): Hours | null {
  const was = weekValues(before)
  const chosen = days
    .filter((day) => values[`${day}_on`])
    .map((day) => {
      const isSame = (['on', 'from', 'to', 'also'] as const).every(
        (part) => values[`${day}_${part}`] === was[`${day}_${part}`],
      )
      return [day, isSame ? before![day] : stretchesIn(values, day)]
    })
  return chosen.length > 0 ? Object.fromEntries(chosen) : null
}

function stretchesIn(values: WeekValues, day: Day): Hours[Day] {
  const to = values[`${day}_to`]
  const end = to === midnight.field ? midnight.api : to
  const all = [{ start: values[`${day}_from`], end }, ...stretchesOf(values[`${day}_also`])]
  return all.length === 1 && end !== midnight.api ? all[0] : all
}

/** As one line: `Monday 09:00–17:00, Tuesday 09:00–12:00`. */
export const hoursText = (values: WeekValues, names: Record<Day, string>): string =>
  days
    .filter((day) => values[`${day}_on`])
    .map((day) => {
      const also = values[`${day}_also`]
      return `${names[day]} ${values[`${day}_from`]}–${values[`${day}_to`]}${also && `, ${also}`}`
    })
    .join(', ')
