// A worker process: the selected pools (`--pools timers,deliveries`, or WORKER_POOLS), and a sweeper.
import { parseArgs } from 'node:util'
import { closeApp, openApp } from '../src/app.ts'
import { openTelemetry } from '../src/observability/tracing.ts'
import { onShutdown, openMetricsPort, requireConfig } from '../src/process.ts'
import { measureStores } from '../src/stores/gauges.ts'
import { openGauges } from './gauges.ts'
import { openHandlers } from './handlers.ts'
import { openPools } from './pools.ts'
import { openSweeper } from './sweeper.ts'

const { values } = parseArgs({ options: { pools: { type: 'string' } } })
if (values.pools !== undefined) process.env.WORKER_POOLS = values.pools

const config = requireConfig()
const closeTelemetry = await openTelemetry(config.telemetry, 'worker')
const app = openApp(config, { name: 'worker', connections: 10, statementDeadlineMs: 10_000 })
const metrics = await openMetricsPort(app.metrics, config)
const handlers = openHandlers(app)
const pools = openPools(app, config.workerPools, handlers)
const sweeper = openSweeper(app, config.workerPools, handlers)
measureStores(app)
openGauges(app)

onShutdown(app.log, async () => {
  await Promise.all([sweeper.close(), pools.close()])
  metrics.server.close()
  await closeApp(app)
  await closeTelemetry()
})

app.log.info({ pools: config.workerPools, metricsPort: metrics.port }, 'working')
process.send?.({ ready: true, metricsPort: metrics.port })
