// The lookups of keys for addresses that have sent too many unknown ones. They share one statement, and the next one begins a
// while after: a flood of wrong keys costs no more than that, and a right key among them only waits.
import type { App } from '../app.ts'
import { overloaded } from '../errors.ts'
import { type PrincipalRow, principalsByHashes } from './queries.ts'

type Lookup = { hash: Buffer; resolve(row: PrincipalRow | undefined): void; reject(error: unknown): void }

const everyMs = 50
const maxAtOnce = 200
/** Beyond it no process could answer so many requests anyway. */
const maxWaiting = 2_000

export function openSharedLookups({ sql }: App): (hash: Buffer) => Promise<PrincipalRow | undefined> {
  let waiting: Lookup[] = []
  let isRunning = false

  async function run() {
    const lookups = waiting.slice(0, maxAtOnce)
    waiting = waiting.slice(maxAtOnce)
    try {
      const rows = await principalsByHashes(
        sql,
        lookups.map(({ hash }) => hash),
      )
      for (const { hash, resolve } of lookups) resolve(rows.find((row) => row.hash.equals(hash)))
    } catch (error) {
      for (const { reject } of lookups) reject(error)
    }
    setTimeout(next, everyMs).unref()
  }

  function next() {
    isRunning = waiting.length > 0
    if (isRunning) void run()
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) throw overloaded('Too many keys are being looked up. Send the request again.')
      waiting.push({ hash, resolve, reject })
      if (isRunning) return
      isRunning = true
      setImmediate(run)
    })
}
