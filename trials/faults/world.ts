// The service under test, whole and real: durable Postgres and Redis of its own, two API processes, two workers, eighty
// organizations, and a receiver.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '../../local/ports.ts'
import { keptSecrets } from '../../local/secrets.ts'
import type { Store } from '../../local/store.ts'
import { startPostgres, startRedis } from '../../local/stores.ts'
import { migrate } from '../../ops/migrate.ts'
import { type Supervised, supervise } from '../world/supervise.ts'
import { type Client, openClient } from './client.ts'
import { type Freezer, openFreezer } from './freeze.ts'
import { openOwners } from './identity.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { makeTenants, type Tenant } from './tenants.ts'

export type World = {
  dataDir: string
  stores: { postgres: Store; redis: Store }
  apis: Supervised[]
  workers: Supervised[]
  client: Client
  ledger: Ledger
  receiver: Receiver
  freezer: Freezer
  tenants: readonly Tenant[]
  encryptionKeys: string
  /** The test's own way into the database, for looking and for ending backends. */
  sql(): postgres.Sql
  restartStore(name: 'postgres' | 'redis'): Promise<void>
  /** Where a process that starts from now on finds Postgres. */
  databaseUrl: string
  close(keepFiles: boolean): Promise<void>
}

/** What is not as usual, in trials beyond one machine. */
export type WorldOptions = {
  workers?: number
  /** In place of the one Redis server. */
  openRedis?(dataDir: string): Promise<{ url: string; stop(): Promise<void> }>
  /** In front of Postgres: returns the address by which the service reaches it. */
  openPooler?(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }>
  /** In front of the API processes: returns the one address that clients call. */
  openBalancer?(apiPorts: readonly number[], dataDir: string): Promise<{ url: string; stop(): Promise<void> }>
}

const tenantCount = 80

/** What is open is noted in `opened` at once, so that a failure halfway leaves nothing behind. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-calendar-faults-'))
  const opened: (() => unknown)[] = []
  const close = async (keepFiles: boolean) => {
    for (const closeOne of opened.reverse()) await closeOne()
    if (!keepFiles) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    return await build({ dataDir, opened, close }, options)
  } catch (error) {
    await close(false)
    throw error
  }
}

type Site = { dataDir: string; opened: (() => unknown)[]; close: World['close'] }

async function build({ dataDir, opened, close }: Site, options: WorldOptions): Promise<World> {
  const kept = { dataDir, durable: true }
  const stores = { postgres: await startPostgres(kept), redis: undefined as unknown as Store }
  opened.push(() => stores.postgres.stop())
  const own = await options.openRedis?.(dataDir)
  if (own) opened.push(() => own.stop())
  else {
    stores.redis = await startRedis(kept)
    opened.push(() => stores.redis.stop())
  }
  await migrate(stores.postgres.url)
  const pooler = await options.openPooler?.(stores.postgres.url)
  if (pooler) opened.push(() => pooler.stop())

  const secrets = keptSecrets(dataDir, {})
  const ports = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    ...secrets,
    DATABASE_URL: pooler?.url ?? stores.postgres.url,
    REDIS_URL: own?.url ?? stores.redis.url,
    DATA_DIR: dataDir,
    OUTBOUND_TRUSTED_HOSTS: '127.0.0.1',
    // The client is the balancer: it tells whose address asks.
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
    METRICS_PORT: '0',
  }
  const start = (name: string, file: 'api/main.ts' | 'workers/main.ts', own?: Record<string, string>) => {
    const process = supervise({ name, file, env: own }, env, join(dataDir, `${name}.log`))
    opened.push(() => process.stop())
    return process
  }
  const apis = ports.map((port, nth) => start(`api-${nth + 1}`, 'api/main.ts', { PORT: String(port) }))
  const workers = Array.from({ length: options.workers ?? 2 }, (_, nth) =>
    start(`worker-${nth + 1}`, 'workers/main.ts'),
  )
  await Promise.all([...apis, ...workers].map((process) => process.ready()))
  const balancer = await options.openBalancer?.(ports, dataDir)
  if (balancer) opened.push(() => balancer.stop())
  const baseUrls = balancer ? [balancer.url] : ports.map((port) => `http://127.0.0.1:${port}`)

  const receiver = await openReceiver()
  opened.push(() => receiver.close())
  const client = openClient(baseUrls, openOwners())
  const site = { client, adminToken: secrets.ADMIN_TOKEN, hookUrl: receiver.url }
  const tenants = await makeTenants(site, tenantCount)
  const freezer = openFreezer()
  opened.push(() => freezer.close())

  return {
    dataDir,
    stores,
    apis,
    workers,
    client,
    ledger: openLedger(),
    receiver,
    freezer,
    tenants,
    encryptionKeys: secrets.ENCRYPTION_KEYS,
    sql: () =>
      postgres(stores.postgres.url, {
        max: 1,
        fetch_types: false,
        onnotice: () => undefined,
        connection: { application_name: 'fault test' },
      }),
    async restartStore(name) {
      const again = { dataDir, durable: true, port: stores[name].port }
      stores[name] = name === 'postgres' ? await startPostgres(again) : await startRedis(again)
    },
    get databaseUrl() {
      return env.DATABASE_URL
    },
    set databaseUrl(url) {
      env.DATABASE_URL = url
    },
    close,
  }
}
