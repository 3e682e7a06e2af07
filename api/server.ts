// The HTTP server: every step that a request takes, in order, on one screen.
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import type { App } from '../src/app.ts'
import { returns } from '../src/connections/finishOauth.ts'
import { unknownChannels } from '../src/externalCalendars/push.ts'
import { isTracing, type SpanOptions, startSpan } from '../src/observability/tracing.ts'
import { heavyReadKinds } from '../src/quotas/heavyReads.ts'
import { outcomes } from '../src/webhooks/outcome.ts'
import { openRunners } from './approvals.ts'
import { consoleRouter } from './console/router.ts'
import { signInLinkRouter } from './console/signInLink.ts'
import { docsRouter } from './docs/router.ts'
import { endpoint } from './endpoint.ts'
import { adminTokenGuesses } from './gate/adminToken.ts'
import type { Gate } from './gate/gate.ts'
import { healthRouter } from './health.ts'
import { errorAnswer, otherMethods } from './http/errors.ts'
import { applyHeaders, type Exchange, exchangeOf, nameRoute, openExchange } from './http/exchange.ts'
import { trustOf } from './http/identity.ts'
import type { Route } from './http/route.ts'
import { mcpRouter } from './mcp/protocol/endpoint.ts'
import { pageAssets } from './pages/assets.ts'
import { queueBoardRouter } from './queueBoard.ts'
import { routes } from './routes.ts'
import { unknownRoute } from './unknownRoute.ts'

export function openServer(app: App, gate: Gate, table: readonly Route[] = routes): Express {
  const server = express()
  server.disable('x-powered-by')
  server.disable('etag')
  server.set('query parser', 'simple')
  server.set('trust proxy', trustOf(app.config))
  server.use(observe(app))
  setZeros(app, table)
  openRunners(app)
  server.use(routesOf(app, gate, table))
  server.use(mcpRouter(app, gate))
  server.use(withHeaders)
  server.use(healthRouter(app))
  server.use(docsRouter(app, routes))
  server.use(queueBoardRouter(app))
  server.use(pageAssets())
  server.use(signInLinkRouter(app))
  server.use(consoleRouter())
  server.use(unknownRoute(table))
  server.use(errorAnswer(app))
  return server
}

/** A counter that starts at 0 shows its first refusal as an increase. */
function setZeros({ metrics }: App, table: readonly Route[]) {
  for (const outcome of outcomes) metrics.webhookTests.inc({ outcome }, 0)
  for (const kind of heavyReadKinds) metrics.heavyReadRefusals.inc({ kind }, 0)
  for (const { perAddress } of table) if (perAddress) metrics.throttleRefusals.inc({ limit: perAddress.name }, 0)
  for (const { name } of [adminTokenGuesses, returns, unknownChannels]) metrics.throttleRefusals.inc({ limit: name }, 0)
}

/** The status that proxies log when the client hangs up before its answer. */
const hungUp = 499

/** Names the request and measures it. */
function observe(app: App): RequestHandler {
  const { httpRequestsInFlight, httpRequestDuration } = app.metrics

  // One listener for all requests. An answer closes once.
  function finish(this: Response) {
    const { requestId, method, route, startedMs, waitedMs, span } = exchangeOf(this)
    const status = this.headersSent ? this.statusCode : hungUp
    const labels = { method, route, status }
    const seconds = Math.max(0, performance.now() - startedMs - waitedMs) / 1000
    httpRequestsInFlight.now--
    httpRequestDuration.observe(labels, seconds)
    if (app.log.isLevelEnabled('debug')) {
      const log = () => app.log.debug({ request_id: requestId, ...labels, seconds }, 'request')
      if (span) span.run(log)
      else log()
    }
    if (!span) return
    span.rename(`${method} ${route}`)
    span.set({ 'http.route': route, 'http.response.status_code': status })
    span.end(status >= 500 ? { code: status } : undefined)
  }

  return (req, res, next) => {
    const exchange = openExchange(req, res)
    httpRequestsInFlight.now++
    res.on('close', finish)
    if (isTracing()) exchange.span = startSpan(exchange.method, serverSpan(req, exchange))
    if (exchange.span) exchange.span.run(next)
    else next()
  }
}

/** Continues the trace of a trusted proxy. A client's trace becomes only a link: it must not decide what is sampled. */
function serverSpan(req: Request, { method, requestId }: Exchange): SpanOptions {
  const isTrusted = req.app.get('trust proxy fn')(req.socket.remoteAddress, 0) as boolean
  const traceparent = req.headers.traceparent as string | undefined
  return {
    kind: 'server',
    attributes: { 'http.request.method': method, 'calendar.request.id': requestId },
    ...(isTrusted ? { from: traceparent } : { links: [traceparent] }),
  }
}

/** For answers outside the table of routes. */
const withHeaders: RequestHandler = (_req, res, next) => {
  applyHeaders(res)
  next()
}

/** Finds the routes of one noun, `/v1/calendars` of `/v1/calendars/:id`, so that a request walks no others. */
function routesOf(app: App, gate: Gate, table: readonly Route[]): RequestHandler {
  const groups = Map.groupBy(table, ({ path }) => nounOf(path))
  const routers = new Map([...groups].map(([noun, group]) => [noun, routerOf(app, gate, group)]))
  return (req, res, next) => {
    const router = routers.get(nounOf(req.path))
    if (router) router(req, res, next)
    else next()
  }
}

/** Like Express, ignores the case of letters in a path. */
const nounOf = (path: string): string => (/^\/(?:v1\/)?[^/]*/i.exec(path)?.[0] ?? path).toLowerCase()

/** The paths of operators have one spelling each, so that none passes a proxy that closes them. */
function routerOf(app: App, gate: Gate, group: readonly Route[]) {
  const router = express.Router({ caseSensitive: group.some(({ access }) => access === 'admin') })
  for (const [pattern, samePath] of Map.groupBy(group, ({ path }) => path)) {
    const path = router.route(pattern)
    for (const route of samePath) path[route.method](endpoint(app, gate, route))
    path.all(nameRoute(pattern), otherMethods(samePath.map((route) => route.method.toUpperCase()).join(', ')))
  }
  return router
}
