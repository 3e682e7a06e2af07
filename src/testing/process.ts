// A further process of the same installation: its own caches and connections, its own API, the same stores.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Gate, openGate } from '../../api/gate/gate.ts'
import { openListener } from '../../api/listener.ts'
import { openServer } from '../../api/server.ts'
import { type App, closeApp, openApp } from '../app.ts'
import type { Config } from '../config.ts'
import { type Clock, systemClock } from '../wakeups/clock.ts'
import type { TestService } from './harness.ts'
import { type Caller, callerOf } from './http.ts'

export type TestProcess = { app: App; gate: Gate; baseUrl: string; call: Caller; close(): Promise<void> }

type ProcessOptions = {
  /** The test's set clock, unless another one is given. */
  clock?: Clock
  config?: Partial<Config>
  statementDeadlineMs?: number
}

export async function openProcess(
  service: TestService,
  { clock = service.clock, config, statementDeadlineMs = 20_000 }: ProcessOptions = {},
): Promise<TestProcess> {
  const options = { name: 'test, another process', connections: 4, statementDeadlineMs, clock }
  const app = openApp({ ...service.app.config, ...config }, options)
  const isReady = config?.redisUrl !== undefined || app.redis.status === 'ready'
  if (!isReady) await new Promise((resolve) => app.redis.once('ready', resolve))
  const gate = openGate(app)
  const server = openListener(app, openServer(app, gate))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    app,
    gate,
    baseUrl,
    call: callerOf(baseUrl),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await closeApp(app)
    },
  }
}

/** As `openProcess`, on the real clock, which the test's database tells from now on as well. */
export async function openRealTime(service: TestService): Promise<TestProcess> {
  await service.app.sql`create or replace function app_now() returns timestamptz language sql stable as 'select now()'`
  return openProcess(service, { clock: systemClock })
}

/** `close` ends it as an operator does, and tells its exit code. */
type TestChild = { port: number; metricsPort: number; call: Caller; close(): Promise<number | null> }

/** `api/main.ts` on the stores of a test, with any free ports unless `more` says otherwise. */
export function forkApi({ app }: TestService, more: Record<string, string> = {}, silent = false): ChildProcess {
  const { databaseUrl, redisUrl, adminToken, encryptionKeys } = app.config
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ADMIN_TOKEN: adminToken,
    SESSION_SECRETS: 'a-session-secret-of-the-tests-only',
    ENCRYPTION_KEYS: encryptionKeys.map(({ id, secret }) => `${id}:${secret.toString('base64')}`).join(),
    PORT: '0',
    LOG_LEVEL: 'fatal',
    ...more,
  }
  return fork(fileURLToPath(new URL('../../api/main.ts', import.meta.url)), { env, silent })
}

/**
 * An API in a process of its own, for what belongs to a process: signals, ports, exit codes. Its clock is the real one, and its
 * counters in Redis are its own.
 */
export async function openChild(service: TestService, more: Record<string, string> = {}): Promise<TestChild> {
  const child = forkApi(service, more)
  const [{ port, metricsPort }] = (await once(child, 'message')) as [{ port: number; metricsPort: number }]
  return {
    port,
    metricsPort,
    call: callerOf(`http://127.0.0.1:${port}`),
    async close() {
      child.kill()
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
  }
}
