// Processes that stand still for a while. Whatever becomes of the run, they go on again.
import { setTimeout as pause } from 'node:timers/promises'

export type Freezer = {
  /** Returns when they go on again; rejects when the run ends before. */
  freeze(pids: readonly number[], ms: number): Promise<void>
  /** Nobody stands still any more, and nobody will. */
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

/** One that is gone stands still no more. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT') {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
}
