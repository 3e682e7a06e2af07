// The API process.
import { Server as NetServer } from 'node:net'
import { closeApp, openApp } from '../src/app.ts'
import { endWaits } from '../src/changeFeed/waits.ts'
import { openTelemetry } from '../src/observability/tracing.ts'
import { listen, onShutdown, openMetricsPort, requireConfig } from '../src/process.ts'
import { measureStores } from '../src/stores/gauges.ts'
import { takeSignInLink } from './console/signInLink.ts'
import { openGate } from './gate/gate.ts'
import { probeAnswers } from './health.ts'
import { openListener } from './listener.ts'
import { openServer } from './server.ts'

const flushEveryMs = 5_000

const config = requireConfig()
const closeTelemetry = await openTelemetry(config.telemetry, 'api')
const app = openApp(config, { name: 'api', connections: 20 })
const gate = openGate(app)
const server = openListener(app, openServer(app, gate))
const metrics = await openMetricsPort(app.metrics, config, probeAnswers(app, server))
measureStores(app)
// Longer than a load balancer keeps an idle connection, so that the server is never the first to close one.
server.keepAliveTimeout = 65_000

const flush = () =>
  gate
    .flush()
    .catch((error: Error) => app.log.warn({ error: error.message }, 'could not write usage; it will be written later'))
const flushing = setInterval(flush, flushEveryMs)

/** A proxy reuses a kept connection until it sees it closed; for this long every connection gets one more answer. */
const drainMs = 2_000

/** Then all connections are cut: the rest of `shutdownMs` is for writing the usage. */
const cutMs = 10_000

/**
 * No new connection is accepted. Each open one ends with its next answer, or when it is still idle after `drainMs`, or at
 * `cutMs`.
 */
async function closeServer() {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  // The `close` of HTTP servers would end idle connections at once, even with a request on its way.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
  let closing: NodeJS.Timeout | undefined
  const draining = setTimeout(() => {
    closing = setInterval(() => server.closeIdleConnections(), 50)
  }, drainMs)
  const cutting = setTimeout(() => server.closeAllConnections(), cutMs)
  await closed
  clearTimeout(cutting)
  clearTimeout(draining)
  clearInterval(closing)
}

// Only `npm start` opens this channel.
process.on('message', (message) => takeSignInLink(app, message))

onShutdown(app.log, async () => {
  endWaits(app)
  // Requests are answered and counted until the server is closed.
  await closeServer()
  clearInterval(flushing)
  await gate.close().catch((error: Error) => app.log.warn({ error: error.message }, 'could not write usage'))
  metrics.server.close()
  await closeApp(app)
  await closeTelemetry()
})

const port = await listen(server, { variables: { port: 'PORT', host: 'HOST' }, port: config.port, host: config.host })
app.log.info({ port, metricsPort: metrics.port }, 'listening')
process.send?.({ ready: true, port, metricsPort: metrics.port })
