import { texts } from '../texts.ts'
import { pageSize } from './pages.tsx'
import type { Filters } from './useFilters.ts'

/** The cursors of the pages that this tab has turned to, by their number. */
const cursors = new Map<number, string>()

type Props = { total: number; count: number; next: string | null | undefined; filters: Filters }

/** The pages of a list by cursor: every page costs the same. After a reload, the way back leads to the first page. */
export function CursorPages({ total, count, next, filters }: Props) {
  const page = Number(filters.values.page ?? 1) || 1
  const first = (page - 1) * pageSize
  const turn = (to: number, cursor: string | undefined) =>
    filters.set({ cursor, page: cursor ? String(to) : undefined }, { keepsPage: true })
  if (page === 1 && !next) return null
  return (
    <nav aria-label={texts.pages} className="pages">
      <button
        type="button"
        className="quiet"
        disabled={page === 1}
        onClick={() => turn(page - 1, cursors.get(page - 1))}
      >
        {texts.previousPage}
      </button>
      <button
        type="button"
        className="quiet"
        disabled={!next}
        onClick={() => {
          cursors.set(page + 1, next!)
          turn(page + 1, next!)
        }}
      >
        {texts.nextPage}
      </button>
      <span>{texts.range(count === 0 ? 0 : first + 1, first + count, Math.max(total, first + count))}</span>
    </nav>
  )
}
