import type { QueryKey, UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isSignedOut } from '../../frame/next.ts'
import { queryClient } from '../../service/queryClient.ts'
import { useRead } from '../../service/useRead.ts'

/** After a change. */
export const readAllAgain = () => queryClient.invalidateQueries({ queryKey: ['admin'] })

type Options = Parameters<typeof useRead>[2]

/** A read of the administrator. Without a session it leads to the form for the token. */
export function useAdminRead<T>(
  key: QueryKey,
  read: (options: { signal: AbortSignal }) => Promise<T>,
  options?: Options,
): UseQueryResult<T> {
  const navigate = useNavigate()
  const result = useRead(['admin', ...key], read, options)
  const { error } = result
  useEffect(() => {
    if (isSignedOut(error)) navigate({ to: '/admin', replace: true })
  }, [error, navigate])
  return result
}
