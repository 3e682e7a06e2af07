import { useRef } from 'react'
import { texts } from '../texts.ts'
import type { Acts } from './acts.ts'
import { type DayColumn, navigatedList, tileKey } from './columns.ts'
import { dayName, shortDay } from './dates.ts'
import type { Item } from './items.ts'
import { MovingStatus } from './movingStatus.tsx'
import { Tile } from './tile.tsx'
import { useTiles } from './useTiles.ts'

type Props = {
  columns: readonly DayColumn[]
  items: readonly Item[]
  zone: string
  today: string
  /** A month has its days in rows of weeks, an agenda below each other. */
  kind: 'month' | 'agenda'
  month: string
  toDay: (date: string) => void
  acts: Acts
}

const inMonthCell = 4

/** Days as lists of their events. */
export function DayLists({ columns, items, zone, today, kind, month, toDay, acts }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const shownOf = ({ allDay, timed }: DayColumn) => {
    const all = [...allDay, ...timed]
    return kind === 'month' && all.length > inMonthCell ? all.slice(0, inMonthCell - 1) : all
  }
  const tiles = useTiles({
    ...{ root, items, acts },
    columns: columns.map((column) => navigatedList(column).slice(0, shownOf(column).length)),
    columnAt: (date) => date,
  })
  return (
    <>
      <MovingStatus moving={tiles.moving} zone={zone} />
      {/* biome-ignore lint/a11y/useSemanticElements: a group of days is no set of fields */}
      <div
        ref={root}
        role="group"
        aria-label={texts.calendar}
        className={kind}
        onKeyDown={tiles.onKeyDown}
        onFocus={tiles.onFocus}
        onBlur={tiles.onBlur}
        onClick={tiles.onClick}
      >
        {columns.map((column) => {
          const { id, date, allDay, timed } = column
          const shown = shownOf(column)
          const hidden = allDay.length + timed.length - shown.length
          return (
            <div key={id} className={classOf(date, today, kind === 'month' ? month : date)}>
              <h3>
                <button
                  type="button"
                  className="day-name"
                  onClick={() => toDay(date)}
                  aria-label={kind === 'month' ? `${shortDay(date)}, ${dayName(date)}` : undefined}
                >
                  {kind === 'month' ? shortDay(date) : dayName(date)}
                </button>
              </h3>
              <ul aria-label={dayName(date)}>
                {shown.map(({ item }) => {
                  const tile = tileKey(item.key, id)
                  return <Tile key={tile} {...{ item, tile }} showsCalendar isActive={tile === tiles.active} />
                })}
              </ul>
              {hidden > 0 && (
                <button type="button" className="quiet small" onClick={() => toDay(date)}>
                  {texts.more(hidden)}
                </button>
              )}
              {kind === 'agenda' && shown.length === 0 && <p className="muted">{texts.noEvents}</p>}
            </div>
          )
        })}
      </div>
    </>
  )
}

const classOf = (date: string, today: string, month: string) =>
  ['list-day', date === today && 'today', date.slice(0, 7) !== month.slice(0, 7) && 'outside'].filter(Boolean).join(' ')
