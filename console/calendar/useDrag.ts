import { type PointerEvent, type RefObject, useState } from 'react'
import type { Acts } from './acts.ts'
import { itemKey } from './columns.ts'
import { minutesOfDay } from './dates.ts'
import { carried, drawn, type Point, resized, type Stretch } from './drag.ts'
import { canMove, type Item, stretchOfItem } from './items.ts'
import { useFollow } from './useFollow.ts'

const edgePixels = 8

/** A column under the pointer. */
type Over = { point: Point; column: string; calendarId: string | undefined }
type Drawn = Stretch & { column: string; calendarId: string | undefined }

/** The mouse on columns: it draws new events, carries tiles, and pulls their lower edges. A finger scrolls instead. */
export function useDrag(root: RefObject<HTMLElement | null>, items: readonly Item[], acts: Acts) {
  const [drawing, setDrawing] = useState<Drawn | undefined>()
  const [isRefused, setIsRefused] = useState(false)
  const { follow, isBegun, isClick } = useFollow()

  function over(event: { clientX: number; clientY: number }): Over | undefined {
    for (const element of root.current!.querySelectorAll<HTMLElement>('[data-column]')) {
      const box = element.getBoundingClientRect()
      if (event.clientX < box.left || event.clientX >= box.right) continue
      const { date, calendar, column } = element.dataset
      const minute = ((event.clientY - box.top) / box.height) * minutesOfDay
      return { point: { date: date!, minute }, column: column!, calendarId: calendar || undefined }
    }
    return undefined
  }

  function onPointerDown(down: PointerEvent) {
    if (!isBegun(down, acts.mayChange)) return
    const target = down.target as HTMLElement
    const tile = target.closest<HTMLElement>('[data-tile]')
    const from = over(down)
    if (!from) return
    if (tile) {
      const item = items.find(({ key }) => key === itemKey(tile.dataset.tile!))
      if (item && canMove(item)) carry(down, from, item, !item.isAllDay && isAtEdge(down, tile))
    } else if (target.closest('[data-column]')) draw(down, from)
  }

  function carry(down: PointerEvent, from: Over, item: Item, isResize: boolean) {
    const before = stretchOfItem(item)
    // Whole days stand above the hours, where the height of the pointer says nothing.
    const placeOf = ({ point }: Over) => (item.isAllDay ? { ...point, minute: 0 } : point)
    let after: Stretch | undefined
    follow(down, {
      begin: () => acts.moves.begin(item),
      move(event) {
        const to = over(event)
        const isOther = to?.calendarId !== undefined && to.calendarId !== item.calendar.id
        setIsRefused(isOther)
        after =
          !to || isOther
            ? undefined
            : isResize
              ? resized(before, to.point)
              : carried(before, placeOf(from), placeOf(to))
        acts.moves.preview(item, after)
      },
      end(isKept) {
        setIsRefused(false)
        if (isKept && after) acts.moves.drop(item, after)
        else acts.moves.preview(item, undefined)
      },
    })
  }

  function draw(down: PointerEvent, from: Over) {
    let after: Stretch = drawn(from.point, undefined)
    down.preventDefault()
    follow(down, {
      move(event) {
        const to = over(event)
        // Upwards and downwards only: a new event is of one day.
        if (to) after = drawn(from.point, { ...from.point, minute: to.point.minute })
        setDrawing({ ...after, column: from.column, calendarId: from.calendarId })
      },
      end(isKept) {
        setDrawing(undefined)
        if (isKept) acts.create(after, from.calendarId)
      },
    })
  }

  return {
    drawing,
    isRefused,
    onPointerDown,
    isClick,
    /** A tap of a finger on empty ground. */
    tapped(event: { clientX: number; clientY: number; target: EventTarget }) {
      const target = event.target as HTMLElement
      const at = acts.mayChange ? over(event) : undefined
      if (at && target.closest('[data-column]') && !target.closest('[data-tile]'))
        acts.create(drawn(at.point, undefined), at.calendarId)
    },
  }
}

const isAtEdge = ({ clientY }: PointerEvent, tile: HTMLElement) =>
  tile.getBoundingClientRect().bottom - clientY <= edgePixels
