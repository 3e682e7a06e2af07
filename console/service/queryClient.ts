import { QueryClient } from '@tanstack/react-query'

/** The stream of changes says what is old, so nothing is by itself. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000, gcTime: 300_000, refetchOnWindowFocus: true } },
})

// It reads again when the window gets the focus.
queryClient.mount()
