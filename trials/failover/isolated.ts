// Runs a program of this trial in namespaces of its own: its network, its mounts and its processes are gone when it has
// ended, however it ends.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aborted, listenForStop } from '../../local/stopSignals.ts'

// The shell is the first process: it reaps servers that have lost their parent.
const inside = [
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  'bash',
  '-c',
  '"$@"; exit $?',
  '-',
]

/** Returns its exit code. The folder of its files stays only if something was wrong. */
export async function runIsolated(file: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-calendar-failover-'))
  chmodSync(folder, 0o711)
  const child = fork(file, [...words], {
    execPath: 'unshare',
    execArgv: [...inside, process.execPath],
    env: { ...process.env, ...env, TMPDIR: folder },
    detached: true,
  })
  const { requested, forced } = listenForStop()
  aborted(requested).then(() => child.connected && child.send('stop'))
  aborted(forced).then(() => child.kill('SIGKILL'))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code === 0 || requested.aborted) rmSync(folder, { recursive: true, force: true })
  return code ?? 1
}

/** For the program itself: the other side asks it to stop, or is gone. */
export function obeyOutside(): void {
  process.on('message', (word) => word === 'stop' && process.kill(process.pid, 'SIGINT'))
  process.on('disconnect', () => process.exit(1))
}
