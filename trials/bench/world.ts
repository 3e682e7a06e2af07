// The common parts of the benchmarks: the service on durable stores, its own doors in this process, and the load.
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { type App, closeApp, openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Sql } from '../../src/stores/postgres.ts'
import { callOf, makeOrganization, type Organization } from '../world/client.ts'
import { type Installation, openInstallation } from '../world/installation.ts'
import { type Closable, openAll } from '../world/opened.ts'
import { type Child, type ChildOptions, startChild } from './child.ts'
import { cpuMsOf } from './cpu.ts'
import type { LoadOrder, LoadReply } from './processes/load.ts'

type Start = <Order, Reply>(file: string, options?: ChildOptions) => Promise<Child<Order, Reply>>

export type World = Installation &
  Closable & {
    /** The doors of the service in this process, to set the scene and to look. */
    app: App
    apiPort: number
    load(order: LoadOrder): Promise<LoadReply>
    /** The same, with milliseconds of processor time per answer of the stores and the process `pid`. */
    weighedLoad(pid: number, order: LoadOrder): Promise<LoadReply & { cpuMs?: number }>
    /** Milliseconds of processor time that the stores and these processes have used; undefined if the system does not count it. */
    cpuMs(...pids: readonly number[]): number | undefined
    /** The API process. */
    apiPid(): number
    /** Another process with the same environment, stopped at the end if not earlier. */
    start: Start
    /** A queue in addition to those of the service, for a baseline. */
    openQueue(name: string): Queue
    makeOrganization(): Promise<Organization>
  }

/** Everything has a limit, so that each is counted, and none is ever met. */
const max = 1_000_000_000
const limits = {
  agents: max,
  calendars: max,
  events: max,
  api_calls: max,
  webhooks: max,
  webhook_deliveries: max,
  ical_subscriptions: max,
}
const mb = 1024 * 1024
const logFileBytes = 16 * mb
const keptLogBytes = 1024 * mb

/**
 * Autovacuum comes once a minute, as by default. Every ten seconds, it would take a third of the time of some rounds, from whichever
 * side is at work then.
 */
const postgresSettings = {
  track_commit_timestamp: 'on',
  autovacuum_naptime: '60s',
  min_wal_size: `${keptLogBytes / mb}MB`,
}

type WorldOptions = {
  /** The processes leave their CPU profiles there. */
  profileDir?: string | undefined
  /** In addition to those of every world. */
  postgresSettings?: Record<string, string | number>
  env?: Record<string, string>
}

export const openWorld = ({ profileDir, postgresSettings: more, env: moreEnv }: WorldOptions = {}): Promise<World> =>
  openAll('bench', async (opened) => {
    const execArgv = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []
    const env = { LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn', ...moreEnv }
    const settings = { ...postgresSettings, ...more }
    const options = { workers: 0, durable: true, postgresSettings: settings, env, execArgv }
    const installation = await openInstallation(opened, options)
    const start: Start = async (file, options = {}) => {
      const own = { ...installation.env, PORT: '0', METRICS_PORT: '0', ...options.env }
      const child = await startChild<never, never>(file, { execArgv, ...options, env: own })
      opened.onClose(() => child.stop())
      return child
    }
    const app = openApp(readConfig(installation.env), { name: 'bench', connections: 4, statementDeadlineMs: 120_000 })
    opened.onClose(() => closeApp(app))
    await makeLogFiles(app.sql)
    const load = await start<LoadOrder, LoadReply>('trials/bench/processes/load.ts', { execArgv: [] })
    const storePids = (['postgres', 'redis'] as const).map((name) => installation.store(name).pid)
    const cpuMs: World['cpuMs'] = (...pids) => cpuMsOf([...storePids, ...pids])
    return {
      ...installation,
      app,
      apiPort: installation.apis[0]!.port,
      load: (order) => load.ask(order),
      async weighedLoad(pid, order) {
        const before = cpuMs(pid)
        const reply = await load.ask(order)
        return { ...reply, cpuMs: each(before, cpuMs(pid), reply.answers) }
      },
      cpuMs,
      apiPid: () => installation.apis[0]!.pid(),
      start,
      openQueue(name) {
        const connection = new Redis(installation.env.REDIS_URL!)
        const queue = new Queue(name, { connection, skipVersionCheck: true })
        opened.onClose(() => queue.close().then(() => connection.disconnect()))
        return queue
      },
      makeOrganization: () => makeOrganization(callOf(installation.baseUrls[0]), installation.adminToken, { limits }),
    }
  })

/**
 * Files of Postgres' log to write over, as a server in use has them. A new server fills each file with zeros first, a tenth of its
 * processor time while a benchmark writes.
 */
async function makeLogFiles(sql: Sql): Promise<void> {
  for (let made = 0; made < keptLogBytes; made += logFileBytes) {
    await sql`select pg_logical_emit_message(false, 'bench', '')`
    await sql`select pg_switch_wal()`
  }
  await sql`checkpoint`
}

/** Processor time per operation, from the values of `cpuMs` before and after. */
export const each = (before: number | undefined, after: number | undefined, operations: number): number | undefined =>
  before === undefined || after === undefined ? undefined : (after - before) / operations

type WireOptions = { key?: string; body?: object; headers?: Record<string, string> }

/** A request as it goes over the wire. */
export function wireRequest(method: string, path: string, options: WireOptions = {}): string {
  const body = options.body ? JSON.stringify(options.body) : ''
  const head = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1']
  if (options.key) head.push(`authorization: Bearer ${options.key}`)
  if (options.body) head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  for (const [name, value] of Object.entries(options.headers ?? {})) head.push(`${name}: ${value}`)
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
