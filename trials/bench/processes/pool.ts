// The delivery pool of the service with IN_FLIGHT jobs at a time.
import { openApp } from '../../../src/app.ts'
import { requireConfig } from '../../../src/process.ts'
import { openRedis } from '../../../src/stores/redis.ts'
import { openPool } from '../../../src/wakeups/pool.ts'
import { openDeliverer } from '../../../src/webhooks/deliver.ts'
import { endWithParent } from '../child.ts'

endWithParent()
const config = requireConfig()
const app = openApp(config, { name: 'worker', connections: 10, statementDeadlineMs: 30_000 })
const connection = openRedis(config.redisUrl, app.log, 'patient')
const concurrency = Number(process.env.IN_FLIGHT)
openPool(
  'deliveries',
  { connection, redisPrefix: config.redisPrefix, concurrency, log: app.log, metrics: app.metrics },
  openDeliverer(app),
)
process.send!({ ready: true })
