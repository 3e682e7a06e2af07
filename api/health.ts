// Liveness and readiness. Without Redis the service is degraded; without Postgres it is not ready.
import express, { type Router } from 'express'
import type { App } from '../src/app.ts'
import { isAnswering } from '../src/stores/postgres.ts'
import { getOnly } from './http/getOnly.ts'

export function healthRouter(app: App): Router {
  const router = express.Router()
  getOnly(router, '/healthz', (_req, res) => {
    res.json({ status: 'ok' })
  })
  getOnly(router, '/readyz', async (_req, res) => {
    const postgres = await isAnswering(app.sql)
    const redis = app.redis.status === 'ready'
    app.metrics.ready.set(postgres ? 1 : 0)
    const status = postgres ? (redis ? 'ready' : 'degraded') : 'unavailable'
    res.status(postgres ? 200 : 503).json({ status, postgres: postgres ? 'up' : 'down', redis: redis ? 'up' : 'down' })
  })
  return router
}
