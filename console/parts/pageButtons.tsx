import type { ReactNode } from 'react'
import { texts } from '../texts.ts'

type Props = { previous: (() => void) | undefined; next: (() => void) | undefined; children?: ReactNode }

/** Turns the pages of a list. Undefined where nothing is left. */
export const PageButtons = ({ previous, next, children }: Props) => (
  <nav aria-label={texts.pages} className="pages">
    <button type="button" className="quiet" disabled={!previous} onClick={previous}>
      {texts.previousPage}
    </button>
    <button type="button" className="quiet" disabled={!next} onClick={next}>
      {texts.nextPage}
    </button>
    {children}
  </nav>
)
