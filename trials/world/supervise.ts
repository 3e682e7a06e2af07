// The processes of the service under the test's own supervision: started again whenever they end, killed only by the
// test and only by the pid of what it started.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Program = { name: string; file: 'api/main.ts' | 'workers/main.ts'; env?: Record<string, string> }

export type Supervised = {
  name: string
  /** Resolves when the one that runs now, or the next one, serves. */
  ready(): Promise<void>
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>
  /** SIGTERM; how it ended and after how long. The next one is started as after any end. */
  terminate(): Promise<{ code: number | null; ms: number }>
  /** The one that runs now stands still, or goes on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends that nobody asked for. */
  crashes: string[]
  stop(): Promise<void>
}

const restartMs = 300
const stopWithinMs = 20_000

export function supervise(program: Program, env: NodeJS.ProcessEnv, logFile: string): Supervised {
  const log = openSync(logFile, 'a', 0o600)
  const file = fileURLToPath(new URL(`../../${program.file}`, import.meta.url))
  const crashes: string[] = []
  let isAsked = false
  let isStopping = false
  let restart: NodeJS.Timeout | undefined
  let serving = Promise.withResolvers<void>()
  let current = launch()

  function launch(): ChildProcess {
    const child = fork(file, [], {
      env: { ...env, ...program.env },
      execArgv: [],
      stdio: ['ignore', log, log, 'ipc'],
    })
    child.on('message', (message: { ready?: boolean }) => message.ready && serving.resolve())
    child.once('exit', (code, signal) => {
      if (!isAsked && !isStopping) crashes.push(`${program.name} ended by itself (${signal ?? `exit code ${code}`})`)
      isAsked = false
      serving = Promise.withResolvers()
      if (isStopping) return
      restart = setTimeout(() => {
        current = launch()
      }, restartMs)
    })
    return child
  }

  return {
    name: program.name,
    ready: () => serving.promise,
    crashes,
    async kill() {
      isAsked = true
      const exited = once(current, 'exit')
      current.kill('SIGKILL')
      await exited
    },
    async terminate() {
      const startedMs = performance.now()
      isAsked = true
      const exited = once(current, 'exit')
      current.kill('SIGTERM')
      const [code] = await exited
      return { code: code as number | null, ms: Math.round(performance.now() - startedMs) }
    },
    signal: (name) => void current.kill(name),
    async stop() {
      isStopping = true
      clearTimeout(restart)
      if (current.exitCode !== null || current.signalCode !== null) return
      const exited = once(current, 'exit')
      current.kill('SIGTERM')
      const late = setTimeout(() => current.kill('SIGKILL'), stopWithinMs)
      await exited
      clearTimeout(late)
    },
  }
}
