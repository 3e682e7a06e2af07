// Bull Board, the operator's view of the queues. It needs the administrator's token: as a bearer token, as the password of basic
// authentication, which a browser asks for, or as the cookie of a session of the console.
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { ExpressAdapter } from '@bull-board/express'
import express, { type Express, type Request, type RequestHandler, type Router } from 'express'
import type { App } from '../src/app.ts'
import { requireAdmin } from './gate/adminToken.ts'
import { requireOwnPage } from './gate/session.ts'
import { nameRoute } from './http/exchange.ts'
import { addressOf } from './http/identity.ts'

const path = '/admin/queues'

export function queueBoardRouter(app: App): Router {
  // One spelling: another one would pass a proxy that closes the path.
  const router = express.Router({ caseSensitive: true })
  router.use(path, nameRoute(path), adminOnly(app), ownPageOnly(app), headers)
  let board: RequestHandler | undefined
  // Opened by its first request: most processes never get one.
  router.use(path, (req, res, next) => {
    board ??= openBoard(app)
    board(req, res, next)
  })
  return router
}

function openBoard(app: App): RequestHandler {
  const serverAdapter = new ExpressAdapter()
  serverAdapter.setBasePath(path)
  createBullBoard({
    queues: [...app.bell.queues.values()].map((queue) => new BullMQAdapter(queue)),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'agent-calendar queues' } },
  })
  return (serverAdapter.getRouter() as Express).disable('x-powered-by')
}

const adminOnly =
  (app: App): RequestHandler =>
  async (req, res, next) => {
    const message = 'Send the administrator token, as a bearer token or as the password of any user name.'
    res.setHeader('WWW-Authenticate', 'Basic realm="agent-calendar queues", charset="UTF-8"')
    const { method, headers } = req
    await requireAdmin(app, { method, headers, ip: addressOf(req) }, tokenOf(req), message)
    res.removeHeader('WWW-Authenticate')
    next()
  }

function tokenOf({ headers }: Request): string {
  const [, scheme = '', value = ''] = /^(bearer|basic) (.+)$/i.exec(headers.authorization ?? '') ?? []
  if (scheme.toLowerCase() !== 'basic') return value
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return password
}

/** A browser adds the password by itself, also to a request that another site makes it send. */
const ownPageOnly =
  (app: App): RequestHandler =>
  ({ method, headers }, _res, next) => {
    if (method !== 'GET') requireOwnPage(app, method, headers)
    next()
  }

const headers: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; form-action 'self'",
  )
  next()
}
