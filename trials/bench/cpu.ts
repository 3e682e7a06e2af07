// The processor time of processes, as Linux counts it in /proc. Other systems have no such figure.
import { readdirSync, readFileSync } from 'node:fs'

/** A tick of /proc/<pid>/stat: 100 a second on every Linux that Node runs on. */
const tickMs = 10

type Counted = { parent: number; ownMs: number; endedMs: number }

/**
 * Milliseconds of processor time, user and system together, of these processes and everything below them, the children
 * that have ended included. Undefined without /proc.
 */
export function cpuMsOf(pids: readonly number[]): number | undefined {
  const counted = countAll()
  if (counted.size === 0) return undefined
  const childrenOf = Map.groupBy(counted.keys(), (pid) => counted.get(pid)!.parent)
  const sum = (pid: number): number => {
    const { ownMs, endedMs } = counted.get(pid) ?? { ownMs: 0, endedMs: 0 }
    return (childrenOf.get(pid) ?? []).reduce((total, child) => total + sum(child), ownMs + endedMs)
  }
  return pids.reduce((total, pid) => total + sum(pid), 0)
}

function countAll(): Map<number, Counted> {
  const counted = new Map<number, Counted>()
  for (const name of namesIn('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const found = count(Number(name))
    if (found) counted.set(Number(name), found)
  }
  return counted
}

/** Undefined when it has ended in the meantime. */
function count(pid: number): Counted | undefined {
  const stat = textOf(`/proc/${pid}/stat`)
  if (!stat) return undefined
  // The name of the program comes before, in parentheses, and may contain spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => fields[at]!)
  // Ticks count threads that have ended too, nanoseconds are finer: a Postgres has many backends that do little.
  const ownMs = Math.max((user! + system!) * tickMs, threadsMsOf(pid))
  return { parent: parent!, ownMs, endedMs: (endedUser! + endedSystem!) * tickMs }
}

/** Of the threads that run, 0 where the kernel does not count nanoseconds. */
const threadsMsOf = (pid: number): number =>
  namesIn(`/proc/${pid}/task`).reduce((total, thread) => {
    const nanoseconds = textOf(`/proc/${pid}/task/${thread}/schedstat`)?.split(' ')[0]
    return total + Number(nanoseconds ?? 0) / 1e6
  }, 0)

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
