import { texts } from '../texts.ts'
import { PageButtons } from './pageButtons.tsx'
import type { Filters } from './useFilters.ts'

export const pageSize = 50

type Props = { page: { total: number; data: readonly unknown[] }; filters: Filters }

/** The pages of a list by offset; the address says which one is shown. */
export function Pages({ page: { total, data }, filters: { offset, turn } }: Props) {
  if (total <= pageSize && offset === 0) return null
  const last = offset + data.length
  return (
    <PageButtons
      previous={offset > 0 ? () => turn(offset - pageSize) : undefined}
      next={last < total ? () => turn(offset + pageSize) : undefined}
    >
      <span>{texts.range(data.length === 0 ? 0 : offset + 1, last, total)}</span>
    </PageButtons>
  )
}
