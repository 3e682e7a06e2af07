// Micro-batches: calls of one turn of the event loop share one statement. While enough statements are running, the next
// batch grows, so the size of batches follows the load.

type Call<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

const maxUnderWay = 2

/**
 * `run` returns one result per item, in the order of the items. If a batch fails, its items are run one by one, so that only
 * the bad one fails.
 */
export function batched<Item, Result>(max: number, run: (items: Item[]) => Promise<Result[]>) {
  let waiting: Call<Item, Result>[] = []
  let underWay = 0
  let scheduled = false

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

  function flush() {
    scheduled = false
    while (waiting.length > 0 && underWay < maxUnderWay) {
      const calls = waiting.slice(0, max)
      waiting = waiting.slice(max)
      underWay++
      void runBatch(calls).finally(() => {
        underWay--
        flush()
      })
    }
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (scheduled || underWay >= maxUnderWay) return
      scheduled = true
      setImmediate(flush)
    })
}
