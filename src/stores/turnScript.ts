// Questions to Redis of one turn of the event loop share one call, once the turn is over. An answer counts only if it is the
// one to its question, and an error in one item is the error of that item alone.
import { defineScript, isCluster, type RedisClient } from './redis.ts'

/** Returns what takes an item. `flush` gets the items of a turn in the order in which they came. */
export function collected<Item>(flush: (items: Item[]) => void): (item: Item) => void {
  let waiting: Item[] = []
  const handOver = () => {
    const items = waiting
    waiting = []
    flush(items)
  }
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(handOver)
  }
}

// KEYS: one per item. ARGV: a number that comes back, how many arguments each item has, then the arguments of each item.
const eachItem = `
local answers = {ARGV[1]}
for i, key in ipairs(KEYS) do
  local isDone, answer = pcall(one, key, 3 + (i - 1) * ARGV[2])
  if not isDone and type(answer) ~= 'table' then answer = {err = tostring(answer)} end
  answers[i + 1] = answer
end
return answers
`

type ItemScript<Item> = {
  /** Lua that defines `one(key, at)`, which returns the answer to an item; its arguments begin at `ARGV[at]`. */
  lua: string
  keyOf(item: Item): string
  /** The same number of arguments for each item. */
  argumentsOf(item: Item): (string | number)[]
  /** Gets the answer, or the error in its place. */
  settle(item: Item, answer: unknown): void
}

const maxAtOnce = 200

/** Runs a script for each item, in their order; on a cluster in one call per key, otherwise all in one. */
export function defineItemScript<Item>(redis: RedisClient, name: string, script: ItemScript<Item>) {
  const { keyOf, argumentsOf, settle: tell } = script
  const run = defineScript(redis, name, script.lua + eachItem)
  let questions = 0

  async function ask(items: readonly Item[]): Promise<unknown[]> {
    const question = String(++questions)
    const args: (string | number)[] = [question, 0]
    for (const item of items) args.push(...argumentsOf(item))
    args[1] = (args.length - 2) / items.length
    const [echo, ...answers] = (await run(items.map(keyOf), args)) as unknown[]
    if (echo !== question || answers.length !== items.length) throw new Error('Redis answered another question')
    return answers
  }

  async function call(items: readonly Item[]) {
    try {
      const answers = await ask(items)
      for (const [nth, item] of items.entries()) tell(item, answers[nth])
    } catch (error) {
      for (const item of items) tell(item, error)
    }
  }

  return (items: Item[]): void => {
    const calls = isCluster(redis) ? [...Map.groupBy(items, keyOf).values()] : [items]
    for (const own of calls) {
      for (let from = 0; from < own.length; from += maxAtOnce) void call(own.slice(from, from + maxAtOnce))
    }
  }
}
