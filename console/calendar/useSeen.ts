import { type RefObject, startTransition, useLayoutEffect, useState } from 'react'
import { minutesOfDay } from './dates.ts'

const stepMinutes = 120
const aroundMinutes = 60
const aroundColumns = 2

export type Seen = { from: number; to: number }
type SeenColumns = Seen & { first: number; last: number }

const everything: Seen = { from: 0, to: minutesOfDay }
const nothing: Seen = { from: 0, to: 0 }

/**
 * Which minutes of each column are drawn: those in sight and some around them, if there is too much to draw all of it. It looks again
 * when the grid is scrolled or has another number of columns.
 */
export function useSeen(root: RefObject<HTMLElement | null>, isTooMuch: boolean, columns: number) {
  const [seen, setSeen] = useState<SeenColumns>({ ...nothing, first: 0, last: columns })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns are a reason
  useLayoutEffect(() => {
    const scroller = root.current!
    const look = () => {
      const next = seenIn(scroller)
      setSeen((now) => (Object.entries(next).every(([name, at]) => now[name as keyof Seen] === at) ? now : next))
    }
    look()
    // The drawing of columns gives way to the scrolling; those around are drawn already.
    const onScroll = () => startTransition(look)
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => scroller.removeEventListener('scroll', onScroll)
  }, [root, columns])
  return (column: number): Seen => {
    if (!isTooMuch) return everything
    return seen.first <= column && column <= seen.last ? seen : nothing
  }
}

function seenIn(scroller: HTMLElement): SeenColumns {
  const columns = [...scroller.querySelectorAll('[data-column]')]
  const perMinute = (columns[0]?.clientHeight ?? minutesOfDay) / minutesOfDay
  const top = Math.floor(scroller.scrollTop / perMinute / stepMinutes) * stepMinutes
  const height = Math.ceil(scroller.clientHeight / perMinute / stepMinutes) * stepMinutes
  const { left, right } = scroller.getBoundingClientRect()
  const isInSight = (column: Element) => {
    const box = column.getBoundingClientRect()
    return box.right > left && box.left < right
  }
  return {
    ...{ from: top - aroundMinutes, to: top + height + stepMinutes + aroundMinutes },
    first: columns.findIndex(isInSight) - aroundColumns,
    last: columns.findLastIndex(isInSight) + aroundColumns,
  }
}
