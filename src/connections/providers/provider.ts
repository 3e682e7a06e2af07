// What a provider of calendars can do for a connection. Each function returns what came of it and never throws.
import type { Interval } from '../intervals.ts'
import type { ErrorCategory, ReauthorizationReason } from '../rules.ts'
import type { OauthProvider } from './oauthProvider.ts'

/** `message` is for people, in our own words: nothing of the other side's answer. */
export type Failed = { kind: 'failed'; category: ErrorCategory; message: string; retryAfterMs?: number }
/** The credentials are refused. `reason`: the provider says why, and says it for good. */
export type Refused = { kind: 'refused'; reason?: ReauthorizationReason }
/** Our own shutdown: it says nothing about the provider. */
export type Closed = { kind: 'closed' }

/**
 * An account at a provider: how requests are authorized, and where the account lives. Both are texts of the provider's own; with
 * OAuth they are an access token and the address of the interface.
 */
export type Account = { credentials: string; server: string }

export type RemoteCalendar = {
  /** Names the calendar for the provider. */
  remote: string
  name: string
  accessRole: 'owner' | 'writer' | 'reader' | 'free_busy' | null
  isPrimary: boolean
  isFeed: boolean
  timezone: string | null
  isReadable: boolean
  isWritable: boolean
}

/** A calendar to read, and what is known of it. Digests are of names and versions of objects, in hexadecimal. */
export type ReadTask = {
  remote: string
  /** Of dates and of times without a zone. */
  zone: string
  horizon: { from: Date; until: Date }
  /** What the last read left; undefined: the calendar is read whole. */
  known: { cursor: string | null; versions: ReadonlyMap<string, string>; isCompared: boolean } | undefined
  digest(text: string): string
}

export type ReadObject = { digest: string; version: string; busy: Interval[] }

/** `isWhole`: whatever is not among the objects is gone. `cursor`: where the next read goes on. */
export type CalendarRead = {
  kind: 'read'
  isWhole: boolean
  isCompared: boolean
  objects: ReadObject[]
  removed: string[]
  cursor: string | null
}

export type Provider = {
  /** Of a provider that is connected through OAuth. */
  oauth?: OauthProvider
  listCalendars(account: Account): Promise<{ kind: 'listed'; calendars: RemoteCalendar[] } | Failed | Refused | Closed>
  /** Hands over each calendar as it is read; ends early if the whole account fails. */
  read(
    account: Account,
    tasks: readonly ReadTask[],
    each: (nth: number, result: CalendarRead | Failed) => Promise<void>,
  ): Promise<{ kind: 'done' } | Failed | Refused | Closed>
}
