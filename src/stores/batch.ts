// Micro-batches: calls of one turn of the event loop share one statement. While enough statements are running, the next
// batch grows, so the size of batches follows the load.
import { isLate, isUnreachable } from './failures.ts'

type Call<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

const maxUnderWay = 2
/** A run that takes longer holds up nothing that waits beside it. */
const lateMs = 50

export type BatchOptions = {
  /**
   * For runs that cost far more than an item. A run begins beside another one only if that is late. After a run it waits
   * `gatherMs` at most for as many calls as there were at its end, if they are no more than `upTo`: clients that were answered
   * together call again together. A single call does not wait.
   */
  gather?: { upTo: number; gatherMs: number }
}

/**
 * `run` returns one result per item, in the order of the items. If a batch fails, its items are run one by one, so that only
 * the bad one fails. While Postgres does not answer, none is bad: the calls fail together, instead of waiting for each other.
 */
export function batched<Item, Result>(
  max: number,
  run: (items: Item[]) => Promise<Result[]>,
  { gather }: BatchOptions = {},
) {
  let waiting: Call<Item, Result>[] = []
  let underWay = 0
  /** Those under way that are not late. */
  const quick = new Set<Call<Item, Result>[]>()
  let scheduled = false
  /** How many calls there were when a run ended: its own, and those that waited. */
  let seen = { calls: 0, atMs: 0 }
  let gathering: NodeJS.Timeout | undefined

  const isFull = () => underWay >= maxUnderWay || (gather !== undefined && quick.size > 0)

  /** Whether more calls may come at once. */
  const isAwaited = ({ upTo, gatherMs }: NonNullable<BatchOptions['gather']>) =>
    waiting.length < seen.calls && seen.calls <= upTo && performance.now() < seen.atMs + gatherMs

  /** Returns the callbacks that settle the calls. */
  async function runBatch(calls: Call<Item, Result>[]): Promise<() => void> {
    try {
      const results = await run(calls.map((call) => call.item))
      return () => calls.forEach((call, index) => void call.resolve(results[index] as Result))
    } catch (error) {
      if (calls.length === 1 || isLate(error)) return () => calls.forEach((call) => void call.reject(error))
      await runEach(calls)
      return () => undefined
    }
  }

  /** The connection may have broken, so the first one is tried in any case. */
  async function runEach(calls: Call<Item, Result>[]): Promise<void> {
    for (const [nth, call] of calls.entries()) {
      try {
        const [result] = await run([call.item])
        call.resolve(result as Result)
      } catch (error) {
        const isAway = isLate(error) || isUnreachable(error)
        for (const failed of isAway ? calls.slice(nth) : [call]) failed.reject(error)
        if (isAway) return
      }
    }
  }

  /** The next batch begins before the calls of this one go on: what they have to do would hold it up. */
  function begin(calls: Call<Item, Result>[]) {
    underWay++
    quick.add(calls)
    const late = setTimeout(() => {
      quick.delete(calls)
      flush()
    }, lateMs)
    void runBatch(calls).then((tell) => {
      seen = { calls: calls.length + waiting.length, atMs: performance.now() }
      clearTimeout(late)
      quick.delete(calls)
      underWay--
      flush()
      tell()
    })
  }

  function flush() {
    scheduled = false
    clearTimeout(gathering)
    if (waiting.length === 0) return
    if (gather && isAwaited(gather)) {
      gathering = setTimeout(flush, gather.gatherMs)
      return
    }
    while (waiting.length > 0 && !isFull()) {
      const calls = waiting.slice(0, max)
      waiting = waiting.slice(max)
      begin(calls)
    }
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (scheduled || isFull()) return
      scheduled = true
      setImmediate(flush)
    })
}
