// `npm test`: every test file, or those named on the command line, on stores of its own that are gone afterwards.
// What begins with `--` goes to Node's test runner (`npm test -- --test-name-pattern=hold src/events/hold.test.ts`).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { aborted, listenForStop } from '../../local/stopSignals.ts'
import type { StoreName } from '../../local/store.ts'
import { openStores, type Stores } from '../../local/stores.ts'
import { makeTemplate, onDatabase } from './template.ts'

const patterns = ['src', 'api', 'workers', 'local', 'ops', 'grafana', 'trials', 'tools'].map(
  (folder) => `${folder}/**/*.test.ts`,
)
const testTimeoutMs = 120_000

type Addresses = { databaseUrl: string; redisUrl: string }

/** Those of the environment, else private ones that forget everything. */
async function addresses(open: (which: StoreName[]) => Stores): Promise<Addresses> {
  const { DATABASE_URL, REDIS_URL } = process.env
  const which: StoreName[] = []
  if (!DATABASE_URL) which.push('postgres')
  if (!REDIS_URL) which.push('redis')
  const own = which.length > 0 ? await open(which).ready : {}
  return { databaseUrl: DATABASE_URL || own.postgres!, redisUrl: REDIS_URL || own.redis! }
}

async function runTests(files: string[], flags: string[], { databaseUrl, redisUrl }: Addresses): Promise<number> {
  const env = { ...process.env, TEST_DATABASE_URL: onDatabase(databaseUrl, 'postgres'), TEST_REDIS_URL: redisUrl }
  const concurrency = Math.max(2, availableParallelism())
  const limits = [`--test-concurrency=${concurrency}`, `--test-timeout=${testTimeoutMs}`]
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', ...limits, ...flags, ...files], {
    env,
    stdio: 'inherit',
  })
  // Ctrl-C reaches it by itself, the other signals do not.
  aborted(stop.requested).then(() => child.kill('SIGINT'))
  aborted(stop.forced).then(() => child.kill('SIGKILL'))
  const [code] = await once(child, 'exit')
  return stop.requested.aborted ? 130 : (code ?? 1)
}

const stop = listenForStop()

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  const flags = words.filter((word) => word.startsWith('--'))
  const named = words.filter((word) => !word.startsWith('--'))
  const files = globSync(named.length > 0 ? named : patterns).sort()
  if (files.length === 0) {
    console.error(`agent-calendar: no test file matches ${(named.length > 0 ? named : patterns).join(' ')}`)
    return 1
  }
  let stores: Stores | undefined
  try {
    const starting = addresses((which) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'agent-calendar-test-'))
      stores = openStores({ dataDir, durable: false, which, temporary: true })
      return stores
    }).then(async (found) => {
      await makeTemplate(onDatabase(found.databaseUrl, 'postgres'))
      return found
    })
    starting.catch(() => {})
    const found = await Promise.race([starting, aborted(stop.requested)])
    return found && !stop.requested.aborted ? await runTests(files, flags, found) : 130
  } catch (error) {
    console.error(`agent-calendar: ${(error as Error).message}`)
    return 1
  } finally {
    await stores?.stop()
  }
}

process.exit(await main())
