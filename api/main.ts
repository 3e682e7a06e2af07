// The API process.
import { createServer } from 'node:http'
import { closeApp, openApp } from '../src/app.ts'
import { listen, onShutdown, openMetricsPort, requireConfig } from '../src/process.ts'
import { openGate } from './gate.ts'
import { openServer } from './server.ts'

const flushEveryMs = 5_000

const config = requireConfig()
const app = openApp(config, { name: 'api', connections: 20 })
const gate = openGate(app)
const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, openServer(app, gate))
// Longer than a load balancer keeps an idle connection, so that it is never the server who closes first.
server.keepAliveTimeout = 65_000

const flush = () =>
  gate.flush().catch((error: Error) => app.log.warn({ error: error.message }, 'usage is written later'))
const flushing = setInterval(flush, flushEveryMs)

onShutdown(app.log, async () => {
  clearInterval(flushing)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  await flush()
  metrics.server.close()
  await closeApp(app)
})

const metrics = await openMetricsPort(app.metrics, config.metricsPort)
const port = await listen(server, config.port, 'PORT')
app.log.info({ port, metricsPort: metrics.port }, 'listening')
process.send?.({ ready: true, port, metricsPort: metrics.port })
