import { memo } from 'react'
import { Countdown } from './countdown.tsx'
import { minutesOfDay } from './dates.ts'
import { type Item, stateOf } from './items.ts'
import type { Place } from './layout.ts'

const percent = (part: number, whole: number) => `${(part / whole) * 100}%`

export const boxOf = (from: number, to: number, { lane, lanes }: Place) => ({
  insetBlockStart: percent(from, minutesOfDay),
  blockSize: percent(to - from, minutesOfDay),
  insetInlineStart: percent(lane, lanes),
  inlineSize: percent(1, lanes),
})

type Props = {
  item: Item
  tile: string
  isActive: boolean
  /** Which calendar it is of, where columns do not say it. */
  showsCalendar: boolean
  box?: { from: number; to: number; lane: number; lanes: number }
}

/** An event: a button with its title, and beside it the times. */
export const Tile = memo(function Tile({ item, tile, isActive, showsCalendar, box }: Props) {
  const { event, calendar } = item
  const state = stateOf(event)
  return (
    <li
      className={`tile ${state} hue-${calendar.hue}`}
      style={box && boxOf(box.from, box.to, { lane: box.lane, lanes: box.lanes })}
    >
      <button type="button" aria-label={item.name} tabIndex={isActive ? 0 : -1} data-tile={tile}>
        {event.title}
      </button>
      <span aria-hidden="true">
        {item.times}
        {showsCalendar && ` · ${calendar.name}`}
        {state === 'hold' && event.holdExpiresAt && (
          <>
            {' · '}
            <Countdown until={event.holdExpiresAt} />
          </>
        )}
      </span>
    </li>
  )
}, isSameTile)

function isSameTile(before: Props, after: Props): boolean {
  const [a, b] = [before.box, after.box]
  return (
    before.item === after.item &&
    before.tile === after.tile &&
    before.isActive === after.isActive &&
    before.showsCalendar === after.showsCalendar &&
    a?.from === b?.from &&
    a?.to === b?.to &&
    a?.lane === b?.lane &&
    a?.lanes === b?.lanes
  )
}

/** The button under which the rest of a crowd is found. */
export const More = ({ at, to, lane, lanes, count, label, tile, isActive }: MoreProps) => (
  <li className="tile more" style={boxOf(at, to, { lane, lanes })}>
    <button type="button" tabIndex={isActive ? 0 : -1} data-tile={tile} aria-label={label}>
      {count}
    </button>
  </li>
)

type MoreProps = Place & { at: number; to: number; count: number; label: string; tile: string; isActive: boolean }
