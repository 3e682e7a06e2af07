import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { step } from './keys.ts'

export type MenuItem = { label: string; run: () => void; isDangerous?: boolean; isCurrent?: boolean }

/** A button with a menu, by the pattern of the ARIA guide: arrows, Home, End, first letters, Escape. */
export function Menu({ label, items, children, className = 'quiet small', opened }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  function open(at: number) {
    const box = button.current!.getBoundingClientRect()
    const menu = list.current!
    menu.showPopover()
    const below = box.bottom + menu.offsetHeight < innerHeight || box.top < menu.offsetHeight
    menu.style.top = `${below ? box.bottom + 4 : box.top - menu.offsetHeight - 4}px`
    menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`
    entries().at(at)?.focus()
  }

  const entries = () => [...list.current!.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const close = () => list.current!.hidePopover()

  function onKey(event: KeyboardEvent) {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = step(event.key, at, all.length) ?? startingWith(event.key, at, all)
    if (event.key === 'Tab' || event.key === 'Escape') {
      close()
      button.current!.focus()
      if (event.key === 'Escape') event.preventDefault()
      return
    }
    if (next === undefined) return
    event.preventDefault()
    all[next]!.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={children ? label : undefined}
        onClick={() => (isOpen ? close() : open(0))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          open(event.key === 'ArrowDown' ? 0 : -1)
        }}
      >
        {children ?? label}
      </button>
      <div
        ref={list}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        className="menu"
        onToggle={(event) => {
          setIsOpen(event.newState === 'open')
          if (event.newState === 'open') opened?.()
        }}
        onKeyDown={onKey}
      >
        {items.map((item, nth) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may have one name
            key={nth}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-current={item.isCurrent}
            className={item.isDangerous ? 'dangerous' : undefined}
            onClick={() => {
              close()
              button.current!.focus()
              item.run()
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </>
  )
}

type Props = {
  label: string
  items: readonly MenuItem[]
  children?: ReactNode
  className?: string
  /** Called when it opens. */
  opened?: () => void
}

function startingWith(key: string, at: number, all: readonly HTMLElement[]): number | undefined {
  if (key.length !== 1) return undefined
  const order = all.map((_, nth) => (at + 1 + nth) % all.length)
  return order.find((nth) => all[nth]!.textContent?.toLowerCase().startsWith(key.toLowerCase()))
}
