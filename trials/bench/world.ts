// What the benchmarks share: durable stores of their own, the real API, one organization with nothing to hold it back,
// and the load.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptSecrets } from '../../local/secrets.ts'
import { startPostgres, startRedis } from '../../local/stores.ts'
import { migrate } from '../../ops/migrate.ts'
import { type App, closeApp, openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { type Child, type ChildOptions, startChild } from './child.ts'
import type { LoadOrder, LoadReply } from './processes/load.ts'

export type World = {
  env: NodeJS.ProcessEnv
  /** The doors of the service in this process, to set the scene and to look. */
  app: App
  apiPort: number
  load(order: LoadOrder): Promise<LoadReply>
  /** A further process, stopped at the end if not earlier. */
  start<Order, Reply>(
    file: string,
    options?: { env?: NodeJS.ProcessEnv; args?: string[] },
  ): Promise<Child<Order, Reply>>
  makeOrganization(): Promise<Organization>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: records are looked into field by field
type Made = any
export type Organization = { id: string; key: string; make(path: string, body: object): Promise<Made> }

/** Everything has a limit, so that each is counted, and none is ever met. */
const most = 1_000_000_000
const limits = {
  agents: most,
  calendars: most,
  events: most,
  api_calls: most,
  webhooks: most,
  webhook_deliveries: most,
  ical_subscriptions: most,
}

/** What is open is noted in `opened` at once, so that a failure halfway leaves nothing behind. */
export async function openWorld(profileDir?: string): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-calendar-bench-'))
  const opened: (() => unknown)[] = []
  const close = async () => {
    for (const closeOne of opened.reverse()) await closeOne()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    return await build(dataDir, opened, { close, profileDir })
  } catch (error) {
    await close()
    throw error
  }
}

async function build(
  dataDir: string,
  opened: (() => unknown)[],
  { close, profileDir }: { close(): Promise<void>; profileDir: string | undefined },
): Promise<World> {
  const postgres = await startPostgres({
    dataDir,
    durable: true,
    settings: { track_commit_timestamp: 'on' },
  })
  opened.push(() => postgres.stop('now'))
  const redis = await startRedis({ dataDir, durable: true })
  opened.push(() => redis.stop('now'))
  await migrate(postgres.url)
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...keptSecrets(dataDir, {}),
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    DATA_DIR: dataDir,
    OUTBOUND_TRUSTED_HOSTS: '127.0.0.1',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    PORT: '0',
    METRICS_PORT: '0',
  }
  const start = async <Order, Reply>(file: string, options: ChildOptions = {}) => {
    const child = await startChild<Order, Reply>(file, { profileDir, ...options, env: { ...env, ...options.env } })
    opened.push(() => child.stop())
    return child
  }
  const app = openApp(readConfig(env), { name: 'bench', connections: 4, statementDeadlineMs: 120_000 })
  opened.push(() => closeApp(app))
  const api = await start('api/main.ts')
  const load = await startChild<LoadOrder, LoadReply>('trials/bench/processes/load.ts')
  opened.push(() => load.stop())
  const apiPort = api.ready.port!
  return {
    env,
    app,
    apiPort,
    load: (order) => load.ask(order),
    start,
    async makeOrganization() {
      const owner = { name: 'Bench', email: 'bench@example.com' }
      const body = { ...owner, plan: 'custom', limits, rate_limit_per_second: 1_000_000 }
      const { org, api_key: key } = await post(apiPort, env.ADMIN_TOKEN!, '/v1/admin/orgs', body)
      return { id: org.id, key, make: (path, body) => post(apiPort, key, path, body) }
    },
    close,
  }
}

async function post(port: number, key: string, path: string, body: object): Promise<Made> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** A request as it goes over the wire. */
export function wireRequest(method: string, path: string, options: { key?: string; body?: object } = {}): string {
  const body = options.body ? JSON.stringify(options.body) : ''
  const head = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1']
  if (options.key) head.push(`authorization: Bearer ${options.key}`)
  if (options.body) head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
