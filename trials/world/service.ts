// The service as it runs: the real entry files in processes of their own, on the real clock, on a database of its own and
// a Redis of its own that a test may stop and start.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '../../local/ports.ts'
import { keptSecrets } from '../../local/secrets.ts'
import type { Store } from '../../local/store.ts'
import { startRedis } from '../../local/stores.ts'
import { type Caller, callerOf } from '../../src/testing/http.ts'
import { onDatabase, templateName } from '../../tools/test/template.ts'
import { type Supervised, supervise } from './supervise.ts'

export type RunningService = {
  baseUrl: string
  call: Caller
  adminToken: string
  /** Of its processes. */
  env: NodeJS.ProcessEnv
  /** Where the processes write their logs. */
  dataDir: string
  metricsPorts: { api: number; worker: number }
  api: Supervised
  worker: Supervised
  redis(): Store
  startRedis(): Promise<void>
  /** Ends every connection to the database and lets nobody in, or lets them in again. */
  refuseConnections(refused: boolean): Promise<void>
  /** An organization and its key. */
  makeKey(plan: string): Promise<string>
  close(): Promise<void>
}

export async function openRunningService(env: Record<string, string> = {}): Promise<RunningService> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = process.env.TEST_DATABASE_URL!
  await onServer(server, (sql) => sql.unsafe(`create database ${name} template ${templateName}`))
  const databaseUrl = onDatabase(server, name)
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-calendar-running-'))
  let redis = await startRedis({ dataDir, durable: false })
  const secrets = keptSecrets(dataDir, {})
  const port = await freePort()
  const metricsPorts = { api: await freePort(), worker: await freePort() }
  const common = {
    ...process.env,
    ...secrets,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    OUTBOUND_TRUSTED_HOSTS: '127.0.0.1',
    ...env,
  }
  const start = (name: 'api' | 'worker', file: 'api/main.ts' | 'workers/main.ts') =>
    supervise({ name, file, env: { METRICS_PORT: String(metricsPorts[name]) } }, common, join(dataDir, `${name}.log`))
  const api = start('api', 'api/main.ts')
  const worker = start('worker', 'workers/main.ts')
  await Promise.all([api.ready(), worker.ready()])
  const call = callerOf(`http://127.0.0.1:${port}`)
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    call,
    adminToken: secrets.ADMIN_TOKEN,
    env: common,
    dataDir,
    metricsPorts,
    api,
    worker,
    redis: () => redis,
    async startRedis() {
      redis = await startRedis({ dataDir, durable: false, port: redis.port })
    },
    refuseConnections: (refused) =>
      onServer(server, async (sql) => {
        await sql.unsafe(`alter database ${name} allow_connections ${!refused}`)
        if (refused) await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
      }),
    async makeKey(plan) {
      const body = { name: 'Running', email: 'owner@example.com', plan }
      const answer = await call('POST', '/v1/admin/orgs', { key: secrets.ADMIN_TOKEN, body })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body.api_key
    },
    async close() {
      await Promise.all([api.stop(), worker.stop()])
      await redis.stop('now')
      await onServer(server, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`))
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function onServer(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}
