// Three nodes with Patroni, and HAProxy before them, as the examples in ops/ set them up.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { startServer } from '../world/programs.ts'
import { haproxyOf, patroniOf, type Timing } from './examples.ts'
import { addressOf, openNetwork, run, subnet } from './network.ts'
import { type Node, openNode } from './node.ts'

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

export type Cluster = {
  nodes: readonly Node[]
  /** The database of the service, through HAProxy. */
  url: string
  /** The same through all hosts, without HAProxy. */
  hostsUrl: string
  members(): Promise<Member[]>
  /** The node that has the lease. */
  primary(): Promise<Node>
  standbys(): Promise<Node[]>
  /** Resolves when there is one leader, and two standbys that stream from it, one of them synchronous. */
  whole(withinMs?: number): Promise<void>
  /** Runs `patronictl` as an operator does; returns what it printed. */
  control(...words: string[]): Promise<string>
  /** Changes settings of `bootstrap.dcs`, which are in etcd by then; without values it sets them back. */
  configure(settings: Record<string, boolean | number | null>): Promise<void>
  /** Runs on one server as its superuser. */
  asSuperuser<T>(node: Node, work: (sql: postgres.Sql) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const names = ['db1', 'db2', 'db3']
const example = (file: string) => readFileSync(new URL(`../../ops/${file}`, import.meta.url), 'utf8')

export async function startCluster(debian: string, dataDir: string, timing?: Timing): Promise<Cluster> {
  const folder = join(debian, 'srv')
  openNetwork(names)
  // A server that is killed loses nothing of it, and nobody waits for the disk of a busy machine.
  run('mount', '-t', 'tmpfs', '-o', 'mode=0711,size=8g', 'none', folder)
  run('chroot', debian, 'mkdir', '-p', '/var/lib/postgresql/18')
  const [superuser, replication, password] = [0, 1, 2].map(() => randomBytes(12).toString('hex')) as [
    string,
    string,
    string,
  ]
  const secrets = { PATRONI_SUPERUSER_PASSWORD: superuser, PATRONI_REPLICATION_PASSWORD: replication }
  const addresses = names.map((_, nth) => addressOf(nth))
  const peers = names.map((name, nth) => `${name}=http://${addresses[nth]}:2380`).join(',')
  const site = { debian, folder, logs: dataDir, secrets, electionMs: timing ? 5_000 : 2_000 }
  const nodes = names.map((name, nth) => {
    const config = patroniOf(example('patroni/patroni.yml'), { name, addresses, subnet, timing })
    return openNode(site, { name, address: addresses[nth]!, config, peers })
  })
  for (const node of nodes) node.start()
  writeFileSync(join(folder, 'haproxy.cfg'), haproxyOf(example('haproxy/haproxy.cfg'), addresses))
  const words = ['-n', '-10', 'chroot', debian, 'haproxy', '-f', '/srv/haproxy.cfg']
  const haproxy = await startServer('nice', words, { port: 5000, logFile: join(dataDir, 'haproxy.log') })

  const cluster: Cluster = {
    nodes,
    url: `postgres://calendar:${password}@127.0.0.1:5000/calendar`,
    hostsUrl: `postgres://calendar:${password}@${addresses.map((address) => `${address}:5432`).join(',')}/calendar`,
    async members() {
      for (const { address } of nodes) {
        const members = await askMembers(address).catch(() => [])
        if (members.length > 0) return members
      }
      return []
    },
    async primary() {
      const name = await within(
        'there is no primary',
        120_000,
        async () => (await cluster.members()).find(({ role, state }) => role === 'leader' && state === 'running')?.name,
      )
      return nodes.find((node) => node.name === name)!
    },
    async standbys() {
      const primary = await cluster.primary()
      return nodes.filter((node) => node !== primary)
    },
    async whole(withinMs = 180_000) {
      await within('the cluster is not whole', withinMs, async () => isWhole(await cluster.members()))
    },
    control: async (...words) => {
      const all = [debian, 'patronictl', '-c', '/srv/db1/patroni.yml', ...words]
      return (await promisify(execFile)('chroot', all, { timeout: 90_000 })).stdout
    },
    async configure(settings) {
      const { address } = await cluster.primary()
      const asked = { method: 'PATCH', body: JSON.stringify(settings), signal: AbortSignal.timeout(5_000) }
      const { status } = await fetch(`http://${address}:8008/config`, asked)
      if (status !== 200) throw new Error(`Patroni refused ${JSON.stringify(settings)}: ${status}`)
    },
    async asSuperuser({ address }, work) {
      const sql = postgres(`postgres://postgres:${superuser}@${address}:5432/postgres`, { max: 1, onnotice: () => {} })
      return work(sql).finally(() => sql.end({ timeout: 1 }))
    },
    async stop() {
      await haproxy.stop()
      await Promise.all(nodes.map((node) => node.kill()))
    },
  }
  try {
    await cluster.whole()
    await cluster.asSuperuser(await cluster.primary(), async (sql) => {
      await sql.unsafe(`create role calendar login password '${password}' in role pg_monitor`)
      await sql.unsafe('create database calendar owner calendar')
    })
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

async function askMembers(address: string): Promise<Member[]> {
  const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
  return answer.ok ? ((await answer.json()) as { members: Member[] }).members : []
}

function isWhole(members: readonly Member[]): boolean {
  const leader = members.find(({ role }) => role === 'leader')
  const following = members.filter(
    ({ role, state, timeline }) => role !== 'leader' && state === 'streaming' && timeline === leader?.timeline,
  )
  const isSafe = members.some(({ role }) => role === 'sync_standby' || role === 'quorum_standby')
  return leader?.state === 'running' && following.length === names.length - 1 && isSafe
}

export async function within<T>(trouble: string, ms: number, look: () => Promise<T | undefined | false>): Promise<T> {
  const until = performance.now() + ms
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > until) throw new Error(`${trouble} within ${ms / 1000} s`)
    await pause(200)
  }
}
