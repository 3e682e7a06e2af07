import { memo } from 'react'
import { texts } from '../texts.ts'
import { type DayColumn, moreKey, tileKey } from './columns.ts'
import { minutesOfDay } from './dates.ts'
import type { Stretch } from './drag.ts'
import type { Free } from './freeTimes.ts'
import { boxOf, More, Tile } from './tile.tsx'
import { useClock } from './useClock.ts'
import type { Seen } from './useSeen.ts'
import { timeText } from './values.ts'

type Props = Seen & {
  column: DayColumn
  /** The tile that has the tab stop, if it is of this column. */
  active: string | undefined
  /** The minute of the day, today. */
  now: number | undefined
  drawing: Stretch | undefined
  free: readonly Free[]
  showsCalendar: boolean
}

const alone = { lane: 0, lanes: 1 }

/** One day, or one day of one calendar. */
export const Column = memo(function Column({
  column,
  active,
  from: first,
  to: last,
  now,
  drawing,
  free,
  showsCalendar,
}: Props) {
  const { id, date, name, calendar, layout } = column
  const clock = useClock()
  const isSeen = ({ from, to }: Seen, tile: string) => tile === active || (from < last && to > first)
  return (
    <div className="day-column">
      <ul aria-label={name} data-column={id} data-date={date} data-calendar={calendar?.id}>
        {free.map(({ from, to, text }) => (
          <li key={from} className="free" style={boxOf(from, to, alone)}>
            <span className="spoken">{texts.freeFromTo(text)}</span>
          </li>
        ))}
        {layout.placed.map(({ item, from, to, lane, lanes }) => {
          const tile = tileKey(item.key, id)
          if (!isSeen({ from, to }, tile)) return null
          const box = { from, to, lane, lanes }
          return <Tile key={tile} {...{ item, tile, showsCalendar, box }} isActive={tile === active} />
        })}
        {layout.more.map(({ at, to, hidden, lane, lanes }) => {
          const tile = moreKey(at, id)
          if (!isSeen({ from: at, to }, tile)) return null
          const label = texts.moreAt(hidden.length, clock(at))
          return (
            <More
              key={tile}
              {...{ at, to, lane, lanes, label, tile }}
              count={hidden.length}
              isActive={tile === active}
            />
          )
        })}
      </ul>
      {now !== undefined && <div className="now" style={{ insetBlockStart: `${(now / minutesOfDay) * 100}%` }} />}
      {drawing && (
        <div className="drawing" style={boxOf(drawing.start.minute, endOf(drawing), alone)}>
          {timeText(drawing.start.minute)}–{timeText(endOf(drawing) % minutesOfDay)}
        </div>
      )}
    </div>
  )
})

const endOf = ({ start, end }: Stretch) => (end.date === start.date ? end.minute : minutesOfDay)
