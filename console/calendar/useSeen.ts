import { type RefObject, useEffect, useState } from 'react'
import { minutesOfDay } from './dates.ts'

const stepMinutes = 120
const aroundMinutes = 120

export type Seen = { from: number; to: number }
const everything: Seen = { from: 0, to: minutesOfDay }
/** Before anybody has scrolled. */
const atFirst: Seen = { from: 360, to: 1_200 }

/** Which minutes of the day are drawn: those in sight and some around them, if there is too much to draw all of it. */
export function useSeen(root: RefObject<HTMLElement | null>, isTooMuch: boolean): Seen {
  const [seen, setSeen] = useState(atFirst)
  useEffect(() => {
    const scroller = root.current!
    const look = () => {
      const column = scroller.querySelector('[data-column]')
      if (!column) return
      const perMinute = column.clientHeight / minutesOfDay
      const first = Math.floor(scroller.scrollTop / perMinute / stepMinutes) * stepMinutes
      const height = Math.ceil(scroller.clientHeight / perMinute / stepMinutes) * stepMinutes
      const from = first - aroundMinutes
      const to = first + height + stepMinutes + aroundMinutes
      setSeen((now) => (now.from === from && now.to === to ? now : { from, to }))
    }
    look()
    scroller.addEventListener('scroll', look, { passive: true })
    return () => scroller.removeEventListener('scroll', look)
  }, [root])
  return isTooMuch ? seen : everything
}
