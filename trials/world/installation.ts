// The whole service as it runs: stores of its own, the real entry files in processes of their own, on the real clock
// and on 127.0.0.1.
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '../../local/ports.ts'
import { startPostgres } from '../../local/postgres.ts'
import { startRedis } from '../../local/redis.ts'
import { keptSecrets } from '../../local/secrets.ts'
import type { Store, StoreName } from '../../local/store.ts'
import { migrate } from '../../ops/migrate.ts'
import type { Opened } from './opened.ts'
import { type Program, type Supervised, supervise } from './supervise.ts'

/** A server that stands in for another, for the service or its callers. */
export type Front = { url: string; stop(): unknown }

export type InstallationOptions = {
  apis?: number
  workers?: number
  /** Otherwise the stores are faster, and a crash may lose everything. */
  durable?: boolean
  postgresSettings?: Record<string, string | number>
  /** Variables of every process in addition to the usual ones. */
  env?: Record<string, string>
  execArgv?: readonly string[]
  /** The folder of the code that is migrated to and started; without it, this repository. */
  root?: string
  /** The operator's steps between the migration and the first process. */
  prepare?(env: NodeJS.ProcessEnv): void
  /** In place of the one Postgres server: `url` leads to an empty database. */
  postgres?(dataDir: string): Promise<Front>
  /** In place of the one Redis server. */
  redis?(dataDir: string): Promise<Front>
  /** In front of Postgres. */
  pooler?(databaseUrl: string): Promise<Front>
  /** In front of the API processes: clients call its one address. */
  balancer?(apiPorts: readonly number[], dataDir: string): Promise<Front>
}

type ServiceProcess = Supervised & { port: number; metricsPort: number }

export type Installation = {
  /** Of every process. A process that starts later sees a change. */
  env: NodeJS.ProcessEnv
  adminToken: string
  apis: readonly ServiceProcess[]
  workers: readonly ServiceProcess[]
  /** Where clients call: the balancer, or each API process. */
  baseUrls: readonly [string, ...string[]]
  /** Throws if it was replaced. */
  store(name: StoreName): Store
  /** Starts a stopped store again, on the same port. */
  restartStore(name: StoreName): Promise<void>
  /** The trial's own way into a database of the server, past any pooler. The caller ends it. */
  connect(database?: string): postgres.Sql
  /** Opens such a way for `work` alone. */
  withSql<T>(work: (sql: postgres.Sql) => Promise<T>, database?: string): Promise<T>
}

/** Resolves when every process serves. */
export async function openInstallation(opened: Opened, options: InstallationOptions = {}): Promise<Installation> {
  const stores = await openStores(opened, options)
  const secrets = keptSecrets(opened.dataDir, {})
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...secrets,
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    DATA_DIR: opened.dataDir,
    OUTBOUND_TRUSTED_HOSTS: '127.0.0.1',
    ...options.env,
  }
  options.prepare?.(env)
  const { execArgv, root } = options
  const startAll = async (name: string, file: Program['file'], count = 1) => {
    const started: ServiceProcess[] = []
    while (started.length < count) {
      started.push(await startProcess(opened, { name: `${name}-${started.length + 1}`, file, env, execArgv, root }))
    }
    return started
  }
  const apis = await startAll('api', 'api/main.ts', options.apis)
  const workers = await startAll('worker', 'workers/main.ts', options.workers)
  await Promise.all([...apis, ...workers].map((process) => process.ready()))

  const ports = apis.map(({ port }) => port)
  const balancer = await options.balancer?.(ports, opened.dataDir)
  if (balancer) opened.onClose(() => balancer.stop())
  const baseUrls = balancer ? [balancer.url] : ports.map((port) => `http://127.0.0.1:${port}`)
  const { store, restartStore } = stores
  const connect = (database?: string) => connectTo(stores.serverUrl, database)
  return {
    ...{ env, adminToken: secrets.ADMIN_TOKEN, apis, workers },
    baseUrls: baseUrls as [string, ...string[]],
    ...{ store, restartStore, connect },
    async withSql(work, database) {
      const sql = connect(database)
      return work(sql).finally(() => sql.end({ timeout: 1 }))
    },
  }
}

async function openStores(opened: Opened, options: InstallationOptions) {
  const { durable = false, postgresSettings: settings } = options
  const running: Partial<Record<StoreName, Store>> = {}
  const start = async (name: StoreName, port?: number) => {
    const place = { dataDir: opened.dataDir, durable, port }
    running[name] = name === 'postgres' ? await startPostgres({ ...place, settings }) : await startRedis(place)
  }
  const open = async (name: StoreName) => {
    await start(name)
    opened.onClose(() => running[name]?.stop('now'))
  }
  const store = (name: StoreName) => {
    const found = running[name]
    if (!found) throw new Error(`this installation has no ${name} server of its own`)
    return found
  }
  const postgres = await options.postgres?.(opened.dataDir)
  if (postgres) opened.onClose(() => postgres.stop())
  else await open('postgres')
  const serverUrl = postgres?.url ?? store('postgres').url
  const redis = await options.redis?.(opened.dataDir)
  if (redis) opened.onClose(() => redis.stop())
  else await open('redis')
  await migrate(serverUrl, options.root && join(options.root, 'migrations'))
  const pooler = await options.pooler?.(serverUrl)
  if (pooler) opened.onClose(() => pooler.stop())
  return {
    serverUrl,
    databaseUrl: pooler?.url ?? serverUrl,
    redisUrl: redis?.url ?? store('redis').url,
    store,
    restartStore: (name: StoreName) => start(name, store(name).port),
  }
}

/** On ports that it keeps whenever it starts again. */
async function startProcess(
  opened: Opened,
  program: Pick<Program, 'name' | 'file' | 'env' | 'execArgv' | 'root'>,
): Promise<ServiceProcess> {
  const ports = { port: await freePort(), metricsPort: await freePort() }
  const own = { PORT: String(ports.port), METRICS_PORT: String(ports.metricsPort) }
  const supervised = supervise({ ...program, own, logFile: join(opened.dataDir, `${program.name}.log`) })
  opened.onClose(() => supervised.stop())
  return { ...supervised, ...ports }
}

function connectTo(serverUrl: string, database?: string): postgres.Sql {
  const url = new URL(serverUrl)
  if (database) url.pathname = `/${database}`
  const quiet = { fetch_types: false, onnotice: () => undefined }
  return postgres(url.href, { max: 2, ...quiet, connection: { application_name: 'trial' } })
}
