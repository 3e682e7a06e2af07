// Freezes processes for a limited time. They continue, even if the run fails.
import { setTimeout as pause } from 'node:timers/promises'

export type Freezer = {
  /** Returns when they continue; rejects if the run ends before. */
  freeze(pids: readonly number[], ms: number): Promise<void>
  /** Lets all of them continue; from now on `freeze` rejects. */
  close(): void
}

export function openFreezer(): Freezer {
  const standing = new Set<number>()
  const closing = new AbortController()
  const thaw = () => {
    for (const pid of standing) signal(pid, 'SIGCONT')
    standing.clear()
  }
  const close = () => {
    closing.abort(new Error('the run is over'))
    thaw()
    process.off('exit', close)
  }
  process.on('exit', close)
  return {
    async freeze(pids, ms) {
      closing.signal.throwIfAborted()
      for (const pid of pids) {
        standing.add(pid)
        signal(pid, 'SIGSTOP')
      }
      await pause(ms, undefined, { signal: closing.signal })
      thaw()
    },
    close,
  }
}

/** Processes that have ended are skipped. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT') {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
}
