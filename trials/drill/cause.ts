import type { Site } from './site.ts'

/** A fault of the running service, and the alerts that must report it. */
export type Cause = {
  /** The fault, as the table shows it. */
  what: string
  /** Each must fire. The name is followed by the subject of the alert, if that is certain. */
  alerts: readonly string[]
  /** Returns when the fault is there; it lasts until `relieve`. */
  cause(site: Site): Promise<unknown>
  relieve(site: Site): Promise<unknown>
  /** Cleans up when the alerts have ended. */
  tidy?(site: Site): Promise<unknown>
  /** Why it cannot be tried on this machine; undefined if it can. */
  isMissing?(site: Site): string | undefined
}
