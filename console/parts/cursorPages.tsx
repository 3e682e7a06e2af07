import { texts } from '../texts.ts'
import { PageButtons } from './pageButtons.tsx'
import { pageSize } from './pages.tsx'
import type { Filters } from './useFilters.ts'

/** The cursor of the page before, by the cursor of each page that this tab has turned to. */
const before = new Map<string, string | undefined>()

type Props = {
  next: string | null | undefined
  /** Where the service counts the list: how many it has in all, and how many are on this page. */
  counted?: { total: number; count: number }
  filters: Filters
}

/** The pages of a list by cursor: every page costs the same. After a reload, the way back leads to the first page. */
export function CursorPages({ next, counted, filters: { values, set } }: Props) {
  const { cursor } = values
  const page = Number(values.page ?? 1) || 1
  if (!cursor && !next) return null
  const turn = (to: string | undefined, nth: number) =>
    set({ cursor: to, page: counted && to ? String(nth) : undefined }, { keepsPage: true })
  const turnOn = (to: string) => {
    before.set(to, cursor)
    turn(to, page + 1)
  }
  return (
    <PageButtons
      previous={cursor ? () => turn(before.get(cursor), page - 1) : undefined}
      next={next ? () => turnOn(next) : undefined}
    >
      {counted && <Range {...counted} first={(page - 1) * pageSize} />}
    </PageButtons>
  )
}

const Range = ({ total, count, first }: { total: number; count: number; first: number }) => (
  <span>{texts.range(count === 0 ? 0 : first + 1, first + count, Math.max(total, first + count))}</span>
)
