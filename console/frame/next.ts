// Where a person goes after they sign in. Pure.
import { ApiError } from '../../clients/typescript/src/entry.ts'

const start = '/console/start'

/** Only a path below /console, as this browser would read it: no other host, no other page of the service. */
export function safeNext(next: string | undefined, origin: string): string {
  if (!next?.startsWith('/')) return start
  let url: URL
  try {
    url = new URL(next, origin)
  } catch {
    return start
  }
  const isBelow =
    url.origin === origin && url.pathname.startsWith('/console/') && !url.pathname.startsWith('/console/sign-')
  return isBelow ? url.pathname + url.search + url.hash : start
}

/** `at` is below /console. */
export const signInAddress = (at: string): string =>
  `/console/sign-in?next=${encodeURIComponent(at.startsWith('/console') ? at : `/console${at}`)}`

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401
