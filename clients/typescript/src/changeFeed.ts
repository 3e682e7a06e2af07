// The change feed as an iterator: it waits, reconnects, and says when its reader must read everything again.
import { ApiError, UnexpectedAnswerError } from './apiError.ts'
import { readEvents } from './eventStream.ts'
import { ChangesGroup, type ListChangesOptions } from './generated/changes.ts'
import type { Change } from './generated/schemas.ts'
import { retryDelayMs } from './retry.ts'
import { pause } from './send.ts'

export type FollowOptions = Pick<ListChangesOptions, 'types' | 'calendar_ids' | 'agent_ids' | 'payload'> & {
  /** Where to continue: the last `cursor` that you kept, or `oldest`. Without it: from now on. */
  cursor?: string
  /** `stream` holds one connection open; `poll` sends one request after another, which passes every proxy. Default: `stream`. */
  mode?: 'stream' | 'poll'
  /** How long each request of `poll` waits. Default: 25. */
  waitSeconds?: number
  /** Ends the iteration with its reason. */
  signal?: AbortSignal
  /** Gets the reason for a pause before the next attempt. */
  onTrouble?: (error: unknown, delayMs: number) => void
}

/** Keep the cursor of each step once you have dealt with it. */
export type FeedStep =
  /** The changes, in order. With `stream`, one change; with `poll`, one page. */
  | { kind: 'changes'; entries: Change[]; cursor: string }
  /** Nothing happened, but the cursor moved on. */
  | { kind: 'idle'; cursor: string }
  /** The cursor is no longer valid: read these lists now. The iteration continues from `cursor`, and nothing is missed. */
  | { kind: 'resync'; reason: 'too_old' | 'restored'; cursor: string; lists: string[] }

const maxDelayMs = 60_000

export class ChangeFeed extends ChangesGroup {
  /**
   * Every change, for as long as you iterate. Temporary errors are waited out. Permanent errors are thrown: a key that was
   * revoked, a filter that is wrong, a budget that is used up.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<FeedStep, void, undefined> {
    let cursor = options.cursor
    let attempts = 0
    for (;;) {
      try {
        options.signal?.throwIfAborted()
        for await (const step of this.#read(options, cursor)) {
          attempts = 0
          cursor = step.cursor
          yield step
        }
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason
        const gone = resyncOf(error)
        if (gone) {
          cursor = gone.cursor
          yield gone
          continue
        }
        const attempt = { attempts: Math.min(++attempts, 10), isRepeatable: true, random: Math.random() }
        const delayMs = retryDelayMs(error, attempt, { maxRetries: 10, maxRetryDelayMs: maxDelayMs })
        if (delayMs === undefined) throw error
        options.onTrouble?.(error, delayMs)
        await pause(delayMs, options.signal)
      }
    }
  }

  /** Until the connection ends, which is normal, or fails. */
  async *#read(options: FollowOptions, cursor: string | undefined): AsyncGenerator<FeedStep, void, undefined> {
    // With a cursor from the start, nothing is lost if the connection breaks before the first change.
    if (cursor === undefined) yield this.#page(options, { wait: 0 })
    else if (options.mode === 'poll') yield this.#page(options, { cursor, wait: options.waitSeconds ?? 25 })
    else yield* this.#stream(options, cursor)
  }

  async #page(options: FollowOptions, more: { cursor?: string; wait: number }): Promise<FeedStep> {
    const page = await this.list({ ...asked(options), ...more })
    if (typeof page.cursor !== 'string' || !Array.isArray(page.data))
      throw new UnexpectedAnswerError('No page of changes.')
    return page.data.length > 0
      ? { kind: 'changes', entries: page.data, cursor: page.cursor }
      : { kind: 'idle', cursor: page.cursor }
  }

  async *#stream(options: FollowOptions, cursor: string): AsyncGenerator<FeedStep, void, undefined> {
    for await (const { event, data, id } of readEvents(await this.openStream({ ...asked(options), cursor }))) {
      if (event === 'gone') throw new ApiError(410, JSON.parse(data).error, new Headers())
      if (id === undefined) continue
      if (event === 'change') yield { kind: 'changes', entries: JSON.parse(data), cursor: id }
      if (event === 'bye') yield { kind: 'idle', cursor: id }
    }
  }
}

function asked({ types, calendar_ids, agent_ids, payload, signal }: FollowOptions) {
  return { types, calendar_ids, agent_ids, payload, signal, maxRetries: 0 }
}

function resyncOf(error: unknown): Extract<FeedStep, { kind: 'resync' }> | undefined {
  if (!(error instanceof ApiError) || error.type !== 'cursor_gone') return undefined
  const { resync, reason } = error.details
  if (!resync) return undefined
  return { kind: 'resync', reason: reason ?? 'too_old', cursor: resync.cursor, lists: resync.lists }
}
