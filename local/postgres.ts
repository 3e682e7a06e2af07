// Starts a private Postgres 18 on 127.0.0.1. There is one server per data directory: a server that an earlier run left
// behind is ended first.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { postgresAccount, postgresPrograms } from './account.ts'
import { type Cluster, openCluster, superuser } from './cluster.ts'
import { freePort } from './ports.ts'
import { commandOf, type EndStep, endLeftover, endProcess, recordOf, writeRecord } from './processes.ts'
import { lastLine, openLog } from './serverLog.ts'
import { type Store, type StoreOptions, storeOf } from './store.ts'

type PostgresOptions = StoreOptions & { settings?: Record<string, string | number> }

const database = 'calendar'
/** Fast shutdown, immediate shutdown, and the last resort: see pg_ctl. */
const endSteps: EndStep[] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5000],
  ['SIGKILL', 5000],
]

const localSettings = {
  listen_addresses: '127.0.0.1',
  // No socket file: its path is limited to 107 bytes, and a checkout may lie deep.
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  random_page_cost: 1.1,
  // Plans that were made while a table was small stay until it is analyzed again.
  autovacuum_naptime: '10s',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}
/** For tests: nothing has to survive a crash. */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  // Without statistics Postgres thinks that tables are large, and starting two workers takes longer than reading them.
  max_parallel_workers_per_gather: 0,
  shared_buffers: '128MB',
  // The files may lie in memory.
  max_wal_size: '256MB',
}

export async function startPostgres(options: PostgresOptions): Promise<Store> {
  const dataDir = resolve(options.dataDir)
  const recordFile = join(dataDir, 'postgres.process.json')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await endLeftover(recordFile, endSteps)
  const account = postgresAccount(join(dataDir, 'postgres'))
  const programs = postgresPrograms(account)
  const cluster = openCluster(dataDir, account, programs, options.durable)
  await clearPidFile(cluster.directory)
  const port = options.port ?? (await freePort())
  const settings = { ...localSettings, ...(options.durable ? {} : fastSettings), port, ...options.settings }
  const args = [
    '-D',
    cluster.directory,
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ]
  const logFile = join(dataDir, 'postgres.log')
  const child = await launch(cluster.directory, logFile, () => {
    const log = openLog(logFile)
    const spawnOptions = {
      ...account,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      detached: true,
    }
    const started = spawn(programs.postgres, args, { ...spawnOptions, stdio: ['ignore', log.fd, log.fd] })
    log.close()
    if (started.pid) writeRecord(recordFile, started.pid)
    return started
  })
  await ensureDatabase(urlOf(cluster, port, 'postgres'))
  const { directory } = cluster
  return storeOf(child, { url: urlOf(cluster, port, database), port, directory, recordFile, endSteps })
}

/** Returns once it accepts connections. Starts it again while the memory of a killed server is still in use. */
async function launch(directory: string, logFile: string, start: () => ChildProcess): Promise<ChildProcess> {
  const until = performance.now() + 30_000
  for (;;) {
    const child = start()
    let failure: Error | undefined
    child.once('error', (error) => {
      failure = error
    })
    while (!failure && child.exitCode === null && child.signalCode === null && !isReady(directory, child.pid)) {
      await pause(15)
    }
    if (!failure && child.exitCode === null && child.signalCode === null) return child
    const reason = failure?.message ?? lastLine(logFile, /FATAL|ERROR|PANIC/)
    if (!/still in use|being shut down/.test(reason) || performance.now() > until) {
      throw new Error(`Postgres did not start: ${reason} (see ${logFile})`)
    }
    await pause(200)
  }
}

/** Line 1 of postmaster.pid is the pid, line 8 the state: what `pg_ctl --wait` looks at. */
function isReady(directory: string, pid: number | undefined): boolean {
  const lines = pidFileLines(directory)
  return Number(lines[0]) === pid && ['ready', 'standby'].includes(lines[7]?.trim() ?? '')
}

function pidFileLines(directory: string): string[] {
  try {
    return readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

// Postgres refuses to start while the pid in its file is alive, but after a restart of the machine or container that
// may be any process. If it is a server of this very cluster, its record was lost, and it is ended.
async function clearPidFile(directory: string): Promise<void> {
  const pid = Number(pidFileLines(directory)[0])
  const record = pid ? recordOf(pid) : undefined
  if (!record) return
  if (commandOf(pid).includes(directory)) await endProcess(record, endSteps)
  else rmSync(join(directory, 'postmaster.pid'), { force: true })
}

const urlOf = ({ password }: Cluster, port: number, name: string) =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${name}`

async function ensureDatabase(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, fetch_types: false })
  try {
    const [found] = await sql`select from pg_database where datname = ${database}`
    if (!found) await sql`create database ${sql(database)}`
  } finally {
    await sql.end({ timeout: 5 })
  }
}
