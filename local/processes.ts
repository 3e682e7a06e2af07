// Identifies processes. The system reuses pids, so a record holds the start time too.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

export type ProcessRecord = { pid: number; startedAt: string }
/** A signal and how long to wait for it to work before the next one. */
export type EndStep = [signal: NodeJS.Signals, waitMs: number]

/** Undefined when there is no such process, or only its zombie. */
export function recordOf(pid: number): ProcessRecord | undefined {
  const startedAt = process.platform === 'linux' ? linuxStart(pid) : posixStart(pid)
  return startedAt ? { pid, startedAt } : undefined
}

/** Ticks since boot, field 22 of proc(5) stat; the name in field 2 may hold blanks and brackets. */
function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${fields[19]}`
  } catch {
    return undefined
  }
}

function posixStart(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

/** Its program and arguments; empty when they cannot be read. */
export function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

export const isRunning = (record: ProcessRecord): boolean => recordOf(record.pid)?.startedAt === record.startedAt

/** True once it has ended. */
export async function waitUntilGone(record: ProcessRecord, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs
  while (isRunning(record)) {
    if (performance.now() > until) return false
    await pause(20)
  }
  return true
}

export async function endProcess(record: ProcessRecord, steps: readonly EndStep[]): Promise<void> {
  for (const [signal, waitMs] of steps) {
    if (!isRunning(record)) return
    try {
      process.kill(record.pid, signal)
    } catch {
      // It ended between the check and the signal.
    }
    if (await waitUntilGone(record, waitMs)) return
  }
}

/** Ends the process that an earlier run left behind and noted in `file`, if it still runs. */
export async function endLeftover(file: string, steps: readonly EndStep[]): Promise<void> {
  const record = readRecord(file)
  if (record) await endProcess(record, steps)
  rmSync(file, { force: true })
}

export function readRecord(file: string): ProcessRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'))
    return typeof record.pid === 'number' && typeof record.startedAt === 'string' ? record : undefined
  } catch {
    return undefined
  }
}

export function writeRecord(file: string, pid: number): void {
  const record = recordOf(pid)
  if (record) writeFileSync(file, JSON.stringify(record), { mode: 0o600 })
}
