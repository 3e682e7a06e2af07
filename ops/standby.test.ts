// Several hosts in DATABASE_URL: a primary and a real standby that follows it, and then takes over.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, test } from 'vitest'
import { startPostgres } from '../local/postgres.ts'
import { startRedis } from '../local/redis.ts'
import type { Store } from '../local/store.ts'
import type { App } from '../src/app.ts'
import { currentPosition } from '../src/changeFeed/page.ts'
import { afterPromotion } from '../src/changeFeed/promotion.ts'
import { openLog } from '../src/observability/log.ts'
import { newId } from '../src/shapes/ids.ts'
import { isUndone, isUnreachable, storeRefusal } from '../src/stores/failures.ts'
import { isAnswering, openDb, type Sql } from '../src/stores/postgres.ts'
import { openRedis, type RedisClient } from '../src/stores/redis.ts'
import { until } from '../src/testing/until.ts'
import { followPrimary, takeBackup } from '../trials/restore/baseBackup.ts'
import { migrate } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-calendar-standby-'))
// The account of Postgres passes through.
chmodSync(folder, 0o755)
const settings = { wal_level: 'replica', max_wal_senders: 4 }
const started: Store[] = []
const pools: Sql[] = []
let primary: Store
let standby: Store
const notes = '20260101000001_notes.sql'

beforeAll(async () => {
  const start = async (name: string) => {
    const store = await startPostgres({ dataDir: join(folder, name), durable: false, settings })
    started.push(store)
    return store
  }
  primary = await start('primary')
  const copy = join(folder, 'standby', 'postgres')
  mkdirSync(join(folder, 'standby'))
  await takeBackup(primary.url, primary.directory, copy)
  followPrimary(copy, primary.url)
  standby = await start('standby')
})
afterAll(async () => {
  for (const sql of pools) await sql.end({ timeout: 0 })
  for (const store of started) await store.stop('now')
  rmSync(folder, { recursive: true })
})

/** The address of both; the hosts in this order. */
function urlOf(...stores: Store[]): string {
  const { username, password, pathname } = new URL(primary.url)
  return `postgres://${username}:${password}@${stores.map(({ port }) => `127.0.0.1:${port}`).join(',')}${pathname}`
}

function openPool(url: string): Sql {
  const sql = openDb(url, { connections: 10, deadlineMs: 5_000, name: 'standby test' })
  pools.push(sql)
  return sql
}

const orgId = newId()
const feedApp = (sql: Sql) => ({ sql, clock: { now: () => new Date() } }) as App
/** It has started anew, and has gone through its own log. While it followed, it knew the time of a change that it replayed. */
const hasRecovered = async (sql: Sql) => {
  const [row] = await sql<{ hasRecovered: boolean }[]>`
    select pg_last_wal_replay_lsn() is not null and pg_last_xact_replay_timestamp() is null as has_recovered`
  return row?.hasRecovered === true
}

const portsOf = async (sql: Sql, statements: number) => {
  const rows = await Promise.all(
    Array.from(
      { length: statements },
      () => sql<{ port: number }[]>`select inet_server_port() as port, pg_sleep(0.02)`,
    ),
  )
  return new Set(rows.map(([row]) => row!.port))
}

test('every connection leads to the primary, in whichever order the hosts are named', async () => {
  for (const url of [urlOf(standby, primary), urlOf(primary, standby)]) {
    const sql = openPool(url)
    assert.deepEqual(await portsOf(sql, 30), new Set([primary.port]))
    assert.equal(await isAnswering(sql), true)
  }
})

test('migrations go to the primary, and a standby alone is refused in one line', async () => {
  const directory = join(folder, 'migrations')
  cpSync('migrations', directory, { recursive: true })
  writeFileSync(join(directory, notes), '-- migrate:up\ncreate table notes (id int);\n\n-- migrate:down\n')
  assert.ok((await migrate(urlOf(standby, primary), directory)).includes(notes))
  await assert.rejects(migrate(urlOf(standby), directory), {
    message: 'DATABASE_URL: each server is a standby, which takes no changes',
  })
})

test('a standby alone is an unreachable database, where nothing happened', async () => {
  const sql = openPool(urlOf(standby))
  assert.equal(await isAnswering(sql), false)
  const error = await sql`insert into notes values (1)`.then(
    () => assert.fail('it was taken'),
    (reason: unknown) => reason,
  )
  assert.deepEqual([isUnreachable(error), isUndone(error)], [true, true])
  assert.match(storeRefusal(error)!.message, /cannot be reached at the moment. Try again/)
})

