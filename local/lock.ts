// One owner per data directory. The lock names its process and when that started, so after `kill -9` it is stale and
// does not block the next owner.
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isRunning, type ProcessRecord, readRecord, recordOf } from './processes.ts'

export type Lock = {
  /** An earlier owner ended without releasing it; processes that it started may still be ending. */
  wasStale: boolean
  release(): void
}

/** Undefined when a running process keeps it for all of `waitMs`. */
export async function acquireLock(path: string, waitMs = 0): Promise<Lock | undefined> {
  const own = recordOf(process.pid)
  if (!own) throw new Error('cannot read the start time of this process')
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 })
  const until = performance.now() + waitMs
  let wasStale = false
  try {
    for (;;) {
      if (tryLink(draft, path)) return { wasStale, release: () => release(path, own) }
      const found = clearStale(path)
      if (found === 'stale') wasStale = true
      if (found !== 'held') continue
      if (performance.now() >= until) return undefined
      await pause(50)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** link(2) is atomic and includes the content: a reader never sees half a lock. */
function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

// Two processes may find the same stale lock. Only one of them renames it; the late one may rename a fresh lock
// instead, and puts it back.
function clearStale(path: string): 'held' | 'stale' | 'gone' {
  const owner = readRecord(path)
  if (owner && isRunning(owner)) return 'held'
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return 'gone'
  }
  const moved = readRecord(aside)
  const isFresh = moved !== undefined && isRunning(moved)
  if (isFresh) tryLink(aside, path)
  rmSync(aside, { force: true })
  return isFresh ? 'held' : 'stale'
}

function release(path: string, own: ProcessRecord): void {
  const owner = readRecord(path)
  if (owner?.pid === own.pid && owner.startedAt === own.startedAt) rmSync(path, { force: true })
}
