// PgBouncer in transaction mode in front of a Postgres: every statement may run on another server connection.
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresAccount } from '../../local/account.ts'
import { freePort } from '../../local/ports.ts'
import type { Front } from '../world/installation.ts'
import { findProgram, startServer } from '../world/programs.ts'

const template = readFileSync(new URL('./pgbouncer.ini', import.meta.url), 'utf8')

/** Returns the address of the same database through the pooler; it leads to any other database of the server too. */
export async function startPooler(databaseUrl: string, poolSize = 10): Promise<Front> {
  const target = new URL(databaseUrl)
  const directory = mkdtempSync(join(tmpdir(), 'agent-calendar-pooler-'))
  const port = await freePort()
  const users = join(directory, 'users.txt')
  const config = join(directory, 'pgbouncer.ini')
  const logFile = join(directory, 'pgbouncer.log')
  writeFileSync(users, `"${target.username}" "${target.password}"\n`, { mode: 0o600 })
  const settings = { PORT: port, TARGET_PORT: target.port, USERS: users, POOL_SIZE: poolSize }
  const text = template.replace(/\{([A-Z_]+)\}/g, (_, name: keyof typeof settings) => String(settings[name]))
  writeFileSync(config, text, { mode: 0o600 })
  closeSync(openSync(logFile, 'a', 0o600))
  const program = findProgram('pgbouncer', 'pgbouncer')
  // SIGINT is its orderly end: it waits for active statements.
  const account = poolerAccount(directory, [users, config, logFile])
  const server = await startServer(program, [config], { port, logFile, signal: 'SIGINT', account })
  target.port = String(port)
  target.searchParams.set('prepare', 'false')
  return {
    url: target.href,
    async stop() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** PgBouncer refuses to run as root: the account that runs Postgres runs it too. */
function poolerAccount(directory: string, files: readonly string[]): { uid?: number; gid?: number } {
  const account = postgresAccount(join(directory, 'pooler'))
  if (account.uid === undefined) return account
  chmodSync(directory, (statSync(directory).mode & 0o7777) | 0o011)
  for (const file of files) chownSync(file, account.uid, account.gid!)
  return account
}
