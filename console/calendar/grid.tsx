import { useRef } from 'react'
import { texts } from '../texts.ts'
import type { Acts } from './acts.ts'
import { Column } from './column.tsx'
import { type DayColumn, drawnFrom, moreKey, navigated } from './columns.ts'
import type { Free } from './freeTimes.ts'
import { GridHead } from './gridHead.tsx'
import { Hours } from './hours.tsx'
import type { Item } from './items.ts'
import { MovingStatus } from './movingStatus.tsx'
import { useClock } from './useClock.ts'
import { useDrag } from './useDrag.ts'
import { useSeen } from './useSeen.ts'
import { useSight } from './useSight.ts'
import { useTiles } from './useTiles.ts'

type Props = {
  columns: readonly DayColumn[]
  items: readonly Item[]
  /** One or two. */
  zones: readonly string[]
  date: string
  today: { date: string; minute: number }
  free: ReadonlyMap<string, readonly Free[]>
  showsCalendar: boolean
  acts: Acts
}

/** The days beside each other, with hours. */
export function Grid({ columns, items, zones, date, today, free, showsCalendar, acts }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const clock = useClock()
  useSight(root, date, columns.length)
  const drag = useDrag(root, items, acts)
  const seen = useSeen(root, items.length > drawnFrom, columns.length)
  const tiles = useTiles({
    ...{ root, items, acts },
    columns: columns.map(navigated),
    columnAt: (date, item) => columns.find((one) => isOf(one, date, item))?.id ?? date,
    more(key) {
      for (const { id, layout } of columns) {
        const group = layout.more.find(({ at }) => moreKey(at, id) === key)
        if (group)
          acts.openMore(
            group.hidden.map(({ item }) => item),
            texts.moreAt(group.hidden.length, clock(group.at)),
          )
      }
    },
  })

  return (
    <>
      <MovingStatus moving={tiles.moving} zone={zones[0]!} />
      {/* biome-ignore lint/a11y/useSemanticElements: a group of days is no set of fields */}
      <div
        ref={root}
        role="group"
        aria-label={texts.calendar}
        tabIndex={tiles.active ? undefined : 0}
        className={drag.isRefused ? 'grid refused' : 'grid'}
        style={{ gridTemplateColumns: templateOf(columns, zones.length) }}
        onPointerDown={drag.onPointerDown}
        onKeyDown={tiles.onKeyDown}
        onFocus={tiles.onFocus}
        onBlur={tiles.onBlur}
        onClick={(event) => {
          if (!drag.isClick()) return
          tiles.onClick(event)
          if ((event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch') drag.tapped(event)
        }}
      >
        <GridHead
          columns={columns}
          zones={zones}
          today={today.date}
          active={tiles.active}
          showsCalendar={showsCalendar}
        />
        {zones.map((zone, nth) => (
          <Hours key={zone} zone={zone} main={zones[0]!} date={date} nth={nth} />
        ))}
        {columns.map((column, nth) => (
          <Column
            key={column.id}
            column={column}
            active={tiles.active?.endsWith(`#${column.id}`) ? tiles.active : undefined}
            from={seen(nth).from}
            to={seen(nth).to}
            now={column.date === today.date ? today.minute : undefined}
            drawing={drag.drawing?.column === column.id ? drag.drawing : undefined}
            free={free.get(column.id) ?? none}
            showsCalendar={showsCalendar}
          />
        ))}
      </div>
    </>
  )
}

const none: readonly Free[] = []

/** Where many stand side by side, there is room for a finger on each. */
const templateOf = (columns: readonly DayColumn[], zones: number) =>
  [
    `repeat(${zones}, var(--hours))`,
    ...columns.map(({ layout }) => `minmax(max(var(--column), ${layout.widest * 1.75}rem), 1fr)`),
  ].join(' ')

const isOf = ({ date, calendar }: DayColumn, wanted: string, item: Item) =>
  date === wanted && (!calendar || calendar.id === item.calendar.id)
