// Liveness and readiness. Without Redis the service is degraded; without Postgres it is not ready.
import type { Server } from 'node:net'
import express, { type Router } from 'express'
import type { App } from '../src/app.ts'
import type { HealthAnswer } from '../src/process.ts'
import { isAnswering } from '../src/stores/postgres.ts'
import { isServing } from '../src/stores/redis.ts'
import { getOnly } from './http/getOnly.ts'

/** By path. They are answered at the port of the API, and at that of the metrics, which no client can reach. */
const healthAnswers = (app: App): Record<string, () => Promise<HealthAnswer>> => ({
  '/healthz': async () => ({ status: 200, body: { status: 'ok' } }),
  '/readyz': async () => {
    const [postgres, redis] = await Promise.all([isAnswering(app.sql), isServing(app.redis)])
    app.metrics.ready.set(postgres ? 1 : 0)
    const status = postgres ? (redis ? 'ready' : 'degraded') : 'unavailable'
    return {
      status: postgres ? 200 : 503,
      body: { status, postgres: postgres ? 'up' : 'down', redis: redis ? 'up' : 'down' },
    }
  },
})

/** Of the port of the metrics: until the port of the API is open, and once it is closed, the process is not ready. */
export const probeAnswers = (app: App, server: Server): Record<string, () => Promise<HealthAnswer>> => {
  const answers = healthAnswers(app)
  const closed = { status: 503, body: { status: 'closed' } }
  return { ...answers, '/readyz': async () => (server.listening ? answers['/readyz']!() : closed) }
}

export function healthRouter(app: App): Router {
  const router = express.Router()
  for (const [path, answer] of Object.entries(healthAnswers(app))) {
    getOnly(router, path, async (_req, res) => {
      const { status, body } = await answer()
      res.status(status).json(body)
    })
  }
  return router
}
