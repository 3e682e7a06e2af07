import { useRef } from 'react'
import { texts } from '../texts.ts'
import type { Filters } from './useFilters.ts'

type Props = { next: string | null | undefined; filters: Filters }

/** The pages of a list by cursor that nobody counts. The address says which one is shown; the page before is known as long as the screen is open. */
export function UncountedPages({ next, filters }: Props) {
  const before = useRef(new Map<string, string | undefined>())
  const { cursor } = filters.values
  if (!cursor && !next) return null
  const turn = (to: string | undefined) => filters.set({ cursor: to }, { keepsPage: true })
  return (
    <nav aria-label={texts.pages} className="pages">
      <button
        type="button"
        className="quiet"
        disabled={!cursor}
        // After a reload it is the first page.
        onClick={() => turn(before.current.get(cursor!))}
      >
        {texts.previousPage}
      </button>
      <button
        type="button"
        className="quiet"
        disabled={!next}
        onClick={() => {
          before.current.set(next!, cursor)
          turn(next!)
        }}
      >
        {texts.nextPage}
      </button>
    </nav>
  )
}
