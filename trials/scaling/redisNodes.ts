// Redis beyond one server, on 127.0.0.1: a cluster of three masters with a replica each, and a master with its replica
// watched by three sentinels.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../local/ports.ts'
import { findProgram, type Server, startServer } from '../world/programs.ts'

export type RedisNodes = {
  url: string
  /** By port; a killed node can be started again on the same port. */
  nodes: Map<number, Server>
  restart(port: number): Promise<void>
  /** Runs a command such as `ROLE` on one node. */
  ask(port: number, ...command: string[]): string
  stop(): Promise<void>
}

const password = 'of-the-trials'
const masterName = 'calendar'
/** After this silence the other nodes count a node as lost. */
const lostAfterMs = 2_000

function openNodes(dataDir: string) {
  const program = findProgram('redis-server', 'redis-server')
  const nodes = new Map<number, Server>()
  const configs = new Map<number, { text: string; sentinel: boolean }>()

  const ask = (port: number, ...command: string[]) =>
    spawnSync(
      findProgram('redis-cli', 'redis-tools'),
      ['-p', String(port), '--no-auth-warning', '-a', password, ...command],
      {
        encoding: 'utf8',
        timeout: 20_000,
      },
    ).stdout.trim()

  async function start(port: number, text: string, sentinel = false) {
    const directory = join(dataDir, `redis-${port}`)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const file = join(directory, 'redis.conf')
    const common = `bind 127.0.0.1\nport ${port}\ndir "${directory}"\ndaemonize no\n`
    // A sentinel writes what it learns into this file, so a restart keeps it.
    if (!configs.has(port)) writeFileSync(file, common + text, { mode: 0o600 })
    configs.set(port, { text, sentinel })
    const args = sentinel ? [file, '--sentinel'] : [file]
    nodes.set(port, await startServer(program, args, { port, logFile: join(dataDir, `redis-${port}.log`) }))
  }

  return {
    nodes,
    ask,
    start,
    async restart(port: number) {
      const { text, sentinel } = configs.get(port)!
      await start(port, text, sentinel)
    },
    async stop() {
      await Promise.all([...nodes.values()].map((server) => server.stop()))
    },
  }
}

const dataSettings = `
requirepass ${password}
masterauth ${password}
save ""
appendonly yes
appendfsync everysec
maxmemory-policy noeviction
`

/** The first three ports are the masters. */
export async function startCluster(dataDir: string): Promise<RedisNodes & { masters: number[] }> {
  const { nodes, ask, start, restart, stop } = openNodes(dataDir)
  const ports = await freePorts(6)
  const settings = `${dataSettings}cluster-enabled yes\ncluster-config-file nodes.conf\ncluster-node-timeout ${lostAfterMs}\n`
  await Promise.all(ports.map((port) => start(port, settings)))
  const addresses = ports.map((port) => `127.0.0.1:${port}`)
  ask(ports[0]!, '--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes')
  await until(() => ports.every((port) => ask(port, 'cluster', 'info').includes('cluster_state:ok')))
  const url = `redis+cluster://:${password}@${addresses.join(',')}`
  return { url, nodes, masters: ports.slice(0, 3), ask, restart, stop }
}

/** The first port is the master's. */
export async function startSentinel(
  dataDir: string,
): Promise<RedisNodes & { master: number; currentMaster(): number }> {
  const { nodes, ask, start, restart, stop } = openNodes(dataDir)
  const [master, replica, ...sentinels] = (await freePorts(5)) as [number, number, ...number[]]
  await start(master, dataSettings)
  await start(replica, `${dataSettings}replicaof 127.0.0.1 ${master}\n`)
  const watching = `
requirepass ${password}
sentinel monitor ${masterName} 127.0.0.1 ${master} 2
sentinel auth-pass ${masterName} ${password}
sentinel down-after-milliseconds ${masterName} ${lostAfterMs}
sentinel failover-timeout ${masterName} 6000
`
  for (const port of sentinels) await start(port, watching, true)
  const told = () => Number(ask(sentinels[0]!, 'sentinel', 'get-master-addr-by-name', masterName).split('\n')[1])
  await until(() => /num-slaves\n1\n/.test(ask(sentinels[0]!, 'sentinel', 'master', masterName)))
  const list = sentinels.map((port) => `127.0.0.1:${port}`).join(',')
  const url = `redis+sentinel://:${password}@${list}/${masterName}?sentinel_password=${password}`
  return { url, nodes, master, currentMaster: told, ask, restart, stop }
}

/** A cluster's nodes also listen 10,000 above their port. */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = await freePort()
    if (port < 50_000) ports.add(port)
  }
  return [...ports]
}

async function until(isSo: () => boolean): Promise<void> {
  const latest = performance.now() + 30_000
  while (!isSo()) {
    if (performance.now() > latest) throw new Error('the Redis servers did not find each other within 30 s')
    await pause(100)
  }
}
