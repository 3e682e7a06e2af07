// The interface of a calendar provider for a connection. Each function returns its outcome and never throws.

import type { UnreadCounts } from '../icalendar/unread.ts'
import type { OauthProvider } from './oauthProvider.ts'
import type { ErrorCategory, Interval, ReauthorizationReason } from './rules.ts'

/** `message` is for people, in our own words: nothing of the other side's answer. */
export type Failed = {
  kind: 'failed'
  category: ErrorCategory
  message: string
  retryAfterMs?: number
  /** The account is answered, and this calendar of it is refused. */
  isRefusal?: true
}
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

/** A calendar to read, and its known state. Digests are of names and versions of objects, in hexadecimal. */
export type ReadTask = {
  remote: string
  /** The zone of dates and of local times. */
  zone: string
  horizon: { from: Date; until: Date }
  /** The state after the last read; undefined: the calendar is read whole. */
  known: { cursor: string | null; versions: ReadonlyMap<string, string>; isCompared: boolean } | undefined
  digest(text: string): string
}

/** `knownUntilMs`: its busy time from then on is unknown. `unread` counts its unreadable parts. */
export type ReadObject = {
  digest: string
  version: string
  busy: Interval[]
  knownUntilMs?: number
  unread?: UnreadCounts
}

/** `isWhole`: whatever is not among the objects is gone. `cursor`: where the next read goes on. */
export type CalendarRead = {
  kind: 'read'
  isWhole: boolean
  isCompared: boolean
  objects: ReadObject[]
  removed: string[]
  cursor: string | null
}

/** An event as it shall stand in a calendar of the provider. It has no attendees, and no reminders of ours. */
export type EventCopy = {
  title: string
  description: string | null
  isTentative: boolean
  /** Dates are those of the calendar's zone, as `2026-03-02`. Ends are exclusive. */
  times: { kind: 'instants'; start: Date; end: Date } | { kind: 'dates'; start: string; end: string }
  /**
   * RFC 5545: a rule without its name, over dates, the clock of `zone`, or UTC; starts of cancelled occurrences, and starts beside the
   * rule, as `times`.
   */
  recurrence: { rule: string; excluded: Starts; zone?: string; added?: Starts } | null
  /** Only of an event that has them. The copy of a private one has no texts. */
  place?: string
  call?: { url: string; provider?: string | undefined; pin?: string | undefined; phone?: string | undefined }
  links?: readonly { url: string; title?: string | undefined }[]
  isTransparent?: true
  isPrivate?: true
  /** The same as an iCalendar object with the UID `<key>@agent-calendar`. */
  ical: string
}

type Starts = readonly (Date | string)[]

/** The recurrence that a provider must be able to express. */
type Repeats = {
  rule: string
  /** By whose clock; null: by UTC. */
  zone: string | null
  /** There are starts beside those of the rule. */
  hasDates: boolean
  /** Clocks skip the rule's time on the day of the start. */
  beginsInGap: boolean
}

/** Where a copy is, or shall be. */
export type CopyTarget = {
  /** Names the calendar, as `RemoteCalendar` does. */
  remote: string
  /** 26 letters of base32hex (`0-9a-v`), which follow from the event: by it a copy is found whose answer was lost. */
  key: string
  /** The result of the last `put` of this key; null: nothing is known, and the copy may exist all the same. */
  kept: string | null
}

/** `kept` is a text of the provider's own. It is stored sealed, and handed over with the next write. */
export type WrittenCopy = {
  kind: 'written'
  kept: string
  /** The copy as `read` names objects (the text that it digests); null: its reads cannot tell objects apart. */
  object: string | null
  /** The copy's UID in an iCalendar feed of the provider. */
  uid: string
}
/** The human deleted the copy. That is respected: nothing is written. */
export type Deleted = { kind: 'deleted' }
/** The provider will never take this. It is not repeated. */
export type Rejected = { kind: 'rejected'; message: string }
/** The calendar is gone, or may not be written to any more. */
export type Lost = { kind: 'lost'; category: 'forbidden' | 'not_found' }

/** `id` and `secret` come back with each message; `until`: how long it is wanted. */
export type NewChannel = { remote: string; id: string; secret: string; pushUrl: string; now: Date; until: Date }

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
  /** Has the provider send a message to `pushUrl` whenever a calendar changes. Only providers that can. */
  watch?(
    account: Account,
    channel: NewChannel,
  ): Promise<{ kind: 'watching'; resource: string; expiresAt: Date } | Rejected | Failed | Refused | Closed>
  /** `stopped`, too, if there was none. */
  stop?(
    account: Account,
    channel: { id: string; resource: string },
  ): Promise<{ kind: 'stopped' } | Failed | Refused | Closed>
  /** False: the provider has no form for this series. Such events are not published. */
  expresses(repeats: Repeats): boolean
  /**
   * Makes the copy, or changes it to this. A human's additions (alarms, colours, attachments) stay. Doing it twice has the
   * effect of doing it once, also if the first answer was lost.
   */
  put(
    account: Account,
    target: CopyTarget,
    copy: EventCopy,
  ): Promise<WrittenCopy | Deleted | Rejected | Lost | Failed | Refused | Closed>
  /** `removed`, too, if there was none. */
  remove(account: Account, target: CopyTarget): Promise<{ kind: 'removed' } | Lost | Failed | Refused | Closed>
}
