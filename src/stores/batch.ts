// Micro-batches: calls of one turn of the event loop share one statement. While enough statements are running, the next
// batch grows, so the size of batches follows the load.

type Call<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

const maxUnderWay = 2
/** A run that takes longer holds up nothing that waits beside it. */
const lateMs = 50

type Options = {
  /**
   * A second run begins only beside one of fewer items, or a late one. Where a run costs far more than an item, this makes
   * the batches of a busy process larger, and costs an idle one nothing.
   */
  maxBeside?: number
}

/**
 * `run` returns one result per item, in the order of the items. If a batch fails, its items are run one by one, so that only
 * the bad one fails.
 */
export function batched<Item, Result>(
  max: number,
  run: (items: Item[]) => Promise<Result[]>,
  { maxBeside = Number.POSITIVE_INFINITY }: Options = {},
) {
  let waiting: Call<Item, Result>[] = []
  let underWay = 0
  /** Those under way that are not late. */
  const quick = new Set<Call<Item, Result>[]>()
  let scheduled = false

  function isFull(): boolean {
    let items = 0
    for (const calls of quick) items += calls.length
    return underWay >= maxUnderWay || items >= maxBeside
  }

  async function runBatch(calls: Call<Item, Result>[]) {
    try {
      const results = await run(calls.map((call) => call.item))
      calls.forEach((call, index) => {
        call.resolve(results[index] as Result)
      })
    } catch (error) {
      if (calls.length === 1) calls[0]!.reject(error)
      else for (const call of calls) await runBatch([call])
    }
  }

  function begin(calls: Call<Item, Result>[]) {
    underWay++
    quick.add(calls)
    const late = setTimeout(() => {
      quick.delete(calls)
      flush()
    }, lateMs)
    void runBatch(calls).finally(() => {
      clearTimeout(late)
      quick.delete(calls)
      underWay--
      flush()
    })
  }

  function flush() {
    scheduled = false
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
