// `npm run trial -- scaling suite <pgbouncer|redis-cluster|redis-sentinel> [test files]`: the tests of the product on
// stores beyond one machine. Without files: everything under src/, api/ and workers/. Tests of things that belong to one
// server connection (plans of prepared statements, migrations) find the address past the pooler in
// TEST_DIRECT_DATABASE_URL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { makeTemplate, onDatabase } from '../../tools/test/template.ts'
import { type InstallationOptions, openInstallation } from '../world/installation.ts'
import { type Opened, openAll } from '../world/opened.ts'
import { startPooler } from './pooler.ts'
import { startCluster, startSentinel } from './redisNodes.ts'

const patterns = ['src', 'api', 'workers'].map((folder) => `${folder}/**/*.test.ts`)

const instead: Record<string, InstallationOptions> = {
  pgbouncer: { pooler: startPooler },
  'redis-cluster': { redis: startCluster },
  'redis-sentinel': { redis: startSentinel },
}

const kinds = Object.keys(instead)

/**
 * Returns the variables that the tests read. The template is made past the pooler, whose connections would prevent
 * clones.
 */
async function openStores(opened: Opened, kind: string): Promise<Record<string, string>> {
  const { env, store } = await openInstallation(opened, { apis: 0, workers: 0, ...instead[kind] })
  const direct = onDatabase(store('postgres').url, 'postgres')
  await makeTemplate(direct)
  const databaseUrl = onDatabase(env.DATABASE_URL!, 'postgres')
  return { TEST_DATABASE_URL: databaseUrl, TEST_DIRECT_DATABASE_URL: direct, TEST_REDIS_URL: env.REDIS_URL! }
}

async function main(): Promise<number> {
  const [kind = '', ...words] = process.argv.slice(2)
  if (!kinds.includes(kind)) {
    console.error(`agent-calendar: name one of ${kinds.join(', ')}`)
    return 2
  }
  const flags = words.filter((word) => word.startsWith('-'))
  const named = words.filter((word) => !word.startsWith('-'))
  const files = globSync(named.length > 0 ? named : patterns).sort()
  try {
    const site = await openAll('suite', async (opened) => ({ env: await openStores(opened, kind) }))
    const child = spawn(process.execPath, ['tools/test/run.ts', ...flags, ...files], {
      env: { ...process.env, ...site.env },
      stdio: 'inherit',
    })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGINT'))
    const [code] = await once(child, 'exit')
    await site.close()
    return code ?? 1
  } catch (error) {
    console.error(`agent-calendar: ${(error as Error).message}`)
    return 1
  }
}

process.exit(await main())
