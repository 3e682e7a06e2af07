import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = Record<string, string | undefined>

export type Filters = {
  values: Search
  /** Where the page begins that is shown, in a list by offset. */
  offset: number
  /** Another filter begins at the first page again, unless it is the page itself. Each change is a step for Back. */
  set(change: Search, options?: { keepsPage?: boolean; replace?: boolean }): void
}

/** The filters of a list stand in the address, under the names of the API. */
export function useFilters(): Filters {
  const values = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  return {
    values,
    offset: Number(values.offset ?? 0) || 0,
    set(change, { keepsPage = false, replace = false } = {}) {
      const page = keepsPage ? {} : { offset: undefined, cursor: undefined, page: undefined }
      const search = (now: Search) => ({ ...now, ...page, ...change })
      navigate({ to: '.', search: search as never, replace, resetScroll: false })
    },
  }
}
