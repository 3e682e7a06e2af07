// A process of the service under the trial's supervision. It is started again whenever it ends; only the trial kills
// it, by the pid that it started.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { endChild } from '../../local/children.ts'

export type Program = {
  name: string
  /** Relative to `root`. */
  file: 'api/main.ts' | 'workers/main.ts'
  /** The folder of the code; without it, this repository. */
  root?: string
  /** Read anew at each start. */
  env: NodeJS.ProcessEnv
  /** Variables of this process alone. */
  own: Record<string, string>
  logFile: string
  execArgv?: readonly string[]
}

export type Supervised = {
  name: string
  /** Of the running one. */
  pid(): number
  /** Resolves when the running one, or the next one, serves. */
  ready(): Promise<void>
  /** kill -9; resolves when it has ended. */
  kill(): Promise<void>
  /** SIGTERM, and SIGKILL if that does not end it: `code` is null then. The next one starts as after any end. */
  terminate(): Promise<{ code: number | null; ms: number }>
  /**
   * Replaces it by one with these variables in addition, without an argument by one as at first; resolves when that
   * serves.
   */
  restart(env?: Record<string, string>): Promise<void>
  /** Replaces it by one of the code in that folder; resolves when that serves. */
  become(root: string): Promise<void>
  /** The running one stops in its tracks, or continues. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends that the trial did not cause. */
  crashes: string[]
  stop(): Promise<void>
}

/** The code that this trial is part of. */
export const repository = join(import.meta.dirname, '../..')
const restartMs = 300
const readyWithinMs = 180_000
/** An orderly end takes 15 s at most; a process that has not ended by then never will. */
const terminateWithinMs = 30_000
const stopWithinMs = 20_000

export function supervise({ name, file, env, own, logFile, execArgv = [], ...program }: Program): Supervised {
  const log = openSync(logFile, 'a', 0o600)
  let root = program.root ?? repository
  const crashes: string[] = []
  let more: Record<string, string> = {}
  let isAsked = false
  let isStopping = false
  let restart: NodeJS.Timeout | undefined
  let serving = Promise.withResolvers<void>()
  let current = launch()

  function launch(): ChildProcess {
    const stdio = ['ignore', log, log, 'ipc'] as const
    const options = { env: { ...env, ...own, ...more }, execArgv: [...execArgv], stdio: [...stdio] }
    const child = fork(join(root, file), [], options)
    child.on('message', (message: { ready?: boolean }) => message.ready && serving.resolve())
    child.once('exit', (code, signal) => {
      if (!isAsked && !isStopping) crashes.push(`${name} ended by itself (${signal ?? `exit code ${code}`})`)
      isAsked = false
      serving = Promise.withResolvers()
      if (isStopping) return
      restart = setTimeout(() => {
        current = launch()
      }, restartMs)
    })
    return child
  }

  const supervised: Supervised = {
    name,
    pid: () => current.pid!,
    crashes,
    ready: () => inTime(serving.promise, `${name} was not ready within ${readyWithinMs / 1000} s (see ${logFile})`),
    async kill() {
      isAsked = true
      const exited = once(current, 'exit')
      current.kill('SIGKILL')
      await exited
    },
    async terminate() {
      const startedMs = performance.now()
      isAsked = true
      const code = await endChild(current, 'SIGTERM', terminateWithinMs)
      return { code, ms: Math.round(performance.now() - startedMs) }
    },
    async restart(env = {}) {
      more = env
      await supervised.terminate()
      await supervised.ready()
    },
    become(code) {
      root = code
      return supervised.restart()
    },
    signal: (name) => void current.kill(name),
    async stop() {
      isStopping = true
      clearTimeout(restart)
      await endChild(current, 'SIGTERM', stopWithinMs)
    },
  }
  return supervised
}

/** Each is replaced by one with these variables in addition. */
export const restartAll = (processes: readonly Supervised[], env?: Record<string, string>): Promise<unknown> =>
  Promise.all(processes.map((process) => process.restart(env)))

function inTime(work: Promise<void>, complaint: string): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.reject(new Error(complaint)), readyWithinMs)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
