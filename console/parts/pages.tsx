import { texts } from '../texts.ts'
import type { Filters } from './useFilters.ts'

export const pageSize = 50

type Props = { total: number; offset: number; count: number; filters: Filters }

/** The pages of a list by offset; the address says which one is shown. */
export function Pages({ total, offset, count, filters }: Props) {
  if (total <= pageSize && offset === 0) return null
  const turn = (to: number) => filters.set({ offset: to > 0 ? String(to) : undefined }, { keepsPage: true })
  return (
    <nav aria-label={texts.pages} className="pages">
      <button
        type="button"
        className="quiet"
        disabled={offset === 0}
        onClick={() => turn(Math.max(0, offset - pageSize))}
      >
        {texts.previousPage}
      </button>
      <button
        type="button"
        className="quiet"
        disabled={offset + count >= total}
        onClick={() => turn(offset + pageSize)}
      >
        {texts.nextPage}
      </button>
      <span>{texts.range(count === 0 ? 0 : offset + 1, offset + count, total)}</span>
    </nav>
  )
}
