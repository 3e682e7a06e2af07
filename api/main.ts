// The API process.
import { createServer } from 'node:http'
import { closeApp, openApp } from '../src/app.ts'
import { measureStores } from '../src/gauges.ts'
import { listen, onShutdown, openMetricsPort, requireConfig } from '../src/process.ts'
import { openTelemetry } from '../src/telemetry.ts'
import { openGate } from './gate.ts'
import { refuseMalformed } from './malformed.ts'
import { openServer } from './server.ts'

const flushEveryMs = 5_000

const config = requireConfig()
const closeTelemetry = await openTelemetry(config.telemetry, 'api')
const app = openApp(config, { name: 'api', connections: 20 })
const gate = openGate(app)
const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, openServer(app, gate))
refuseMalformed(app, server)
measureStores(app)
// Longer than a load balancer keeps an idle connection, so that it is never the server who closes first.
server.keepAliveTimeout = 65_000

const flush = () =>
  gate.flush().catch((error: Error) => app.log.warn({ error: error.message }, 'usage is written later'))
const flushing = setInterval(flush, flushEveryMs)

/** What is being answered is finished; a connection that is kept alive ends with its answer, or when it next idles. */
async function closeServer() {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  const closed = new Promise((resolve) => server.close(resolve))
  const closing = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearInterval(closing)
}

onShutdown(app.log, async () => {
  clearInterval(flushing)
  await closeServer()
  await flush()
  metrics.server.close()
  await closeApp(app)
  await closeTelemetry()
})

const metrics = await openMetricsPort(app.metrics, config.metricsPort)
const port = await listen(server, config.port, 'PORT')
app.log.info({ port, metricsPort: metrics.port }, 'listening')
process.send?.({ ready: true, port, metricsPort: metrics.port })
