// The parts that every process of the service shares: its configuration or one line why it is invalid, its metrics port, and a
// graceful end.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Config, readConfig } from './config.ts'
import type { Log } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'

/** The configuration from the environment; a wrong variable ends the process with one line that names it. */
export function requireConfig(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    fail((error as Error).message)
  }
}

function fail(message: string): never {
  process.stderr.write(`agent-calendar: ${message}\n`)
  process.exit(1)
}

/** The variables that say where to listen, and their values; without a host it is on all addresses of the machine. */
type Door = { variables: { port: string; host: string }; port: number; host: string | undefined }

/** Resolves with the port, which the system chooses if it is 0. */
export function listen(server: Server, { variables, port, host }: Door): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') fail(`${variables.port}: port ${port} is in use. Choose another one.`)
      if (error.code === 'EACCES')
        fail(`${variables.port}: port ${port} may not be opened by this user. Choose one above 1023.`)
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')
        fail(`${variables.host}: ${host} is not an address of this machine.`)
      reject(error)
    })
    server.listen({ port, host }, () => resolve((server.address() as AddressInfo).port))
  })
}

/** A scrape sends its request at once, and few clients scrape. */
const metricsLimits = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 5_000 }
const maxScrapers = 100

export type HealthAnswer = { status: number; body: object }

/** `health`: further answers, by path, so that a probe waits behind no client of the API. */
export async function openMetricsPort(
  metrics: Metrics,
  { metricsPort, metricsHost }: Pick<Config, 'metricsPort' | 'metricsHost'>,
  health: Record<string, () => Promise<HealthAnswer>> = {},
): Promise<{ server: Server; port: number }> {
  const server = createServer(metricsLimits, async (req, res) => {
    res.setHeader('X-Content-Type-Options', 'nosniff')
    const answer = health[req.url ?? '']
    if (answer) {
      const { status, body } = await answer()
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      return
    }
    if (req.url !== '/metrics') {
      res.writeHead(404).end()
      return
    }
    await metrics.measurements.refresh()
    res.writeHead(200, { 'Content-Type': metrics.registry.contentType })
    res.end(await metrics.registry.metrics())
  })
  server.maxConnections = maxScrapers
  const variables = { port: 'METRICS_PORT', host: 'METRICS_HOST or HOST' }
  return { server, port: await listen(server, { variables, port: metricsPort, host: metricsHost }) }
}

/** How long a process may take to finish its work. */
const shutdownMs = 15_000

/**
 * Runs `close` once, on SIGTERM, SIGINT or when the parent that supervises this process is gone, and then exits. An uncaught
 * error ends the process at once: its supervisor starts it again, and its claims come due again.
 */
export function onShutdown(log: Log, close: () => Promise<void>): void {
  let closing = false
  const shutdown = (reason: string) => {
    if (closing) return
    closing = true
    log.info({ reason }, 'shutting down')
    setTimeout(() => process.exit(1), shutdownMs).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', () => shutdown('SIGTERM'))
  process.once('SIGINT', () => shutdown('SIGINT'))
  process.once('disconnect', () => shutdown('the supervisor is gone'))
  const crash = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught error')
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
}
