import { useRef, useState } from 'react'
import { texts } from '../texts.ts'
import type { Acts } from './acts.ts'
import { type DayColumn, navigatedList, tileKey } from './columns.ts'
import { dayName, shortDay } from './dates.ts'
import type { Item, Segment } from './items.ts'
import { MovingStatus } from './movingStatus.tsx'
import { Tile } from './tile.tsx'
import { useDayDrag } from './useDayDrag.ts'
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
export function DayLists({ columns, items, zone, today, kind, month, toDay, acts: given }: Props) {
  const root = useRef<HTMLDivElement>(null)
  /** The event that was moved last. It stays in sight on a full day. */
  const [carried, setCarried] = useState<string | undefined>()
  const preview: Acts['moves']['preview'] = (item, after) => {
    setCarried(after && item.key)
    given.moves.preview(item, after)
  }
  const acts = { ...given, moves: { ...given.moves, preview } }
  const shownOf = ({ allDay, timed }: DayColumn) => {
    const all = [...allDay, ...timed]
    return kind === 'month' && all.length > inMonthCell ? firstOf(all, carried) : all
  }
  const drag = useDayDrag(root, items, acts)
  const tiles = useTiles({
    ...{ root, items, acts },
    columns: columns.map((column) => navigatedList(column.id, shownOf(column))),
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
        onPointerDown={drag.onPointerDown}
        onClick={(event) => drag.isClick() && tiles.onClick(event)}
      >
        {columns.map((column) => {
          const { id, date, allDay, timed } = column
          const shown = shownOf(column)
          const hidden = allDay.length + timed.length - shown.length
          return (
            <div key={id} data-day={date} className={classOf(date, today, kind === 'month' ? month : date)}>
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

/** As many as have room, with the carried one among them. */
function firstOf(all: readonly Segment[], carried: string | undefined): readonly Segment[] {
  const first = all.slice(0, inMonthCell - 1)
  const own = all.find(({ item }) => item.key === carried)
  return !own || first.includes(own) ? first : [...first.slice(0, -1), own]
}

const classOf = (date: string, today: string, month: string) =>
  ['list-day', date === today && 'today', date.slice(0, 7) !== month.slice(0, 7) && 'outside'].filter(Boolean).join(' ')
