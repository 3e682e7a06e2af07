// One machine of the cluster: etcd, Patroni and its Postgres, in a network namespace and on files of their own.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pidsIn, run } from './network.ts'

export type Node = {
  name: string
  address: string
  /** Starts what does not run. */
  start(): void
  /** kill -9 of all of it, as if the machine were lost. */
  kill(): Promise<void>
  /** kill -9 of Patroni and Postgres; etcd keeps its majority. */
  killServers(): Promise<void>
  postmaster(): number | undefined
  /** The processes of Patroni and Postgres whose command line matches. */
  pids(command?: RegExp): number[]
  etcd(): number[]
  /** The connections of the service that Postgres serves. */
  serverProcesses(): number
}

type Site = { debian: string; folder: string; logs: string; secrets: Record<string, string>; electionMs: number }

const account = 'postgres:postgres'

/** `config`: of Patroni. `peers`: of etcd, as `name=url` with commas. */
export function openNode(
  site: Site,
  { name, address, config, peers }: { name: string; address: string; config: string; peers: string },
): Node {
  const { debian, folder } = site
  const own = join(folder, name)
  for (const part of ['data', 'etcd']) mkdirSync(join(own, part), { recursive: true, mode: 0o700 })
  writeFileSync(join(own, 'patroni.yml'), config)
  // The folder of the trial is /srv inside.
  run('chroot', debian, 'chown', '-R', account, `/srv/${name}`)
  const mounts = [
    ...[
      `mount -t proc none ${debian}/proc`,
      `mount -t tmpfs none ${debian}/dev/shm`,
      `mount -t tmpfs none ${debian}/run`,
    ],
    ...[`mkdir ${debian}/run/postgresql`, `chroot ${debian} chown ${account} /run/postgresql`],
    ...[`chmod 1777 ${debian}/dev/shm`, `mount --bind ${own}/data ${debian}/var/lib/postgresql/18`],
  ].join(' && ')
  const launch = (program: string, words: readonly string[]) => {
    const log = openSync(join(site.logs, `${name}-${program}.log`), 'a', 0o600)
    const script = `${mounts} && exec chroot --userspec=${account} ${debian} ${program} "$@"`
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...site.secrets }
    // The machines of a cluster do not share their processors with the load.
    spawn('nice', ['-n', '-10', 'ip', 'netns', 'exec', name, 'sh', '-c', script, 'sh', ...words], {
      stdio: ['ignore', log, log],
      env,
      cwd: '/',
    })
  }
  const commands = () => pidsIn(name).map((pid) => [pid, commandOf(pid)] as const)
  const node: Node = {
    name,
    address,
    start() {
      const running = commands().map(([, command]) => command)
      if (!running.some(isEtcd)) launch('etcd', etcdWords(site, { name, address, peers }))
      if (!running.some((command) => command.includes('patroni'))) launch('patroni', [`/srv/${name}/patroni.yml`])
    },
    kill: () => endAll(() => pidsIn(name)),
    killServers: () => endAll(() => node.pids()),
    postmaster() {
      const file = join(own, 'data/calendar/postmaster.pid')
      return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
    },
    pids: (command = /./) => commands().flatMap(([pid, line]) => (command.test(line) && !isEtcd(line) ? [pid] : [])),
    etcd: () => commands().flatMap(([pid, line]) => (isEtcd(line) ? [pid] : [])),
    serverProcesses() {
      const pids = childrenOf(node.postmaster())
      return pids.filter((pid) => /^postgres: .*calendar calendar 10\./.test(commandOf(pid))).length
    },
  }
  return node
}

const isEtcd = (command: string) => command.startsWith('etcd')

/** Patient: the machine of the trial may be busy. */
function etcdWords({ electionMs }: Site, { name, address, peers }: { name: string; address: string; peers: string }) {
  const [client, peer] = [`http://${address}:2379`, `http://${address}:2380`]
  const words = {
    name,
    'data-dir': `/srv/${name}/etcd/data`,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': peers,
    'heartbeat-interval': electionMs / 10,
    'election-timeout': electionMs,
  }
  return Object.entries(words).map(([word, value]) => `--${word}=${value}`)
}

/** Without another process: the trial looks every second. */
function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

async function endAll(alive: () => number[]): Promise<void> {
  for (let pids = alive(); pids.length > 0; pids = alive()) {
    pids.forEach(end)
    await pause(50)
  }
}

/** Processes that have ended are skipped. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
