import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../texts.ts'

/** The focus follows a person to the next screen, but not to the one that they opened first. */
let isFirst = true

/** A screen: its heading, which is also the title of the page, and what can be done with the whole of it. */
export function Screen({ heading, actions, children }: { heading: string; actions?: ReactNode; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = texts.title(heading)
  }, [heading])
  useEffect(() => {
    if (!isFirst) title.current?.focus()
    isFirst = false
  }, [])
  return (
    <>
      <div className="head">
        <h1 ref={title} tabIndex={-1}>
          {heading}
        </h1>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}
