// When records were last used, coarsely: a process notes a use in memory and writes what it noted with one statement in ten seconds
// at most. A record in steady use costs six writes an hour.
import { minuteMs } from '../shapes/durations.ts'

const coarseMs = 10 * minuteMs
const everyMs = 10_000
/** How long the first use waits for others to share its statement. */
const delayMs = 100
const maxAtOnce = 5_000
/** Beyond it uses are forgotten: they are only a report. */
const maxWaiting = 50_000

/** Whether a use tells something new. `lastMs`: of the last one that is known. */
export const isWorthNoting = (lastMs: number, now: Date): boolean => now.getTime() - lastMs >= coarseMs

type Uses<Use> = {
  /** Never throws and never waits. */
  note(use: Use): void
  /** Writes what waits, at once: when a process ends. */
  flush(): Promise<void>
}

/** If `write` fails, `failed` is told, and what is not noted again meanwhile waits for the next statement. */
export function openUses<Use extends { id: string }>(
  write: (uses: Use[]) => PromiseLike<unknown>,
  failed: (error: Error, count: number) => void,
): Uses<Use> {
  const waiting = new Map<string, Use>()
  let timer: NodeJS.Timeout | undefined
  /** On the clock of the process. */
  let writtenAt = Number.NEGATIVE_INFINITY
  let writing = Promise.resolve()

  function writeSoon(): void {
    const wait = Math.max(delayMs, writtenAt + everyMs - performance.now())
    timer ??= setTimeout(() => void flush(), wait).unref()
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeBlock)
    return writing
  }

  async function writeBlock(): Promise<void> {
    const block = [...waiting.values()].slice(0, maxAtOnce)
    if (block.length === 0) return
    for (const { id } of block) waiting.delete(id)
    writtenAt = performance.now()
    try {
      await write(block)
    } catch (error) {
      failed(error as Error, block.length)
      for (const use of block) if (!waiting.has(use.id)) waiting.set(use.id, use)
    }
    if (waiting.size > 0) writeSoon()
  }

  return {
    note(use) {
      if (waiting.size >= maxWaiting) return
      waiting.set(use.id, use)
      writeSoon()
    },
    flush,
  }
}
