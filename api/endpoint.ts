// Makes an Express handler of a route: checks who may call, then the input, makes the one call, and sends the answer.
import { pipeline } from 'node:stream/promises'
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import type { RequestContext } from '../src/actors/actor.ts'
import type { App } from '../src/app.ts'
import { ServiceError } from '../src/errors.ts'
import { type HeavyReadKind, heavyRead } from '../src/quotas/heavyReads.ts'
import { throttleAddress } from '../src/quotas/throttle.ts'
import { requireAdminToken } from './gate/adminToken.ts'
import type { Admission, Gate } from './gate/gate.ts'
import { dropTermsHeader } from './gate/headers.ts'
import { readBody } from './http/body.ts'
import { asServiceError, logFailure, setRetryAfter } from './http/errors.ts'
import { contextOf } from './http/identity.ts'
import { readParams, readQuery } from './http/parameters.ts'
import { Answer, RawAnswer, type Route } from './http/route.ts'
import { validate } from './http/validation.ts'

export const endpoint = (app: App, gate: Gate, route: Route): RequestHandler =>
  route.showError ? showingErrors(app, route, answering(app, gate, route)) : answering(app, gate, route)

const answering =
  (app: App, gate: Gate, route: Route) =>
  async (req: Request, res: Response): Promise<void> => {
    const request = contextOf(req, res, route.success.status, app.clock.now())
    // Keys, secrets and calendars stay out of every cache; a route whose answer may be cached says so itself.
    res.setHeader('Cache-Control', 'no-store')
    if (route.perAddress) await throttleAddress(app, route.perAddress, request.ip)
    const admission = await admit(app, gate, route, req, res, request)
    try {
      const { headers } = req
      const call = { app, actor: admission?.actor, request, headers, ...(await inputOf(route, req, res)) }
      const answer = await runInPlace(route, call)
      if (route.acceptsTerms) dropTermsHeader(res)
      await send(res, route, answer)
    } catch (error) {
      admission?.refund(error)
      throw error
    }
  }

/** Beyond this, an offset is expensive: Postgres has to read every row that it skips. */
const deepOffset = 1_000

type AnyCall = Parameters<Route['run']>[0]

function runInPlace(route: Route, call: AnyCall): Promise<unknown> {
  const { app, actor, query } = call
  const kind = heavyKindOf(route, query)
  return kind && actor ? heavyRead(app, actor.orgId, kind, () => route.run(call)) : route.run(call)
}

function heavyKindOf({ heavy }: Route, query: unknown): HeavyReadKind | undefined {
  if (heavy && (!heavy.when || heavy.when(query))) return heavy.kind
  return ((query as { offset?: number } | undefined)?.offset ?? 0) > deepOffset ? 'list' : undefined
}

/** An error that the route cannot show itself goes on to the JSON answer. */
const showingErrors =
  (app: App, { showError }: Route, answer: ReturnType<typeof answering>): RequestHandler =>
  async (req, res) => {
    try {
      await answer(req, res)
    } catch (error) {
      if (res.headersSent) throw error
      const { headers, params, query, body } = req
      const refusal = asServiceError(error)
      const shown = await showError?.(refusal, { app, headers, params, query, body })
      if (!shown) throw error
      setRetryAfter(res, refusal)
      logFailure(app, req, res, error)
      await sendRaw(res, shown)
    }
  }

const jsonType = 'application/json; charset=utf-8'

/** Written directly, because Express' `res.json` takes a twentieth of the time of a small request. */
function send(res: Response, route: Route, answer: unknown): Promise<void> | undefined {
  if (answer instanceof RawAnswer) return sendRaw(res, answer)
  const own = answer instanceof Answer ? answer : undefined
  const status = own ? own.status : route.success.status
  if (status === 204) {
    res.writeHead(204, own?.headers).end()
    return undefined
  }
  const text = JSON.stringify(own ? own.body : answer)
  res
    .writeHead(status, { 'Content-Type': jsonType, 'Content-Length': Buffer.byteLength(text), ...own?.headers })
    .end(text)
  return undefined
}

/**
 * A body that fails halfway ends the connection, so that no client takes a part for the whole, and its error is thrown. A
 * client that hangs up is not a failure.
 */
async function sendRaw(res: Response, { status, headers, body }: RawAnswer): Promise<void> {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    const length = body === undefined || status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body) }
    res.writeHead(status, { ...headers, ...length }).end(body)
    return
  }
  res.writeHead(status, headers)
  await pipeline(body, res).catch((error: NodeJS.ErrnoException) => {
    // The pipeline does not close a body that it never read.
    body.destroy()
    if (!isHangUp(error)) throw error
  })
}

/** The answer was closed before or while it was written. */
const isHangUp = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_STREAM_UNABLE_TO_PIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'

async function admit(
  app: App,
  gate: Gate,
  route: Route,
  req: Request,
  res: Response,
  request: RequestContext,
): Promise<Admission | undefined> {
  if (route.access === 'public') return undefined
  if (route.access === 'admin') {
    const given = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? ''
    await requireAdminToken(app, request.ip, given, 'Send the administrator token: Authorization: Bearer …')
    return undefined
  }
  return gate.admit(route, req, res, request)
}

async function inputOf(route: Route, req: Request, res: Response) {
  return {
    params: route.params && validate(route.params, readParams(req), 'path'),
    query: validate(route.query ?? noFields, readQuery(req), 'query'),
    body: await bodyOf(route, req, res),
  }
}

const noFields = z.strictObject({})

/** Without a schema any field is refused like an unknown key; GET and DELETE ignore a body. */
async function bodyOf(route: Route, req: Request, res: Response): Promise<unknown> {
  if (!route.body && (route.method === 'get' || route.method === 'delete')) return undefined
  try {
    return validate(route.body ?? noFields, await readBody(req, res, { form: route.form === true }), 'body')
  } catch (error) {
    const { invalidBody } = route
    if (!invalidBody || !(error instanceof ServiceError)) throw error
    const { type, status = error.status } = invalidBody
    throw new ServiceError(type, error.message, { ...error.detail, status })
  }
}
