// `/mcp`: the checks before a message reaches the protocol, in order, and the sending of its answer.
import { readFileSync } from 'node:fs'
import express, { type Request, type Response, type Router } from 'express'
import type { App } from '../../../src/app.ts'
import type { Gate } from '../../gate/gate.ts'
import { asServiceError, countRefusal, errorRecord, logFailure, setRetryAfter } from '../../http/errors.ts'
import { applyHeaders, exchangeOf, headersWith, nameRoute } from '../../http/exchange.ts'
import { getOnly } from '../../http/getOnly.ts'
import { contextOf } from '../../http/identity.ts'
import { answerInTime } from '../../http/patience.ts'
import { allTools } from '../tools/toolTable.ts'
import { openResponder } from './mcpRequest.ts'
import { type Message, readMessage, requireJsonType } from './message.ts'
import { corsHeaders, requireAllowedOrigin, requireOwnHost } from './origins.ts'
import { Refusal } from './refusal.ts'
import { outsideViewIn, selectionOf } from './selection.ts'
import { openProtocol } from './server.ts'

const path = '/mcp'

const bridge = readFileSync(new URL('bridge.mjs', import.meta.url), 'utf8')

export function mcpRouter(app: App, gate: Gate): Router {
  const router = express.Router()
  const protocol = openProtocol(app.config)
  setZeros(app)
  // For `curl -O`: users without the repository can still connect a host that starts local programs.
  getOnly(router, `${path}/bridge.mjs`, (_req, res) => {
    applyHeaders(res)
    res.type('text/javascript').send(bridge)
  })
  router.route(path).all(nameRoute(path), async (req, res) => {
    exchangeOf(res).headers.push('Cache-Control', 'no-store')
    let message: Message | undefined
    try {
      await serve({ app, gate, protocol }, req, res, (read) => {
        message = read
      })
    } catch (error) {
      sendRefusal(app, res, error, {
        id: message?.kind === 'request' ? message.body.id : undefined,
        headers: req.headers,
      })
    }
  })
  return router
}

/** A counter that starts at 0 shows its first failure as an increase. */
function setZeros({ metrics }: App): void {
  for (const { name } of allTools)
    for (const outcome of ['refused', 'failed']) metrics.mcpCalls.inc({ tool: name, outcome }, 0)
}

type Door = { app: App; gate: Gate; protocol: ReturnType<typeof openProtocol> }

/** Throws a refusal of its own, or of the gate. */
async function serve(door: Door, req: Request, res: Response, noteMessage: (message: Message) => void): Promise<void> {
  const { app, gate, protocol } = door
  const { headers, method } = req
  requireAllowedOrigin(app.config, headers.origin)
  if (headers.origin !== undefined) exchangeOf(res).headers.push(...corsHeaders(headers.origin))
  requireOwnHost(app.config, headers.host)
  if (method === 'OPTIONS') return answerPreflight(req, res)
  if (method !== 'POST') throw new Refusal(405, 'Send a POST.', { headers: { Allow: 'POST, OPTIONS' } })
  const request = contextOf(req, {
    ...{ id: exchangeOf(res).requestId, path: req.path },
    ...{ startedAt: app.clock.now(), successStatus: 200 },
  })
  gate.requireSentKey(req, request)
  const selection = selectionOf(req.query)
  const view = outsideViewIn(req.query)
  if (view) request.outsideText = view
  requireJsonType(req)
  const message = await readMessage(req, res)
  noteMessage(message)
  if (message.kind === 'silent') {
    await gate.recognize(req, res, request)
    res.writeHead(202, headersWith(res)).end()
    return
  }
  const answer = async () => {
    const responder = await openResponder({ app, gate, req, res, request, selection }, message)
    const response = await protocol(message.body, headers, responder)
    responder.leave()
    return { response, text: await response.text() }
  }
  const { response, text } = await answerInTime({ req, route: { method: 'post' } }, answer(), () => undefined)
  send(res, response.status, text, { 'Content-Type': response.headers.get('content-type') ?? jsonType })
}

function answerPreflight({ headers }: Request, res: Response): void {
  if (headers.origin === undefined) throw new Refusal(403, 'A preflight request needs an allowed Origin.')
  res.writeHead(204, headersWith(res)).end()
}

const jsonType = 'application/json'

function send(res: Response, status: number, text: string, headers: Record<string, string> = {}): void {
  const list = headersWith(res, { 'Content-Type': jsonType, ...headers })
  list.push('Content-Length', String(Buffer.byteLength(text)))
  res.writeHead(status, list).end(text)
}

const challenge = 'Bearer realm="agent-calendar"'

/** The error of JSON-RPC; `id`: of the request, once it is known. */
function sendRefusal(
  app: App,
  res: Response,
  error: unknown,
  asked: { id: unknown; headers: Request['headers'] },
): void {
  if (error instanceof Refusal) {
    const { status, code, message, data, headers } = error
    send(res, status, JSON.stringify({ jsonrpc: '2.0', error: { code, message, data } }), headers)
    return
  }
  const known = asServiceError(error)
  const { status, message } = known
  logFailure(app, res, error)
  countRefusal(app, res, known)
  setRetryAfter(res, known)
  const id = status === 401 ? undefined : asked.id
  const shown =
    status === 500
      ? { code: -32603, message: 'Internal error' }
      : { code: status, message, data: errorRecord(known, exchangeOf(res).requestId) }
  const text = JSON.stringify({ jsonrpc: '2.0', id, error: shown })
  send(res, status, text, status === 401 ? { 'WWW-Authenticate': challengeFor(asked.headers, message) } : {})
}

/** A header takes only ASCII. */
const challengeFor = ({ authorization }: Request['headers'], message: string): string =>
  authorization === undefined
    ? challenge
    : `${challenge}, error="invalid_token", error_description="${message.replaceAll('…', '...').replaceAll('"', "'")}"`
