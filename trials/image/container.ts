// Programs in the files of the image, as a container runs them: the files are read-only, /tmp is in memory, the program
// is process 1, its user has no rights. The network is that of the machine.
import type { ChildProcess } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Opened } from '../world/opened.ts'
import type { ImageConfig } from './builder.ts'
import { exitCode, spawnSealed } from './sealed.ts'

const script = `set -e
root=$1 user=$2 directory=$3
shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o size=1m,mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
exec setpriv --no-new-privs unshare --root="$root" --wd="$directory" --setgid="$user" --setuid="$user" -- "$@"`

export type Container = {
  /** All that it printed, once it has ended. */
  printed: Promise<string>
  /** Its exit code. */
  ended: Promise<number | null>
  hasEnded(): boolean
  /** A field of its /proc/<pid>/status. */
  status(field: string): string
  /** SIGTERM, as engines send it. */
  stop(): Promise<{ code: number | null; ms: number }>
}

export type Engine = {
  run(command: readonly string[], env: Record<string, string>): Promise<{ code: number | null; printed: string }>
  start(command: readonly string[], env: Record<string, string>): Container
}

/** Of an image that was written into the folder `root`. */
export function openEngine({ dataDir, onClose }: Opened, root: string, config: ImageConfig): Engine {
  for (const file of ['hosts', 'resolv.conf']) copyFileSync(`/etc/${file}`, join(root, 'etc', file))
  const own = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2)))
  const [user = ''] = config.User.split(':')
  const start = (command: readonly string[], env: Record<string, string>): Container => {
    const place = { logFile: join(dataDir, 'containers.log'), onClose, env: { ...own, ...env } }
    const child = spawnSealed('sh', ['-c', script, 'sh', root, user, config.WorkingDir, ...command], place)
    const ended = exitCode(child)
    return {
      ...{ printed: text(child.stdout!), ended },
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      status: (field) => statusOf(mainPid(child), field),
      async stop() {
        const startedMs = performance.now()
        process.kill(mainPid(child), 'SIGTERM')
        return { code: await ended, ms: performance.now() - startedMs }
      },
    }
  }
  return {
    start,
    async run(command, env) {
      const { printed, ended } = start(command, env)
      return { code: await ended, printed: await printed }
    },
  }
}

/** Process 1 of the container, by its number outside. */
function mainPid(child: ChildProcess): number {
  return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim())
}

const statusOf = (pid: number, field: string) =>
  new RegExp(`^${field}:[ \\t]*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
