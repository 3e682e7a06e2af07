import { type PointerEvent, useRef } from 'react'
import { hasMoved } from './drag.ts'

type Follower = { begin?: () => unknown; move: (event: MouseEvent) => void; end: (isKept: boolean) => void }

/** The pointer from where it goes down until it is let go, or Escape. */
export function useFollow() {
  const hasDragged = useRef(false)

  /** With `begin` it is a tile: `end` is not told of one that was only pressed. */
  function follow(down: PointerEvent, { begin, move, end }: Follower) {
    const listening = new AbortController()
    const { signal } = listening
    const isTile = begin !== undefined
    const stop = (isKept: boolean) => {
      listening.abort()
      if (hasDragged.current || !isTile) end(isKept)
      // The click that belongs to the drag comes before any timer.
      setTimeout(() => {
        hasDragged.current = false
      })
    }
    addEventListener(
      'pointermove',
      (event) => {
        if (!hasDragged.current) {
          if (!hasMoved(Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY))) return
          hasDragged.current = true
          begin?.()
        }
        move(event)
      },
      { signal },
    )
    addEventListener('pointerup', () => stop(true), { signal })
    addEventListener('pointercancel', () => stop(false), { signal })
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        stop(false)
      },
      { signal, capture: true },
    )
  }

  return {
    follow,
    /** Whether the mouse may begin something here: with its first button, by a person who may change events. */
    isBegun(down: PointerEvent, mayChange: boolean): boolean {
      hasDragged.current = false
      return mayChange && down.button === 0 && down.pointerType !== 'touch'
    },
    /** A click that follows a drag does not count. */
    isClick: () => !hasDragged.current,
  }
}
