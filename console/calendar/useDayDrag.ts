import type { PointerEvent, RefObject } from 'react'
import type { Acts } from './acts.ts'
import { itemKey } from './columns.ts'
import { carried, type Stretch } from './drag.ts'
import { canMove, type Item, stretchOfItem } from './items.ts'
import { useFollow } from './useFollow.ts'

const noon = (date: string) => ({ date, minute: 720 })

/** The mouse on days without hours: it carries tiles to other days, at the same time. */
export function useDayDrag(root: RefObject<HTMLElement | null>, items: readonly Item[], acts: Acts) {
  const { follow, isBegun, isClick } = useFollow()

  function over({ clientX, clientY }: { clientX: number; clientY: number }): string | undefined {
    const days = [...root.current!.querySelectorAll<HTMLElement>('[data-day]')]
    const day = days.find((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      return clientX >= left && clientX < right && clientY >= top && clientY < bottom
    })
    return day?.dataset.day
  }

  function onPointerDown(down: PointerEvent) {
    if (!isBegun(down, acts.mayChange)) return
    const tile = (down.target as HTMLElement).closest<HTMLElement>('[data-tile]')?.dataset.tile
    const from = over(down)
    const item = tile && items.find(({ key }) => key === itemKey(tile))
    if (!item || !from || !canMove(item)) return
    const before = stretchOfItem(item)
    let after: Stretch | undefined
    follow(down, {
      begin: () => acts.moves.begin(item),
      move(event) {
        const to = over(event)
        after = to === undefined ? undefined : carried(before, noon(from), noon(to))
        acts.moves.preview(item, after)
      },
      end(isKept) {
        if (isKept && after) acts.moves.drop(item, after)
        else acts.moves.preview(item, undefined)
      },
    })
  }

  return { onPointerDown, isClick }
}
