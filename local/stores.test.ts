import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { afterAll, test } from 'vitest'
import { startPostgres } from './postgres.ts'
import { isRunning, type ProcessRecord, readRecord, waitUntilGone } from './processes.ts'
import { startRedis } from './redis.ts'
import { openStores } from './stores.ts'

const root = mkdtempSync(join(tmpdir(), 'stores-test-'))
// So that the account which runs Postgres gets through, and nothing is left elsewhere.
chmodSync(root, 0o711)
afterAll(() => rmSync(root, { recursive: true, force: true }))
const folder = (name: string) => join(root, name)
const recordIn = (dataDir: string, name: string) => readRecord(join(dataDir, `${name}.process.json`))!

async function ask<T>(url: string, question: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, fetch_types: false })
  try {
    return await question(sql)
  } finally {
    await sql.end()
  }
}

async function askRedis<T>(url: string, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url)
  try {
    return await question(redis)
  } finally {
    redis.disconnect()
  }
}

/** Polls: for what a guardian does on its own. */
async function eventually(what: () => Promise<unknown> | unknown, withinMs = 15_000): Promise<void> {
  const until = performance.now() + withinMs
  for (;;) {
    try {
      assert.ok(await what())
      return
    } catch (error) {
      if (performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

test('Postgres keeps its data over a stop, a kill, and a leftover of an earlier run', async () => {
  const dataDir = folder('postgres')
  const first = await startPostgres({ dataDir, durable: true })
  const record = recordIn(dataDir, 'postgres')
  await ask(first.url, (sql) => sql`create table notes as select 'kept' as text`)
  await first.stop()
  assert.equal(isRunning(record), false)

  const second = await startPostgres({ dataDir, durable: true, settings: { work_mem: '9MB' } })
  assert.equal((await ask(second.url, (sql) => sql`show work_mem`))[0]?.work_mem, '9MB')
  process.kill(second.pid, 'SIGKILL')
  await second.exited

  const third = await startPostgres({ dataDir, durable: true })
  const leftover = recordIn(dataDir, 'postgres')
  const fourth = await startPostgres({ dataDir, durable: true, port: third.port })
  assert.equal(isRunning(leftover), false)
  assert.equal(fourth.url, third.url)
  const rows = await ask(fourth.url, (sql) => sql`select text from notes`)
  assert.equal(rows[0]?.text, 'kept')
  await fourth.stop()
})

test('Postgres starts although its pid file names a living stranger', async () => {
  const dataDir = folder('reused')
  const first = await startPostgres({ dataDir, durable: false })
  const pidFile = join(first.directory, 'postmaster.pid')
  process.kill(first.pid, 'SIGKILL')
  await first.exited
  // Of the same account: Postgres itself sees through any other.
  const { uid, gid } = statSync(first.directory)
  const stranger = spawn('sleep', ['60'], { uid, gid })
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(stranger.pid)))
  try {
    const second = await startPostgres({ dataDir, durable: false })
    await second.stop('now')
  } finally {
    stranger.kill()
  }
})

test('a setting that Postgres refuses is one line', async () => {
  const wrong = startPostgres({ dataDir: folder('refused'), durable: false, settings: { shared_buffers: 'lots' } })
  await assert.rejects(wrong, /^Error: Postgres did not start: .*shared_buffers.* \(see .*postgres\.log\)$/)
})

test('Redis keeps its keys over a stop and a leftover, and never evicts', async () => {
  const dataDir = folder('redis')
  const first = await startRedis({ dataDir, durable: true })
  await askRedis(first.url, (redis) => redis.set('job', 'kept'))
  assert.equal(
    ((await askRedis(first.url, (redis) => redis.config('GET', 'maxmemory-policy'))) as string[])[1],
    'noeviction',
  )
  await first.stop()
  const second = await startRedis({ dataDir, durable: true })
  const third = await startRedis({ dataDir, durable: true, port: second.port })
  await second.exited
  assert.equal(await askRedis(third.url, (redis) => redis.get('job')), 'kept')
  await third.stop()
})

test('a Redis without its password tells nothing', async () => {
  const store = await startRedis({ dataDir: folder('guarded'), durable: false })
  const redis = new Redis(store.port, '127.0.0.1', { lazyConnect: true, retryStrategy: null })
  redis.on('error', () => {})
  await assert.rejects(redis.get('x'), /NOAUTH/)
  redis.disconnect()
  await store.stop()
})

test('a guardian starts a killed store again, at the same address, and a killed guardian is replaced', async () => {
  const dataDir = folder('guardian')
  const stores = openStores({ dataDir, durable: false, which: ['postgres', 'redis'], temporary: true })
  const { postgres: url, redis } = await stores.ready
  const killed = recordIn(dataDir, 'postgres')
  process.kill(killed.pid, 'SIGKILL')
  await eventually(() => ask(url!, (sql) => sql`select 1`))

  const guardian = readRecord(join(dataDir, 'guardian.lock'))!
  process.kill(guardian.pid, 'SIGKILL')
  await eventually(() => readRecord(join(dataDir, 'guardian.lock'))?.pid !== guardian.pid)
  await eventually(() => recordIn(dataDir, 'redis') && askRedis(redis!, (one) => one.ping()))
  await eventually(() => ask(url!, (sql) => sql`select 1`))

  const processes = [recordIn(dataDir, 'postgres'), recordIn(dataDir, 'redis')]
  await stores.stop()
  assert.deepEqual(processes.map(isRunning), [false, false])
  assert.equal(existsSync(dataDir), false)
})

test('a process that is killed leaves no store behind', async () => {
  const dataDir = folder('orphaned')
  const source = `const { openStores } = await import(${JSON.stringify(new URL('./stores.ts', import.meta.url).href)})
    await openStores({ dataDir: ${JSON.stringify(dataDir)}, durable: false, which: ['postgres', 'redis'] }).ready
    process.stdout.write('ready')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const records: ProcessRecord[] = [recordIn(dataDir, 'postgres'), recordIn(dataDir, 'redis')]
  records.push(readRecord(join(dataDir, 'guardian.lock'))!)
  child.kill('SIGKILL')
  for (const record of records) assert.equal(await waitUntilGone(record, 15_000), true)
})

test('a second user of the same directory is refused, after a while, in one line', async () => {
  const dataDir = folder('shared')
  const first = openStores({ dataDir, durable: false, which: ['redis'] })
  await first.ready
  const second = openStores({ dataDir, durable: false, which: ['redis'], predecessorMs: 300 })
  await assert.rejects(second.ready, /are in use by another process$/)
  await first.stop()
})