test('a server that no longer takes changes is left, and its refusal is known to have changed nothing', async () => {
  const sql = openPool(urlOf(primary))
  const session = await sql.reserve()
  await session`set default_transaction_read_only = on`
  const error = await session`insert into notes values (2)`.then(
    () => assert.fail('it was taken'),
    (reason: unknown) => reason,
  )
  assert.deepEqual([isUnreachable(error), isUndone(error)], [true, true])
  await assert.rejects(async () => session`select 1`)
})

test('when the standby takes over, connections lead there', async () => {
  const sql = openPool(urlOf(primary, standby))
  const app = feedApp(sql)
  const known = await currentPosition(app, orgId)
  const before = await sql<{ count: number }[]>`select count(*)::int as count from notes`
  const [old, next] = [primary, standby].map(({ url }) => postgres(url, { max: 1, fetch_types: false }))
  await until(async () => {
    const [row] = await old!`select replay_lsn = pg_current_wal_insert_lsn() as even from pg_stat_replication`
    return row?.even === true
  })
  await next!`select pg_promote()`
  // The old primary does not know yet, and tells what nobody else will ever have.
  await old!`insert into notes values (3)`
  const lost = await currentPosition(app, orgId)
  const [history] = await next!`select pg_read_file('pg_wal/00000002.history') as text`
  await Promise.all([old!.end(), next!.end()])
  await primary.stop('now')
  await until(() => isAnswering(sql))
  assert.deepEqual(await portsOf(sql, 10), new Set([standby.port]))
  assert.deepEqual([...(await sql`select count(*)::int as count from notes`)], [...before])

  // A reader of the change feed goes on where nothing was lost, and nowhere else.
  const { wal, ...older } = known
  const reached = await Promise.all([known, lost, older].map((position) => afterPromotion(app, position)))
  const { database } = await currentPosition(app, orgId)
  assert.deepEqual(reached, [{ ...known, database }, undefined, undefined])
  assert.match(database, /^[^/]+\/00000002\//)
  const [row] = await sql`select left_at::text from feed_timelines where timeline = '00000002'`
  assert.equal(history!.text.split('\t')[1], row!.leftAt)
})

test('a server that crashed before anybody recorded its time line no longer knows where the old one was left', async () => {
  const sql = openPool(urlOf(standby))
  const app = feedApp(sql)
  await sql`update feed_timelines set timeline = '00000003' where timeline = '00000002'`
  // The servers of the tests answer before they write: the crash would take the update back.
  await until(async () => {
    const [row] = await sql`select pg_current_wal_flush_lsn() = pg_current_wal_insert_lsn() as is_written`
    return row?.isWritten === true
  })
  const now = await currentPosition(app, orgId)
  assert.equal(now.wal, undefined)
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  process.kill(backend!.pid, 'SIGKILL')
  await until(async () => (await isAnswering(sql)) && hasRecovered(sql))
  const [first] = await sql`select id from feed_timelines where timeline = '00000001'`
  const database = `${now.database.replace('/00000002/', '/00000001/')}/${first!.id}`
  assert.equal(await afterPromotion(app, { ...now, database, wal: '0/1' }), undefined)
  const [row] = await sql`select left_at from feed_timelines where timeline = '00000002'`
  assert.deepEqual(row, { leftAt: null })
})

test('a Redis that became a replica is left at its first refusal', async ({ onTestFinished }) => {
  const start = async (name: string) => {
    const store = await startRedis({ dataDir: join(folder, name), durable: false })
    started.push(store)
    return store
  }
  const old = await start('old')
  // Both have one password, as behind one name.
  mkdirSync(join(folder, 'next'))
  cpSync(join(folder, 'old', 'redis', 'password'), join(folder, 'next', 'redis', 'password'))
  const next = await start('next')
  let target = old
  // The one name of a managed Redis.
  const door = createServer((client) => {
    const server = connect(target.port, '127.0.0.1')
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  const url = new URL(old.url)
  url.port = String((door.address() as AddressInfo).port)
  const clients = (['patient', 'impatient'] as const).map((patience) =>
    openRedis(url.href, openLog('silent', 'test'), patience),
  )
  onTestFinished(() => {
    for (const redis of clients) redis.disconnect()
    door.close()
  })
  const [patient, impatient] = clients as [RedisClient, RedisClient]
  await until(() => impatient.status === 'ready')
  await patient.set('a', '1')
  target = next
  await patient.call('replicaof', '127.0.0.1', String(next.port))
  // Who waits for Redis gets there; who does not fails once.
  assert.equal(await patient.set('a', '2'), 'OK')
  await assert.rejects(impatient.set('b', '1'))
  await until(() => impatient.set('b', '2').then(Boolean, () => false))
  assert.equal(await impatient.get('a'), '2')
})
