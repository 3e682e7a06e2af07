// The next page of a list.
import { UnexpectedAnswerError } from './apiError.ts'
import type { OperationSpec } from './operation.ts'

/** The query of the next page; undefined if the page was the last one. */
export function nextQuery({ id, paging }: OperationSpec, page: unknown): object | undefined {
  const { data, total, offset, pagination } = page as {
    data?: unknown
    total?: unknown
    offset?: unknown
    pagination?: { next_cursor?: unknown }
  }
  if (!Array.isArray(data)) throw new UnexpectedAnswerError(`${id} answered no list.`)
  if (paging === 'cursor') {
    const cursor = pagination?.next_cursor
    return typeof cursor === 'string' && cursor !== '' ? { cursor } : undefined
  }
  if (typeof total !== 'number' || typeof offset !== 'number') {
    throw new UnexpectedAnswerError(`${id} answered a list without its total.`)
  }
  const reached = offset + data.length
  return data.length > 0 && reached < total ? { offset: reached } : undefined
}
