// The acknowledged changes: they are committed and must not be lost. A change without an answer, or with a
// 5xx, may have happened or not. Both are right; half of it is not.

export type Change = 'create' | 'confirm' | 'release' | 'update' | 'delete'

/** How many of the edits with one tag succeeded, and how many were answered at all. */
export type TaggedEdits = { asked: number; answered: number; done: number }

type Replay = { webhookId: string; from: number; to: number; matched: number; askedAt: number }
/** The first one is that of its creation. While it `isChanging` there may be one that no answer has told. */
type Secrets = { all: { secret: string; knownAt: number }[]; isChanging: boolean }

/** Requests about webhooks. Times are epoch milliseconds. */
export type HookLedger = {
  /** When each delivery was last sent again by request. */
  resent: Map<string, number>
  replays: Replay[]
  /** By organization: those of its webhook. */
  secrets: Map<string, Secrets>
}

export type Ledger = {
  /** The acknowledged changes of each event. */
  acknowledged: Map<string, Change[]>
  /** When the last change of each event was acknowledged: it was committed before. */
  acknowledgedAt: Map<string, number>
  /** The starts of events that were requested with a key until there was an answer, and the id in that answer. */
  once: Map<string, string | undefined>
  /** Events that two edits met with one tag. */
  tagged: Map<string, TaggedEdits>
  hooks: HookLedger
  unknown: number
  refused: number
  /** Notes an answer; returns true if the change is committed. */
  note(eventId: string | undefined, change: Change, status: number): boolean
}

/** The request did not arrive in time (408), or came too often (429): it is to be repeated. */
const isToRepeat = (status: number): boolean => status === 408 || status === 429

/** Otherwise the request is to be repeated, and what came of it may be unknown. */
export const isAnswered = (status: number): boolean => status > 0 && status < 500 && !isToRepeat(status)

/** Whether the request may have been done although its answer does not say so. */
export const isUnknown = (status: number): boolean => status === 0 || status >= 500

export function openLedger(): Ledger {
  const ledger: Ledger = {
    acknowledged: new Map(),
    acknowledgedAt: new Map(),
    once: new Map(),
    tagged: new Map(),
    hooks: { resent: new Map(), replays: [], secrets: new Map() },
    unknown: 0,
    refused: 0,
    note(eventId, change, status) {
      if (isUnknown(status)) ledger.unknown++
      else if (status >= 400) ledger.refused++
      else {
        ledger.acknowledgedAt.set(eventId!, Date.now())
        const changes = ledger.acknowledged.get(eventId!)
        if (changes) changes.push(change)
        else ledger.acknowledged.set(eventId!, [change])
        return true
      }
      return false
    },
  }
  return ledger
}
