import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { useEffect } from 'react'
import { loading } from './loading.ts'
import { queryClient } from './queryClient.ts'
import { isNotFound } from './refusal.ts'

type Read = { signal: AbortSignal }
type Pause = number | false
/** `everyMs`: after which pause it is read again, which may depend on the last answer. */
type Options<T> = { everyMs?: Pause | ((data: T | undefined) => Pause); fresh?: boolean; enabled?: boolean }

/** A read that the screen shows. Until the next answer comes, the last one stays. */
export function useRead<T>(
  key: QueryKey,
  read: (options: Read) => Promise<T>,
  { everyMs = false, fresh = false, enabled = true }: Options<T> = {},
): UseQueryResult<T> {
  const query = {
    queryKey: key,
    queryFn: async ({ signal }) => await read({ signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (typeof everyMs === 'function' ? everyMs(state.data) : everyMs),
    enabled,
    ...(fresh && { staleTime: 0 }),
  } satisfies UseQueryOptions<T>
  const result = useQuery(query, queryClient)
  const isAwaited = result.isFetching && (result.isPending || result.isPlaceholderData)
  useEffect(() => {
    if (!isAwaited) return
    loading.set((now) => now + 1)
    return () => loading.set((now) => now - 1)
  }, [isAwaited])
  if (isNotFound(result.error)) throw notFound()
  return result
}
