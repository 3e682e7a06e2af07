// `npm run trial -- scaling suite <pgbouncer|redis-cluster|redis-sentinel> [test files]`: the tests of the product on
// stores beyond one machine. Without files: everything under src/, api/ and workers/. Tests of what belongs to one
// server connection (plans of prepared statements, migrations) find the address past the pooler in
// TEST_DIRECT_DATABASE_URL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../local/postgres.ts'
import { startRedis } from '../../local/redis.ts'
import { makeTemplate, onDatabase } from '../../tools/test/template.ts'
import { startPooler } from './pooler.ts'
import { startCluster, startSentinel } from './redisNodes.ts'

const kinds = ['pgbouncer', 'redis-cluster', 'redis-sentinel']
const patterns = ['src', 'api', 'workers'].map((folder) => `${folder}/**/*.test.ts`)

type Closers = (() => unknown)[]

/** The template is made past the pooler, whose connection to it would prevent clones. */
async function openStores(kind: string, dataDir: string, closers: Closers) {
  const postgres = await startPostgres({ dataDir, durable: false })
  closers.push(() => postgres.stop())
  await makeTemplate(onDatabase(postgres.url, 'postgres'))
  const direct = onDatabase(postgres.url, 'postgres')
  let databaseUrl = direct
  let redisUrl: string
  if (kind === 'pgbouncer') {
    const pooler = await startPooler(databaseUrl)
    closers.push(() => pooler.stop())
    databaseUrl = pooler.url
  }
  if (kind === 'redis-cluster' || kind === 'redis-sentinel') {
    const redis = await (kind === 'redis-cluster' ? startCluster(dataDir) : startSentinel(dataDir))
    closers.push(() => redis.stop())
    redisUrl = redis.url
  } else {
    const redis = await startRedis({ dataDir, durable: false })
    closers.push(() => redis.stop())
    redisUrl = redis.url
  }
  return { TEST_DATABASE_URL: databaseUrl, TEST_DIRECT_DATABASE_URL: direct, TEST_REDIS_URL: redisUrl }
}

async function main(): Promise<number> {
  const [kind = '', ...words] = process.argv.slice(2)
  if (!kinds.includes(kind)) {
    console.error(`agent-calendar: name one of ${kinds.join(', ')}`)
    return 2
  }
  const flags = words.filter((word) => word.startsWith('--'))
  const named = words.filter((word) => !word.startsWith('--'))
  const files = globSync(named.length > 0 ? named : patterns).sort()
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-calendar-suite-'))
  const closers: Closers = []
  try {
    const stores = await openStores(kind, dataDir, closers)
    const limits = ['--test-concurrency=2', '--test-timeout=120000']
    const child = spawn(process.execPath, ['--test', '--test-reporter=spec', ...limits, ...flags, ...files], {
      env: { ...process.env, ...stores },
      stdio: 'inherit',
    })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGINT'))
    const [code] = await once(child, 'exit')
    return code ?? 1
  } catch (error) {
    console.error(`agent-calendar: ${(error as Error).message}`)
    return 1
  } finally {
    for (const close of closers.reverse()) await close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

process.exit(await main())
