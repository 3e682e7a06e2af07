import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = Record<string, string | undefined>
type Options = { keepsPage?: boolean; replace?: boolean }

export type Filters = {
  values: Search
  /** Where the page begins that is shown, in a list by offset. */
  offset: number
  /** Another filter begins at the first page again, unless it is the page itself. Each change is a step for Back. */
  set(change: Search, options?: Options): void
  /** To the page that begins there. */
  turn(to: number): void
}

/** The filters of a list stand in the address, under the names of the API. `offsetName`: of a second list of one screen. */
export function useFilters(offsetName = 'offset'): Filters {
  const values = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  function set(change: Search, { keepsPage = false, replace = false }: Options = {}) {
    const page = keepsPage ? {} : { [offsetName]: undefined, cursor: undefined, page: undefined }
    const search = (now: Search) => ({ ...now, ...page, ...change })
    navigate({ to: '.', search: search as never, replace, resetScroll: false })
  }
  return {
    values,
    offset: Number(values[offsetName] ?? 0) || 0,
    set,
    turn: (to) => set({ [offsetName]: to > 0 ? String(to) : undefined }, { keepsPage: true }),
  }
}
