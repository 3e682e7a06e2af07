import { momentOf } from '../parts/days.ts'
import { span } from '../parts/times.ts'
import { settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { wallAt } from './dates.ts'
import type { Point, Stretch } from './drag.ts'
import { type Item, zoneOf } from './items.ts'

/** Where an event stands on the clock, in words. */
export function whenOf(item: Item, { start, end }: Stretch, zone: string): string {
  const own = zoneOf(item, zone)
  const text = ({ date, minute }: Point) => new Date(momentOf(wallAt(date, minute), own)).toISOString()
  return span(text(start), text(end), { ...settings.get(), timezone: own })
}

type Props = { moving: { item: Item; after: Stretch } | undefined; zone: string }

/** Says where an event goes that is moved by keys. */
export const MovingStatus = ({ moving, zone }: Props) => (
  <p role="status" className="moving-status">
    {moving && texts.movingTo(whenOf(moving.item, moving.after, zone))}
  </p>
)
