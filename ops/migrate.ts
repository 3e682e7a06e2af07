// Brings a database to the newest migration. Any number of processes may do this at once: one works, the others wait.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { resolveBinary } from 'dbmate'
import postgres from 'postgres'
import { type DatabaseAddress, driverOptions, parseDatabaseUrl } from '../src/stores/databaseUrl.ts'
import { databaseTrouble } from './storeTrouble.ts'

const migrationsDir = fileURLToPath(new URL('../migrations', import.meta.url))
/** A number that nothing else in this database uses: "calendar" on a telephone. */
const lockKey = 22_536_327

/** Returns the names of the migrations that this call applied. Rejects with one line. */
export async function migrate(databaseUrl: string, directory = migrationsDir): Promise<string[]> {
  // The lock belongs to the session, which a pooler in transaction mode shares between clients.
  const given = parseAddress(databaseUrl)
  if (given.isPooled) {
    throw new Error('DATABASE_URL: migrations need the address of Postgres itself, not of a pooler (prepare=false)')
  }
  const { address, sql } = await connectToPrimary(databaseUrl, given)
  try {
    // It polls instead of waiting: a waiting statement holds a snapshot, and `create index concurrently`
    // in a migration would wait for that snapshot for ever.
    while (!(await tryLock(sql))) await pause(50)
    await dropHalfBuilt(sql, directory)
    return await runDbmate(dbmateUrl(address, await isEncrypted(sql)), directory)
  } finally {
    // Ends the session, and the lock with it.
    await sql.end({ timeout: 5 }).catch(() => {})
  }
}

type Database = { address: DatabaseAddress; sql: postgres.Sql }

/** The first host that takes changes. `address` is its own, for dbmate takes only one. */
async function connectToPrimary(databaseUrl: string, given: DatabaseAddress): Promise<Database> {
  let trouble = new Error('DATABASE_URL: each server is a standby, which takes no changes')
  for (const host of given.hosts) {
    const address: DatabaseAddress = { ...given, hosts: [host] }
    const sql = connect(address)
    try {
      const [server] = await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`
      if (!server!.standby) return { address, sql }
    } catch (error) {
      trouble = new Error(databaseTrouble(databaseUrl, error as Error) ?? (error as Error).message)
    }
    await sql.end({ timeout: 5 }).catch(() => {})
  }
  throw trouble
}

const connect = (address: DatabaseAddress): postgres.Sql =>
  postgres({
    ...driverOptions(address),
    ssl: sslOf(address),
    max: 1,
    fetch_types: false,
    max_lifetime: null,
    connect_timeout: address.connectTimeout ?? 10,
    onnotice: () => {},
    connection: { application_name: 'calendar-migrate', ...address.session },
  })

async function tryLock(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`select pg_try_advisory_lock(${lockKey}) as locked`
  return row!.locked
}

/**
 * A `create index concurrently` that was killed or failed leaves an invalid index, which keeps the next one from being
 * made.
 */
async function dropHalfBuilt(sql: postgres.Sql, directory: string): Promise<void> {
  const halfBuilt = await sql<{ name: string }[]>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid`
  if (halfBuilt.length === 0) return
  const files = readdirSync(directory).filter((file) => /^\d/.test(file))
  const texts = files.map((file) => readFileSync(join(directory, file), 'utf8'))
  const names = texts.flatMap((text) => [...text.matchAll(concurrentIndex)].map((match) => match[1]!))
  for (const { name } of halfBuilt) {
    if (names.includes(name)) await sql`drop index concurrently if exists ${sql(name)}`
  }
}

const concurrentIndex = /^create (?:unique )?index concurrently if not exists (\w+)/gm

async function runDbmate(databaseUrl: string, directory: string): Promise<string[]> {
  const flags = ['--no-dump-schema', '--migrations-dir', directory]
  const child = spawn(resolveBinary(), [...flags, 'migrate'], {
    // Not as an argument: every user of the machine sees arguments.
    env: { ...process.env, DATABASE_URL: databaseUrl },
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code === 0) return [...output.matchAll(/^Applied: (\S+)/gm)].map((match) => match[1]!)
  const migration = /^Applying: (\S+)/gm
  const last = [...output.matchAll(migration)].at(-1)?.[1]
  const reason = complaint
    .trim()
    .replace(/^Error: /, '')
    .replace(/\s*\n\s*/g, ' ')
  throw new Error(`migration ${last ?? ''} failed: ${reason || `exit code ${code}`}`.replace('  ', ' '))
}

function parseAddress(databaseUrl: string): DatabaseAddress {
  try {
    return parseDatabaseUrl(databaseUrl)
  } catch (error) {
    throw new Error(`DATABASE_URL: ${(error as Error).message}`)
  }
}

/** As the service connects (`src/stores/connectionSocket.ts`), in the words of the driver. */
function sslOf({ sslMode, sslRootCert, hosts }: DatabaseAddress) {
  if (sslMode === 'disable' || hosts[0].host.startsWith('/')) return false
  if (!sslMode.startsWith('verify')) return sslMode as 'allow' | 'prefer' | 'require'
  return {
    rejectUnauthorized: true,
    ...(sslRootCert && sslRootCert !== 'system' && { ca: readFileSync(sslRootCert) }),
    ...(sslMode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  }
}

async function isEncrypted(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
  return row?.ssl === true
}

/**
 * All as parameters: dbmate takes no IPv6 host in its place. It knows neither `prefer` nor `allow`, so it gets the outcome of
 * the connection.
 */
function dbmateUrl({ hosts: [{ host, port }], ...address }: DatabaseAddress, isEncrypted: boolean): string {
  const { sslMode, sslRootCert, session } = address
  const weak = isEncrypted ? 'require' : 'disable'
  const sslmode = sslMode.startsWith('verify') ? sslMode : weak
  const parameters = { ...session, host, port: String(port), sslmode, ...(sslRootCert && { sslrootcert: sslRootCert }) }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const [user, password, database] = [address.user, address.password, address.database].map((part) =>
    part === undefined ? '' : encodeURIComponent(part),
  )
  return `postgres://${user}${password && `:${password}`}${user && '@'}/${database}?${query.join('&')}`
}

if (import.meta.main) {
  const databaseUrl = process.env.DATABASE_URL
  if (databaseUrl) {
    try {
      const applied = await migrate(databaseUrl)
      for (const name of applied) console.log(`applied ${name}`)
    } catch (error) {
      console.error(`agent-calendar: ${(error as Error).message}`)
      process.exitCode = 1
    }
  } else {
    console.error('agent-calendar: DATABASE_URL: is required')
    process.exitCode = 1
  }
}
