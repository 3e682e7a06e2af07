// The door for bytes from outside: feeds, and answers of calendar providers. They are read in threads, so that hostile ones harm
// neither the process nor other organizations.

import { type Read, type Reading, readNow } from './reading.ts'
import type { Work } from './thread.ts'
import { openTurns } from './turns.ts'
import { startThread, type Thread } from './worker.ts'

/** Rejects only for our own faults. */
export type Reader = {
  read<Options, Value>(reading: Reading<Options, Value>, bytes: Uint8Array, options: Options): Promise<Read<Value>>
}

export type Foreign = {
  /** Whose bytes these are: those of one organization are read one after the other. */
  of(orgId: string): Reader
  /** Ends running and waiting work as `closed`. */
  close(): Promise<void>
}

export const maxReadingMs = 5_000
const defaults = { deadlineMs: maxReadingMs, memoryMb: 256, threads: 2 }

/** Threads start when they are needed, and then stay. */
export function openForeign(limits: Partial<typeof defaults> = {}): Foreign {
  const { threads: maxThreads, ...ofThread } = { ...defaults, ...limits }
  const turns = openTurns(maxThreads)
  const idle: Thread[] = []
  const all = new Set<Thread>()
  let isClosed = false

  function takeIdle(): Thread | undefined {
    const thread = idle.pop()
    if (!thread?.isOver()) return thread
    all.delete(thread)
    return takeIdle()
  }

  async function readInThread(work: Work): Promise<Read<unknown>> {
    if (isClosed) return { kind: 'given_up', why: 'closed' }
    const thread = takeIdle() ?? startThread(ofThread)
    all.add(thread)
    try {
      return await thread.read(work)
    } finally {
      if (thread.isOver()) all.delete(thread)
      else idle.push(thread)
    }
  }

  return {
    of: (orgId) => ({
      async read(reading, bytes, options) {
        if (bytes.byteLength < reading.atOnceBelow) {
          return { kind: 'read', value: await readNow(reading, bytes, options) }
        }
        return (await turns.take(orgId, () => readInThread({ reading, bytes, options } as Work))) as Read<never>
      },
    }),
    async close() {
      isClosed = true
      await Promise.all([...all].map((thread) => thread.end()))
      await turns.over()
    },
  }
}
