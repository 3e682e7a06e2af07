// A running server of our own, Postgres or Redis, as the rest of the code sees it.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type EndStep, endProcess, isRunning, type ProcessRecord, recordOf } from './processes.ts'

export type StoreOptions = {
  dataDir: string
  /** False for tests: the store is faster, and a crash may lose everything. */
  durable: boolean
  /** Any free port of 127.0.0.1 unless it is given. */
  port?: number
}

export type StopManner = 'clean' | 'now'

export type Store = {
  url: string
  pid: number
  port: number
  /** The real location of the files, which may differ from the requested one. */
  directory: string
  /** Resolves when the server process ends, for any reason. */
  exited: Promise<void>
  /** Returns when it is gone. `now` skips the orderly shutdown; a durable store loses no data. */
  stop(manner?: StopManner): Promise<void>
}

type Facts = Pick<Store, 'url' | 'port' | 'directory'> & { recordFile: string; endSteps: readonly EndStep[] }

/** `child` accepts connections. Its first end step is also sent if this process exits without `stop`. */
export function storeOf(child: ChildProcess, { recordFile, endSteps, ...facts }: Facts): Store {
  const pid = child.pid!
  const record = recordOf(pid)
  const hasExited = child.exitCode !== null || child.signalCode !== null
  const exited = hasExited ? Promise.resolve() : once(child, 'exit').then(() => undefined)
  const atExit = () => signal(record, endSteps[0]![0])
  process.on('exit', atExit)
  exited.then(() => process.off('exit', atExit))
  return {
    ...facts,
    pid,
    exited,
    async stop(manner = 'clean') {
      if (record) await endProcess(record, manner === 'clean' ? endSteps : endSteps.slice(1))
      rmSync(recordFile, { force: true })
    },
  }
}

function signal(record: ProcessRecord | undefined, name: NodeJS.Signals): void {
  if (record && isRunning(record)) process.kill(record.pid, name)
}

export type StoreName = 'postgres' | 'redis'
