// Who uses this browser: the cookie alone is the session; here is only what the screens show of it.
import type { CurrentSession } from '../../clients/typescript/src/entry.ts'
import { createStore } from '../state/store.ts'

type Session = {
  /** Undefined on the screens of a person who is not signed in. */
  me: CurrentSession | undefined
  /** Requests that wait until the person has signed in again. */
  waiting: readonly (() => void)[]
}

export const session = createStore<Session>({ me: undefined, waiting: [] })

export const signedInAgain = (): Promise<void> =>
  new Promise((resolve) => session.set((now) => ({ ...now, waiting: [...now.waiting, resolve] })))

export function continueSession(): void {
  const { waiting } = session.get()
  session.set((now) => ({ ...now, waiting: [] }))
  for (const resume of waiting) resume()
}

/** The version of terms that a person must accept, as the service says it with any answer. */
export const termsUpgrade = createStore<string | undefined>(undefined)
