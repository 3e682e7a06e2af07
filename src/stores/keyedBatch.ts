// Micro-batches per key: calls about one thing share a run, those about different things do not wait for each other.
import { type BatchOptions, batched } from './batch.ts'

/** How many keys are remembered beside those that have calls under way. */
const maxIdle = 1_000

type Line<Item, Result> = { call: (item: Item) => Promise<Result>; underWay: number }

/** As `batched`, with a line of its own for each key. */
export function batchedPerKey<Item, Result>(
  max: number,
  run: (key: string, items: Item[]) => Promise<Result[]>,
  options: BatchOptions = {},
) {
  const lines = new Map<string, Line<Item, Result>>()

  function lineOf(key: string): Line<Item, Result> {
    const known = lines.get(key)
    if (known) return known
    if (lines.size >= maxIdle) for (const [idle, { underWay }] of lines) if (underWay === 0) lines.delete(idle)
    const line = { call: batched<Item, Result>(max, (items) => run(key, items), options), underWay: 0 }
    lines.set(key, line)
    return line
  }

  return async (key: string, item: Item): Promise<Result> => {
    const line = lineOf(key)
    line.underWay++
    try {
      return await line.call(item)
    } finally {
      line.underWay--
    }
  }
}
