// A thread that reads bytes from outside, one piece of work after the other. It may run out of time or memory without harm to the
// process.
import { parentPort } from 'node:worker_threads'
import { type Reading, readNow } from './reading.ts'

export type Work = { reading: Reading<unknown, unknown>; bytes: Uint8Array; options: unknown }
/** Long lists of a value go ahead in parts, so that the process takes none of them for long. */
export type Message =
  | { kind: 'begun' }
  | { kind: 'part'; name: string; items: unknown[] }
  | { kind: 'value'; value: unknown }

const maxItems = 1_000

const port = parentPort!
const post = (message: Message) => port.postMessage(message)

port.on('message', async ({ reading, bytes, options }: Work) => {
  await import(reading.module)
  // The time limit begins here: the first work of a kind loads its code before.
  post({ kind: 'begun' })
  const value = await readNow(reading, bytes, options)
  if (typeof value !== 'object' || value === null) return post({ kind: 'value', value })
  const rest: Record<string, unknown> = { ...value }
  for (const [name, items] of Object.entries(value)) {
    if (!Array.isArray(items) || items.length <= maxItems) continue
    rest[name] = []
    for (let at = 0; at < items.length; at += maxItems) {
      post({ kind: 'part', name, items: items.slice(at, at + maxItems) })
    }
  }
  post({ kind: 'value', value: rest })
})
