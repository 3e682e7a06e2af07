// Servers from the system's packages that the trials use: found on PATH, run in the foreground on 127.0.0.1, ended by
// their pid.
import { spawn } from 'node:child_process'
import { accessSync, constants, openSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { endChild, hasEnded } from '../../local/children.ts'

export type Server = {
  pid: number
  port: number
  /** kill -9; resolves when it has ended. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const extraDirs = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin']
const stopWithinMs = 10_000

/** Throws the line that says what to install. */
export function findProgram(name: string, debianPackage: string): string {
  for (const directory of [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...extraDirs]) {
    const file = join(directory, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {}
  }
  throw new Error(`${name} is missing: install the package ${debianPackage}`)
}

type Launch = {
  port: number
  logFile: string
  signal?: NodeJS.Signals
  account?: { uid?: number; gid?: number }
  /** Variables in addition to those of this process. */
  env?: Record<string, string>
}

/** Resolves when it accepts connections. `signal` is the one that asks it to end. */
export async function startServer(program: string, args: readonly string[], launch: Launch): Promise<Server> {
  const { port, logFile, signal = 'SIGTERM', account, env } = launch
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(program, args, {
    ...account,
    cwd: '/',
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  })
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const until = performance.now() + 20_000
  while (!(await isAccepting(port))) {
    if (failure || hasEnded(child) || performance.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`${program} did not start: ${failure?.message ?? `see ${logFile}`}`)
    }
    await pause(30)
  }
  const end = async (how: NodeJS.Signals) => void (await endChild(child, how, stopWithinMs))
  return { pid: child.pid!, port, kill: () => end('SIGKILL'), stop: () => end(signal) }
}

function isAccepting(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      settle(true)
    })
    socket.setTimeout(500, () => socket.destroy())
    socket.on('error', () => settle(false))
    socket.on('close', () => settle(false))
  })
}
