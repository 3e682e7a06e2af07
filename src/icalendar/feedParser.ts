// The door of the feed parser: untrusted text goes in, instances with absolute times come out. A hostile feed can harm only the
// thread that parses it, which has its own memory and is ended when it takes too long.
import { Worker } from 'node:worker_threads'
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
 * `zone` is the calendar's: it holds for floating times and for dates. Instances of a series outside `[from, until)` are
 * left out; an event that happens once is returned whenever it is. `owner`: the addresses of the person whose calendar it is;
 * then each instance says whether it takes their time, and what a series takes must be known: one with more than `maxInstances`
 * ends early, one that takes too long to work out makes the feed unreadable. Without it both are skipped.
 */
export type ParseOptions = {
  zone: string
  from: Date
  until: Date
  /** The one that was named with the feed. */
  charset?: string | undefined
  owner?: { addresses: readonly string[]; maxInstances: number }
}

export type FeedParser = {
  /** Feeds are parsed one after the other; none disturbs the next. Rejects only for our own faults. */
  parse(feed: Buffer, options: ParseOptions): Promise<ParsedFeed>
  /** Feeds under way or waiting end as unreadable. */
  close(): Promise<void>
}

const maxBytes = 10 * 1024 * 1024
const defaults = { deadlineMs: 5_000, memoryMb: 256 }

const unreadable = (reason: string): ParsedFeed => ({ kind: 'unreadable', reason })

/** The thread starts with the first feed and does not keep the process alive. */
export function openFeedParser(limits: Partial<typeof defaults> = {}): FeedParser {
  const { deadlineMs, memoryMb } = { ...defaults, ...limits }
  let thread: Thread | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  async function parseNext(feed: Buffer, options: ParseOptions): Promise<ParsedFeed> {
    if (isClosed) return unreadable('The service is shutting down.')
    if (!thread || thread.isOver()) thread = startThread(memoryMb)
    return thread.parse(feed, options, deadlineMs)
  }

  return {
    parse(feed, options) {
      if (feed.byteLength > maxBytes) return Promise.resolve(unreadable('The feed is larger than 10 MB.'))
      const reading = last.then(() => parseNext(feed, options))
      last = reading.catch(() => {})
      return reading
    },
    async close() {
      isClosed = true
      await thread?.end()
      await last
    },
  }
}

type Thread = {
  parse(feed: Buffer, options: ParseOptions, deadlineMs: number): Promise<ParsedFeed>
  isOver(): boolean
  end(): Promise<void>
}

function startThread(memoryMb: number): Thread {
  const worker = new Worker(new URL('./parserThread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // It needs neither the environment nor the arguments of the process.
    env: {},
    execArgv: [],
  })
  let isOver = false
  /** The next message of the thread; its end is an answer too. */
  let answer = Promise.withResolvers<ParsedFeed | 'ready'>()
  const over = (outcome: ParsedFeed | Error) => {
    isOver = true
    if (outcome instanceof Error) answer.reject(outcome)
    else answer.resolve(outcome)
  }
  const next = () => {
    answer = Promise.withResolvers()
    // A caller that waits gets the error; without a feed nobody waits.
    answer.promise.catch(() => {})
    return answer.promise
  }
  const ready = next()
  worker.on('message', (message: ParsedFeed | 'ready') => answer.resolve(message))
  worker.on('error', (error: NodeJS.ErrnoException) =>
    over(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? unreadable('Reading the feed takes too much memory.') : error),
  )
  worker.on('exit', () => over(new Error('the thread that reads feeds has ended')))
  worker.unref()
  return {
    isOver: () => isOver,
    async end() {
      over(unreadable('The service is shutting down.'))
      await worker.terminate()
    },
    async parse(feed, options, deadlineMs) {
      worker.ref()
      const started = await ready
      if (started !== 'ready') return started
      const reading = next()
      const timer = setTimeout(() => {
        over(unreadable(`The feed takes more than ${deadlineMs / 1000} seconds to read.`))
        void worker.terminate()
      }, deadlineMs)
      worker.postMessage({ feed, options })
      try {
        return (await reading) as ParsedFeed
      } finally {
        clearTimeout(timer)
        if (!isOver) worker.unref()
      }
    },
  }
}
