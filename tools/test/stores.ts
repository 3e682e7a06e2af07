// Before the first test: Postgres and Redis, and the migrated template that every service of a test clones. Those of
// DATABASE_URL and REDIS_URL, else private ones that are removed afterwards.
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreName } from '../../local/store.ts'
import { openStores, type Stores } from '../../local/stores.ts'
import { storesFolder } from './storesFolder.ts'
import { makeTemplate, onDatabase } from './template.ts'

let stores: Stores | undefined

/** Does nothing if a caller has made the template and says where it is. */
export async function setup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL && process.env.TEST_REDIS_URL) return
  const { DATABASE_URL, REDIS_URL } = process.env
  const which: StoreName[] = []
  if (!DATABASE_URL) which.push('postgres')
  if (!REDIS_URL) which.push('redis')
  if (which.length > 0) {
    const dataDir = mkdtempSync(join(storesFolder(), 'agent-calendar-test-'))
    stores = openStores({ dataDir, durable: false, which, temporary: true })
  }
  try {
    const own = await stores?.ready
    const databaseUrl = onDatabase(DATABASE_URL || own!.postgres!, 'postgres')
    await makeTemplate(databaseUrl)
    // The processes of the tests inherit them.
    process.env.TEST_DATABASE_URL = databaseUrl
    process.env.TEST_REDIS_URL = REDIS_URL || own!.redis!
  } catch (error) {
    await stores?.stop()
    throw error
  }
}

export async function teardown(): Promise<void> {
  await stores?.stop()
}
