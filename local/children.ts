// Supervises one process of the service: once it has been ready, it is started again whenever it ends unexpectedly.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { StopManner } from './store.ts'

export type ChildCommand = { name: string; file: string; args?: readonly string[]; env?: NodeJS.ProcessEnv }

/** The message that a child sends over IPC when it serves. A child ends by itself on `disconnect`, when the supervisor is gone. */
export type Ready = { ready: true; metricsPort?: number }

export type Child = {
  name: string
  /** Resolves when it serves for the first time; rejects with one line if it ends before. */
  ready: Promise<Ready>
  /** SIGTERM and up to 15 s, then SIGKILL; `now`: SIGKILL. */
  stop(manner?: StopManner): Promise<void>
  /** Ends it in order, and starts it again at once. */
  restart(): Promise<void>
  /** Sends a message to the process that runs now; one that starts after it does not get it. */
  tell(message: object): void
}

const readyWithinMs = 60_000
const firstBackoffMs = 200
const maxBackoffMs = 5000
/** After this time it counts as healthy, and the next restart is quick again. */
const healthyAfterMs = 10_000

export function superviseChild(command: ChildCommand, env: NodeJS.ProcessEnv): Child {
  const ready = Promise.withResolvers<Ready>()
  ready.promise.catch(() => {})
  const fail = (how: string) => ready.reject(new Error(`${command.name} ${how}`))
  const deadline = setTimeout(() => fail(`was not ready within ${readyWithinMs / 1000} s`), readyWithinMs)
  let wasReady = false
  let isStopping = false
  let isRestarting = false
  let backoffMs = firstBackoffMs
  let restart: NodeJS.Timeout | undefined
  let current = launch()

  function launch(): ChildProcess {
    const startedMs = performance.now()
    const child = forkChild(command, env)
    child.on('message', (message: Partial<Ready>) => {
      if (message?.ready !== true) return
      wasReady = true
      clearTimeout(deadline)
      ready.resolve(message as Ready)
    })
    child.once('error', (error) => fail(`did not start: ${error.message}`))
    child.once('exit', (code, signal) => {
      if (isStopping) return
      if (isRestarting) {
        isRestarting = false
        current = launch()
        return
      }
      const cause = signal ?? `exit code ${code}`
      if (!wasReady) return fail(`did not start (${cause})`)
      if (performance.now() - startedMs > healthyAfterMs) backoffMs = firstBackoffMs
      console.error(`${command.name} ended unexpectedly (${cause}), starting again in ${backoffMs} ms`)
      restart = setTimeout(() => {
        current = launch()
      }, backoffMs)
      backoffMs = Math.min(backoffMs * 2, maxBackoffMs)
    })
    return child
  }

  async function stop(manner: StopManner = 'clean') {
    isStopping = true
    clearTimeout(restart)
    clearTimeout(deadline)
    await endChild(current, manner === 'now' ? 'SIGKILL' : 'SIGTERM')
  }
  /** A child that is about to start, or to end, loads the new files anyway. */
  async function restartNow() {
    if (isStopping || isRestarting || !wasReady || hasEnded(current)) return
    isRestarting = true
    await endChild(current)
  }
  function tell(message: object) {
    // A process that ends at this moment needs no message.
    if (current.connected) current.send(message, () => {})
  }
  return { name: command.name, ready: ready.promise, stop, restart: restartNow, tell }
}

/** Outside the terminal's process group: Ctrl-C reaches only the supervisor, which stops its children in order. */
function forkChild({ file, args = [], env: extra }: ChildCommand, env: NodeJS.ProcessEnv): ChildProcess {
  return fork(file, [...args], {
    detached: true,
    env: { ...env, ...extra },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** Sends `signal`, and SIGKILL after `withinMs`. Returns its exit code, null when a signal ended it. */
export async function endChild(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
  withinMs = 15_000,
): Promise<number | null> {
  if (hasEnded(child) || child.pid === undefined) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  const deadline = setTimeout(() => child.kill('SIGKILL'), withinMs)
  const [code] = await exited
  clearTimeout(deadline)
  return code
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null
