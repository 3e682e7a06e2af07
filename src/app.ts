// The argument of every use case: the doors to the outside, opened once per process. The only wiring.

import type { Config } from './config.ts'
import { type Foreign, openForeign } from './foreign/foreign.ts'
import { type Log, openLog } from './observability/log.ts'
import { type Metrics, openMetrics } from './observability/metrics.ts'
import { type Http, openHttp } from './outbound/http.ts'
import { type Mail, openMail } from './outbound/mail.ts'
import { openSealer, type Sealer } from './sealing/sealer.ts'
import { observeConnections } from './stores/connections.ts'
import { openDb, type Sql } from './stores/postgres.ts'
import { openRedis, type RedisClient } from './stores/redis.ts'
import { observeStatements } from './stores/statements.ts'
import { type Bell, openBell } from './wakeups/bell.ts'
import { type Clock, systemClock } from './wakeups/clock.ts'

export type App = {
  config: Config
  clock: Clock
  log: Log
  metrics: Metrics
  sql: Sql
  redis: RedisClient
  bell: Bell
  http: Http
  mail: Mail
  foreign: Foreign
  sealer: Sealer
  /** State that a module keeps for as long as the app lives: one value for each `open`, made by its first call. */
  memory<T>(open: (app: App) => T): T
}

type AppOptions = {
  /** Shown in logs and in Postgres' list of connections. */
  name: string
  connections: number
  /** How long a statement may take, in milliseconds. */
  statementDeadlineMs?: number
  clock?: Clock
}

export function openApp(config: Config, options: AppOptions): App {
  const clock = options.clock ?? systemClock
  const log = openLog(config.logLevel, options.name)
  const redis = openRedis(config.redisUrl, log, 'impatient')
  const metrics = openMetrics()
  metrics.postgresConnectionsMax.set(options.connections)
  const memories = new Map<unknown, unknown>()
  const app: App = {
    config,
    clock,
    log,
    metrics,
    sql: openDb(config.databaseUrl, {
      connections: options.connections,
      observe: observeStatements(metrics),
      observeConnections: observeConnections(metrics),
      deadlineMs: options.statementDeadlineMs ?? 5_000,
      name: `agent-calendar ${options.name}`,
    }),
    redis,
    bell: openBell(redis, config.redisPrefix, clock, log),
    http: openHttp({ trustedHosts: config.trustedHosts }),
    mail: openMail(config),
    foreign: openForeign(),
    sealer: openSealer(config.encryptionKeys),
    memory<T>(open: (app: App) => T): T {
      if (!memories.has(open)) memories.set(open, open(app))
      return memories.get(open) as T
    },
  }
  return app
}

/** Sends the wake-ups that wait, then closes every door. Safe while Redis or Postgres is away. */
export async function closeApp(app: App): Promise<void> {
  await app.bell.close()
  app.redis.disconnect()
  app.mail.close()
  await Promise.allSettled([app.http.close(), app.foreign.close(), app.sql.end({ timeout: 2 })])
}
