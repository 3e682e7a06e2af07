import type { Site } from './site.ts'

/** A fault of the running service, and the alerts that must report it. */
export type Cause = {
  /** What is done, as the table shows it. */
  what: string
  /** Each must fire. The name is followed by what the alert is about, where that is certain. */
  alerts: readonly string[]
  /** Returns when the fault is there; it lasts until `relieve`. */
  cause(site: Site): Promise<unknown>
  relieve(site: Site): Promise<unknown>
  /** Removes what is left when the alerts have ended. */
  tidy?(site: Site): Promise<unknown>
  /** Why it cannot be tried on this machine; undefined if it can. */
  isMissing?(site: Site): string | undefined
}
