// Programs that mount. Each runs in namespaces of its own, so that its mounts and its children end with it, also after
// kill -9.
import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Opened } from '../world/opened.ts'

const ownNamespaces = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc']

type Place = Pick<Opened, 'onClose'> & { logFile: string; cwd?: string; env?: NodeJS.ProcessEnv }

/** The child leads a group of its own: Ctrl-C in the terminal does not reach it, only the trial ends it. */
export function spawnSealed(program: string, args: readonly string[], { logFile, onClose, ...place }: Place) {
  const stdio = ['ignore', 'pipe', openSync(logFile, 'a', 0o600)] as const
  const child = spawn('unshare', [...ownNamespaces, program, ...args], { ...place, detached: true, stdio: [...stdio] })
  onClose(() => endNow(child))
  return child
}

/** Resolves with what it printed; throws if it fails. */
export async function runSealed(program: string, args: readonly string[], place: Place): Promise<string> {
  const child = spawnSealed(program, args, place)
  const printed = text(child.stdout!)
  const code = await exitCode(child)
  if (code === 0) return printed
  const log = readFileSync(place.logFile, 'utf8').trim().split('\n').slice(-8).join('\n')
  throw new Error(`${program} ${args[0]} failed (exit code ${code})\n${await printed}${log}`)
}

export function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject))
}

async function endNow(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await exitCode(child).catch(() => {})
}
