import { momentOf } from '../parts/days.ts'
import { texts } from '../texts.ts'
import { clockAt, minutesOfDay, wallAt } from './dates.ts'
import { useClock } from './useClock.ts'

type Props = {
  zone: string
  /** The zone of the columns, whose hours the lines are. */
  main: string
  /** The day that both are compared on. */
  date: string
  /** Which of the zones it is, from 0. */
  nth: number
}

/** Where hours stay when the days are scrolled to the side. */
export const sideOf = (nth: number) => ({ insetInlineStart: `calc(${nth} * var(--hours))` })

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** The hours beside the days, as the clocks of one zone show them. */
export function Hours({ zone, main, date, nth }: Props) {
  const clock = useClock()
  const minuteOf = (hour: number) => {
    if (zone === main) return hour * 60
    return clockAt(momentOf(wallAt(date, hour * 60), main), zone).minute
  }
  return (
    <ul className="hours" aria-label={texts.hoursOf(zone)} style={sideOf(nth)}>
      {hours.map((hour) => (
        <li key={hour} style={{ insetBlockStart: `${((hour * 60) / minutesOfDay) * 100}%` }}>
          {clock(minuteOf(hour))}
        </li>
      ))}
    </ul>
  )
}
