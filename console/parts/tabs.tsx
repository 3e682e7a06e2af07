import { type ReactNode, useId, useRef } from 'react'
import { step } from './keys.ts'

type Tab = { id: string; label: string; content: () => ReactNode }

/** Tabs by the pattern of the ARIA guide: one tab stop, arrows move and open. */
export function Tabs({ label, tabs, open, choose }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === open),
  )
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="tabs"
        onKeyDown={(event) => {
          const next = step(event.key, at, tabs.length, 'horizontal')
          if (next === undefined) return
          event.preventDefault()
          choose(tabs[next]!.id)
          ;(list.current!.children[next] as HTMLElement).focus()
        }}
      >
        {tabs.map((tab, nth) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={nth === at}
            aria-controls={nth === at ? `${id}-panel` : undefined}
            tabIndex={nth === at ? 0 : -1}
            onClick={() => choose(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[at]!.id}`} className="panel">
        {tabs[at]!.content()}
      </div>
    </>
  )
}

type Props = { label: string; tabs: readonly Tab[]; open: string | undefined; choose: (id: string) => void }
