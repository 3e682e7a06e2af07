// The door of the feed parser: untrusted text goes in, instances with absolute times come out. A hostile feed can harm only the
// thread that reads it, which has its own memory and is ended when it takes too long.
import { maxReadingMs, openForeign, type Reader } from '../foreign/foreign.ts'
import type { Reading } from '../foreign/reading.ts'
import type { Keepable } from './contentLines.ts'
import type { KeptDetails } from './keptDetails.ts'
import type { UnreadCounts } from './unread.ts'

/**
 * One instance of a foreign event, `[start, end)`, within the bounds of an event's record. `uid` and `recurrenceId`
 * together are its identity.
 */
export type ImportedEvent = {
  uid: string
  /** The original start of this instance of a series, in UTC; null for a single event. */
  recurrenceId: string | null
  title: string
  description: string | null
  start: Date
  end: Date
  allDay: boolean
  status: 'confirmed' | 'tentative' | 'cancelled'
  /** With `keep`, where there are any. */
  details?: KeptDetails
  /** With `keep`: it says that it takes no time. */
  transparent?: true
  /** With `owner`: it takes none of the owner's time. */
  isFree?: true
  /** Its end cannot be read: `end` is the earliest that it can be. */
  isEndUnknown?: true
}

/**
 * `unread` counts what could not be read. `lost`: the UIDs of which instances may be missing for that, null for an event that does not
 * say its own. `knownUntil`: with `owner`, from when on busy time may be missing: a series has too many instances, or something cannot
 * be read. `reason` is one line for people, free of content.
 */
export type ParsedFeed =
  | { kind: 'parsed'; events: ImportedEvent[]; unread: UnreadCounts; lost: (string | null)[]; knownUntil?: Date }
  | { kind: 'unreadable'; reason: string }

/**
 * `zone` is the calendar's: it applies to floating times and to dates. Instances of a series outside `[from, until)` are left
 * out; a single event is returned whenever it is. `owner`: the addresses of the person whose calendar it is; then each instance
 * says whether it takes their time, and the times of a series must be known: one with more than `maxInstances` ends early, one
 * that takes too long to expand makes the feed unreadable. Without it both are skipped.
 */
export type ParseOptions = {
  zone: string
  from: Date
  until: Date
  /** The one that was named with the feed. */
  charset?: string | undefined
  owner?: { addresses: readonly string[]; maxInstances: number }
  /** The parts of an event that are read besides its title, description, times and status. */
  keep?: readonly Keepable[]
}

export type FeedParser = {
  /** Rejects only for our own faults. */
  parse(feed: Buffer, options: ParseOptions): Promise<ParsedFeed>
  /** Feeds under way or waiting end as unreadable. */
  close(): Promise<void>
}

const maxBytes = 10 * 1024 * 1024

const feedReading: Reading<ParseOptions, ParsedFeed> = {
  module: import.meta.resolve('./parseCalendar.ts'),
  name: 'parseCalendar',
  // Few bytes may say very much.
  atOnceBelow: 0,
}

export const feedParser = (reader: Reader): Pick<FeedParser, 'parse'> => ({
  async parse(feed, options) {
    if (feed.byteLength > maxBytes) return unreadable('The feed is larger than 10 MB.')
    const read = await reader.read(feedReading, feed, options)
    return read.kind === 'read' ? read.value : unreadable(reasons[read.why])
  },
})

const unreadable = (reason: string): ParsedFeed => ({ kind: 'unreadable', reason })

const reasons = {
  time: `The feed takes more than ${maxReadingMs / 1000} seconds to read.`,
  memory: 'Reading the feed takes too much memory.',
  closed: 'The service is shutting down.',
}

/** Starts and ends in turn, in epoch milliseconds. */
export type BusyTimes =
  | { kind: 'busy'; times: Float64Array; knownUntilMs: number | undefined; unread: UnreadCounts }
  | { kind: 'unreadable' }

const busyReading: Reading<ParseOptions, BusyTimes> = {
  module: import.meta.resolve('./readBusy.ts'),
  name: 'readBusy',
  atOnceBelow: 0,
}

/** When the events of an object make their owner busy, within the bounds of `options`. */
export async function readBusyTimes(
  reader: Reader,
  object: Buffer,
  options: ParseOptions,
): Promise<BusyTimes | { kind: 'closed' }> {
  const read = await reader.read(busyReading, object, options)
  if (read.kind === 'read') return read.value
  return { kind: read.why === 'closed' ? 'closed' : 'unreadable' }
}

/** A parser by itself. */
export function openFeedParser(limits?: Parameters<typeof openForeign>[0]): FeedParser {
  const foreign = openForeign(limits)
  return { ...feedParser(foreign.of('')), close: foreign.close }
}
