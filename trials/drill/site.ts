// The service under the drill, whole and real: Postgres, Redis, an API process, two workers, a receiver of webhooks, a
// mail server that may be away, both exporters and Prometheus.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '../../local/ports.ts'
import { startPostgres } from '../../local/postgres.ts'
import { keptSecrets } from '../../local/secrets.ts'
import type { Store } from '../../local/store.ts'
import { startRedis } from '../../local/stores.ts'
import { migrate } from '../../ops/migrate.ts'
import type { Answer } from '../../src/testing/answer.ts'
import { type Caller, callerOf } from '../../src/testing/http.ts'
import { openReceiver, type Receiver } from '../../src/testing/receiver.ts'
import { openWay } from '../../src/testing/wayToPostgres.ts'
import { onDatabase } from '../../tools/test/template.ts'
import { startNodeExporter, startPostgresExporter } from './exporters.ts'
import { type Load, startLoad } from './load.ts'
import { openProcesses, type Processes } from './processes.ts'
import { type Prometheus, startPrometheus } from './server.ts'
import { shortenedRules } from './shortened.ts'
import { mountSmallDisk, type SmallDisk } from './smallDisk.ts'

export type Site = {
  dataDir: string
  call: Caller
  key: string
  /** POST with the organization's key; throws unless that succeeds. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into field by field
  create(path: string, body: object): Promise<any>
  calendarIds: string[]
  postgres: Store
  /** Between the processes and Postgres: what goes wrong on it can be caused. */
  wayToPostgres: Awaited<ReturnType<typeof openWay>>
  redis: Store
  /** The drill's own way into the service's database, as its owner. */
  sql: postgres.Sql
  /** The same server, where nobody is turned away. */
  server: postgres.Sql
  receiver: Receiver
  /** Nobody listens there, until a cause has somebody do so. */
  smtpPort: number
  processes: Processes
  /** Beside the one that goes on all the time. */
  startLoad(storiesPerSecond: number): Load
  /** The workers' DATA_DIR is on it; undefined where nothing can be mounted. */
  disk: SmallDisk | undefined
  prometheus: Prometheus
  close(keepFiles: boolean): Promise<void>
}

const calendarCount = 8
const storiesPerSecond = 4
/** A scrape takes up to two seconds while a store hangs. */
const everySeconds = 3
/** What the processes of the drill take, and little more. */
const maxConnections = 60

/** What is open is noted in `opened` at once, so that a failure halfway leaves nothing behind. */
export async function openSite(): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-calendar-drill-'))
  const opened: (() => unknown)[] = []
  const close = async (keepFiles: boolean) => {
    for (const closeOne of opened.reverse()) await closeOne()
    if (!keepFiles) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    return await build(dataDir, opened, close)
  } catch (error) {
    await close(false)
    throw error
  }
}

type Opened = (() => unknown)[]

async function build(dataDir: string, opened: Opened, close: Site['close']): Promise<Site> {
  const stores = await openStores(dataDir, opened)
  const disk = tryMount()
  if (disk) opened.push(() => disk.remove())
  const secrets = keptSecrets(dataDir, {})
  const smtpPort = await freePort()
  const env = {
    ...process.env,
    ...secrets,
    DATABASE_URL: stores.wayToPostgres.url,
    REDIS_URL: stores.redis.url,
    DATA_DIR: disk?.directory ?? dataDir,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    OUTBOUND_TRUSTED_HOSTS: '127.0.0.1',
  }
  const processes = await openProcesses(env, dataDir)
  opened.push(() => processes.stop())
  await processes.ready()
  const receiver = await openReceiver()
  opened.push(() => receiver.close())
  const call = callerOf(processes.baseUrl)
  const key = await makeOrganization(call, secrets.ADMIN_TOKEN)
  const create: Site['create'] = (path, body) => made(call('POST', path, { key, body }))
  const calendarIds = await makeCalendars(create, receiver)
  const beginLoad = (rate: number) => startLoad({ call, key, calendarIds }, rate)
  const load = beginLoad(storiesPerSecond)
  opened.push(() => load.stop())
  const prometheus = await openPrometheus({ dataDir, opened }, stores, processes)
  const service = { processes, receiver, smtpPort, disk, prometheus }
  return { dataDir, ...stores, ...service, call, key, create, calendarIds, startLoad: beginLoad, close }
}

async function openStores(dataDir: string, opened: Opened) {
  const store = await startPostgres({ dataDir, durable: false, settings: { max_connections: maxConnections } })
  opened.push(() => store.stop('now'))
  const wayToPostgres = await openWay(store.url)
  opened.push(() => wayToPostgres.close())
  const redis = await startRedis({ dataDir, durable: false })
  opened.push(() => redis.stop('now'))
  await migrate(store.url)
  const sql = connect(store.url)
  const server = connect(onDatabase(store.url, 'postgres'))
  opened.push(() => Promise.all([sql.end({ timeout: 1 }), server.end({ timeout: 1 })]))
  return { postgres: store, wayToPostgres, redis, sql, server }
}

/** With what it asks beside the service. */
async function openPrometheus(
  { dataDir, opened }: { dataDir: string; opened: Opened },
  { postgres: store, sql }: Pick<Site, 'postgres' | 'sql'>,
  { metricsPorts }: Processes,
): Promise<Prometheus> {
  const nodeExporter = await startNodeExporter(dataDir)
  opened.push(() => nodeExporter.stop())
  const postgresExporter = await startPostgresExporter(dataDir, await makeObserver(sql, store))
  opened.push(() => postgresExporter.stop())
  const jobs = {
    'calendar-api': [metricsPorts.api],
    'calendar-worker': metricsPorts.workers,
    'postgres-host': [nodeExporter.port],
    postgres: [postgresExporter.port],
  }
  const prometheus = await startPrometheus({ rules: shortenedRules(), jobs, everySeconds })
  opened.push(() => prometheus.stop())
  return prometheus
}

const connect = (url: string) =>
  postgres(url, { max: 2, fetch_types: false, onnotice: () => undefined, connection: { application_name: 'drill' } })

function tryMount(): SmallDisk | undefined {
  try {
    return mountSmallDisk()
  } catch {
    return undefined
  }
}

async function made(calling: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await calling
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

async function makeOrganization(call: Caller, adminToken: string): Promise<string> {
  const body = { name: 'Drill', email: 'drill@example.com', plan: 'custom', rate_limit_per_second: 100_000 }
  const { api_key } = await made(call('POST', '/v1/admin/orgs', { key: adminToken, body }))
  return api_key
}

/** And a webhook for what happens on them. */
async function makeCalendars(create: Site['create'], receiver: Receiver): Promise<string[]> {
  await create('/v1/webhooks', { url: receiver.url, events: ['event.created', 'event.started'] })
  const names = Array.from({ length: calendarCount }, (_, nth) => `Drill ${nth}`)
  const calendars = names.map((name) => create('/v1/calendars', { name, timezone: 'UTC' }))
  return (await Promise.all(calendars)).map(({ id }) => id)
}

/** The exporter's role, as its manual wants it: no superuser, which has connections kept for it. */
async function makeObserver(sql: postgres.Sql, { url }: Store): Promise<string> {
  await sql`create role observer login password 'observer' in role pg_monitor`
  const own = new URL(url)
  own.username = 'observer'
  own.password = 'observer'
  return own.href
}
