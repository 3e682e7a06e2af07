// One test's own service: a database cloned from the migrated template, its own prefix in Redis, a set clock, and the real
// API on a real port. Nothing of our own is replaced but the clock.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Gate, openGate } from '../../api/gate/gate.ts'
import { openListener } from '../../api/listener.ts'
import { openServer } from '../../api/server.ts'
import { type App, closeApp, openApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { openDb } from '../stores/postgres.ts'
import { openSetClock, type SetClock } from './clock.ts'
import { openDrain } from './drain.ts'
import { type Caller, callerOf } from './http.ts'

export const testStart = new Date('2026-03-02T09:00:00.000Z')
export const adminToken = 'admin-token-of-the-tests'

export type TestService = {
  app: App
  gate: Gate
  clock: SetClock
  baseUrl: string
  call: Caller
  /** Does everything that is due at the set time. */
  drain(): Promise<void>
  close(): Promise<void>
}

export type TestOptions = {
  /** Further variables, in the place of the usual ones. */
  env?: Record<string, string>
}

export async function openTestService({ env }: TestOptions = {}): Promise<TestService> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const databaseUrl = await cloneDatabase(name)
  const config = {
    ...readConfig({
      DATABASE_URL: databaseUrl,
      REDIS_URL: requireVariable('TEST_REDIS_URL'),
      ADMIN_TOKEN: adminToken,
      SESSION_SECRETS: 'a-session-secret-of-the-tests-only',
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      OUTBOUND_TRUSTED_HOSTS: '127.0.0.1',
      MAIL_DIR: join(tmpdir(), name),
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
      ...env,
    }),
    redisPrefix: name,
  }
  const clockSql = openDb(databaseUrl, { connections: 1, deadlineMs: 10_000, name: 'test clock' })
  const clock = await openSetClock(clockSql, testStart)
  const app = openApp(config, { name: 'test', connections: 8, statementDeadlineMs: 20_000, clock })
  await untilReady(app)
  const gate = openGate(app)
  const server = openListener(app, openServer(app, gate))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (!env?.BASE_URL) config.baseUrl = baseUrl
  return {
    app,
    gate,
    clock,
    baseUrl,
    call: callerOf(baseUrl),
    drain: openDrain(app),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await closeApp(app)
      await clockSql.end({ timeout: 1 })
      await dropDatabase(name)
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    },
  }
}

/** Requests before Redis is connected would be decided without it. */
async function untilReady(app: App) {
  if (app.redis.status !== 'ready') await new Promise((resolve) => app.redis.once('ready', resolve))
}

function requireVariable(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run the tests through npm test`)
  return value
}

/**
 * The same database past a pooler, where the tests run through one: for what belongs to a server connection, such as
 * prepared statements, settings and locks of a session.
 */
export function directly(databaseUrl: string): string {
  const direct = process.env.TEST_DIRECT_DATABASE_URL
  if (!direct) return databaseUrl
  const url = new URL(direct)
  url.pathname = new URL(databaseUrl).pathname
  return url.href
}

const templateName = 'calendar_template'

async function cloneDatabase(name: string): Promise<string> {
  await onServer((sql) => sql.unsafe(`create database ${name} template ${templateName} strategy file_copy`))
  const url = new URL(requireVariable('TEST_DATABASE_URL'))
  url.pathname = `/${name}`
  return url.href
}

const dropDatabase = (name: string) => onServer((sql) => sql.unsafe(`drop database if exists ${name} with (force)`))

async function onServer(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(requireVariable('TEST_DATABASE_URL'), { max: 1, onnotice: () => undefined })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}
