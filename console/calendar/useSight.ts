import { type RefObject, useLayoutEffect } from 'react'

const firstHour = 8

type Part = { left: number; right: number }

/** How far to scroll so that `part` is in sight; its left side counts more. */
const scrollBy = (part: Part, sight: Part): number =>
  part.left < sight.left || part.right - part.left > sight.right - sight.left
    ? part.left - sight.left
    : Math.max(0, part.right - sight.right)

/** The grid shows the morning at first, and always the columns of the day of the address. */
export function useSight(root: RefObject<HTMLElement | null>, date: string, columns: number): void {
  useLayoutEffect(() => {
    const body = root.current!.querySelector('[data-column]')
    if (body) root.current!.scrollTop = (body.clientHeight / 24) * firstHour
  }, [root])

  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns are a reason
  useLayoutEffect(() => {
    const grid = root.current!
    const boxes = [...grid.querySelectorAll(`[data-date="${date}"]`)].map((one) => one.getBoundingClientRect())
    if (boxes.length === 0) return
    const part = sidesOf(boxes)
    const hours = sidesOf([...grid.querySelectorAll('.hours')].map((one) => one.getBoundingClientRect()))
    const { left, right } = grid.getBoundingClientRect()
    const isFromRight = getComputedStyle(grid).direction === 'rtl'
    const width = hours.right - hours.left
    grid.scrollLeft += scrollBy(part, isFromRight ? { left, right: right - width } : { left: left + width, right })
  }, [root, date, columns])
}

const sidesOf = (boxes: readonly Part[]): Part => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  right: Math.max(...boxes.map(({ right }) => right)),
})
