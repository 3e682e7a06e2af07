import { focusManager, QueryClient } from '@tanstack/react-query'

/** The stream of changes says what is old, so nothing is by itself. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000, gcTime: 300_000, refetchOnWindowFocus: true } },
})

// It reads again when the page comes into sight, and when the window gets the focus of a person who looked at another one.
focusManager.setEventListener((look) => {
  const looked = () => look()
  document.addEventListener('visibilitychange', looked)
  addEventListener('focus', looked)
  return () => {
    document.removeEventListener('visibilitychange', looked)
    removeEventListener('focus', looked)
  }
})
queryClient.mount()
