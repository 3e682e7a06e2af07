import { texts } from '../texts.ts'
import { type DayColumn, tileKey } from './columns.ts'
import { shortDay } from './dates.ts'
import { sideOf } from './hours.tsx'
import { Tile } from './tile.tsx'

type Props = {
  columns: readonly DayColumn[]
  zones: readonly string[]
  today: string
  active: string | undefined
  showsCalendar: boolean
}

/** Above the columns: the days, the calendars, and what lasts whole days. */
export function GridHead({ columns, zones, today, active, showsCalendar }: Props) {
  const days = [...new Set(columns.map(({ date }) => date))]
  const each = columns.length / Math.max(1, days.length)
  return (
    <div className="grid-head">
      {zones.map((zone, nth) => (
        <div
          key={zone}
          className="zone"
          title={zone}
          style={{ ...sideOf(nth), gridColumn: nth + 1 }}
          aria-hidden="true"
        >
          {shortName(zone)}
        </div>
      ))}
      {days.map((date) => (
        <div
          key={date}
          className={date === today ? 'day-name today' : 'day-name'}
          style={{ gridColumn: `span ${each}` }}
          aria-current={date === today ? 'date' : undefined}
        >
          {shortDay(date)}
        </div>
      ))}
      {columns.map(({ id, calendar }, nth) => (
        <div
          key={id}
          className={calendar ? `calendar-name hue-${calendar.hue}` : 'calendar-name'}
          style={{ gridColumn: zones.length + nth + 1 }}
        >
          {calendar?.name}
        </div>
      ))}
      {columns.map(({ id, name, allDay }, nth) => (
        <ul
          key={id}
          className="all-day"
          aria-label={texts.allDayOf(name)}
          style={{ gridColumn: zones.length + nth + 1 }}
        >
          {allDay.map(({ item }) => {
            const tile = tileKey(item.key, id)
            return <Tile key={tile} {...{ item, tile, showsCalendar }} isActive={tile === active} />
          })}
        </ul>
      ))}
    </div>
  )
}

const shortName = (zone: string) => zone.split('/').at(-1)!.replaceAll('_', ' ')
