import type { Site } from './site.ts'

/** A fault of the running service, and the alerts that must tell of it. */
export type Cause = {
  /** What is done, as the table tells it. */
  what: string
  /** Each must fire; with what it is about behind the name, where that is certain. */
  alerts: readonly string[]
  /** Returns when the fault is there; it stays. */
  cause(site: Site): Promise<unknown>
  relieve(site: Site): Promise<unknown>
  /** What is to be taken away when the alerts have ended. */
  tidy?(site: Site): Promise<unknown>
  /** Why it cannot be tried on this machine. */
  isMissing?(site: Site): string | undefined
}
