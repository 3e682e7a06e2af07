import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isTyping } from '../frame/shortcuts.ts'
import type { Acts } from './acts.ts'
import { itemKey, tileKey } from './columns.ts'
import { movedBy, type Stretch } from './drag.ts'
import { canMove, type Item, isImported, stretchOfItem } from './items.ts'
import { type Column, neighbour } from './keys.ts'

type Options = {
  root: RefObject<HTMLElement | null>
  columns: readonly Column[]
  items: readonly Item[]
  acts: Acts
  /** Opens the crowd under such a button. */
  more?: (key: string) => void
  /** The column of an event that is moved to another day. */
  columnAt: (date: string, item: Item) => string
}

/** The tiles of a view: one tab stop, arrows from tile to tile, and the keys that act on one. */
export function useTiles({ root, columns, items, acts, more, columnAt }: Options) {
  const [focused, setFocused] = useState<string | undefined>()
  const [moving, setMoving] = useState<{ item: Item; after: Stretch } | undefined>()
  const wantsFocus = useRef(false)
  const all = columns.flat()
  const active = all.some(({ key }) => key === focused) ? focused : all[0]?.key
  const itemOf = (tile: string) => items.find(({ key }) => key === itemKey(tile))

  useLayoutEffect(() => {
    if (!wantsFocus.current || !active) return
    wantsFocus.current = false
    root.current?.querySelector<HTMLElement>(`[data-tile="${CSS.escape(active)}"]`)?.focus()
  })

  function focus(tile: string | undefined) {
    if (!tile) return
    wantsFocus.current = true
    setFocused(tile)
  }

  function move(item: Item, after: Stretch | undefined) {
    setMoving(after && { item, after })
    acts.moves.preview(item, after)
    focus(tileKey(item.key, columnAt(after?.start.date ?? item.first.date, item)))
  }

  function whileMoving(event: KeyboardEvent, { item, after }: { item: Item; after: Stretch }) {
    const next = movedBy(after, event.key, event.shiftKey, item.isAllDay)
    event.preventDefault()
    event.stopPropagation()
    if (next) move(item, next)
    else if (event.key === 'Escape') move(item, undefined)
    else if (event.key === 'Enter') {
      setMoving(undefined)
      wantsFocus.current = true
      acts.moves.drop(item, after)
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (moving) return whileMoving(event, moving)
    const tile = (event.target as HTMLElement).dataset.tile
    if (!tile || event.ctrlKey || event.metaKey || event.altKey) return
    const next = neighbour(columns, tile, event.key)
    if (next || event.key.startsWith('Arrow')) {
      event.preventDefault()
      return focus(next)
    }
    const item = itemOf(tile)
    if (!item || !acts.mayChange) return
    const isPlain = !isTyping(event.nativeEvent)
    if (event.key === 'Delete' && !isImported(item.event)) {
      const beside = ['ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowLeft'].map((key) => neighbour(columns, tile, key))
      setFocused(beside.find(Boolean))
      wantsFocus.current = true
      acts.remove(item)
    } else if (event.key === 'e' && isPlain && canMove(item)) acts.edit(item)
    else if (event.key === 'v' && isPlain && canMove(item)) {
      acts.moves.begin(item)
      move(item, stretchOfItem(item))
    } else return
    event.preventDefault()
  }

  return {
    active,
    moving,
    onKeyDown,
    onFocus: (event: FocusEvent) => {
      const tile = (event.target as HTMLElement).dataset.tile
      if (tile) setFocused(tile)
    },
    /** The focus is somewhere else: an event that is moved by keys goes back. */
    onBlur: (event: FocusEvent) => {
      if (moving && event.relatedTarget && !root.current?.contains(event.relatedTarget)) {
        setMoving(undefined)
        acts.moves.preview(moving.item, undefined)
      }
    },
    onClick: (event: MouseEvent) => {
      const tile = (event.target as HTMLElement).closest<HTMLElement>('[data-tile]')?.dataset.tile
      if (!tile || moving) return
      const item = itemOf(tile)
      if (item) acts.open(item)
      else more?.(tile)
    },
  }
}
