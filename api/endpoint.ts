// Makes an Express handler of a route: checks who may call, then the input, makes the one call, and sends the answer.
import { Readable } from 'node:stream'
import type { Request, RequestHandler, Response } from 'express'
import { organizationHeader } from '../src/accounts/sessions.ts'
import type { RequestContext } from '../src/actors/actor.ts'
import { requireWriter } from '../src/actors/guardrails.ts'
import type { App } from '../src/app.ts'
import type { StoredRequest } from '../src/approvals/stored.ts'
import type { Reader } from '../src/changeFeed/reader.ts'
import { type Answering, inAnswer, leavePlaces } from '../src/quotas/heavyReads.ts'
import { spendLoopTime } from '../src/quotas/loopShare.ts'
import { throttleAddress } from '../src/quotas/throttle.ts'
import { readKey } from '../src/storedResponses/key.ts'
import { requireAdmin } from './gate/adminToken.ts'
import type { Admission, Gate } from './gate/gate.ts'
import { dropTermsHeader } from './gate/headers.ts'
import { heldBackAction, holdBack, subjectIdsOf } from './gate/heldBack.ts'
import { answerDry, newDryRun } from './http/dryRun.ts'
import { asServiceError, countRefusal, errorRecord, logFailure, setRetryAfter } from './http/errors.ts'
import { exchangeOf } from './http/exchange.ts'
import { contextOf, recordedPath } from './http/identity.ts'
import { runInPlace } from './http/inPlace.ts'
import { inputOf, type SentBody } from './http/input.ts'
import { askedView, shownAnswer } from './http/outsideText.ts'
import { answerInTime } from './http/patience.ts'
import { Answer, gatedBy, isMutation, RawAnswer, type Route } from './http/route.ts'
import { send, sendRaw } from './http/send.ts'
import { isDryRun } from './http/switches.ts'
import { readPreconditions } from './http/tags.ts'
import { type RestCall, runKeyedOnce, sentKeysOf } from './once.ts'

export const endpoint = (app: App, gate: Gate, route: Route): RequestHandler =>
  route.showError ? showingErrors(app, route, answering(app, gate, route)) : answering(app, gate, route)

const answering =
  (app: App, gate: Gate, route: Route) =>
  async (req: Request, res: Response): Promise<void> => {
    const exchange = exchangeOf(res)
    exchange.route = route.path
    const request = contextOf(req, {
      id: exchange.requestId,
      path: recordedPath(route, req),
      startedAt: app.clock.now(),
      successStatus: route.success.status,
    })
    // Keys, secrets and calendars stay out of every cache; a route whose answer may be cached says so itself.
    exchange.headers.push('Cache-Control', 'no-store')
    const asked = { app, route, req, res, request }
    const { answer, answering, admission } = await answerInTime(asked, answerOf(gate, asked), forget)
    try {
      if (route.acceptsTerms && !request.dryRun) dropTermsHeader(exchange.headers)
      // Sending waits for a slow client, so this comes first.
      if (answering.leaving.length > 0) leaveWhenWritten(res, answering)
      await send(res, route, answer, (ms) => answering.orgId && spendLoopTime(app, answering.orgId, ms))
    } catch (error) {
      admission?.refund(error)
      throw error
    } finally {
      // An error that is still to be answered has written nothing.
      if (!res.headersSent || res.writableFinished || res.closed) leavePlaces(answering)
      else if (answering.leaving.length > 0) leaveWhenWritten(res, answering)
    }
  }

type Answered = { answer: unknown; answering: Answering; admission: Admission | undefined }

/** The answer of the route, with the places of its reads, which stay taken until it is sent. */
async function answerOf(gate: Gate, asked: Omit<RestCall, 'admission'>): Promise<Answered> {
  const { app, route, req, res, request } = asked
  if (route.perAddress) await throttleAddress(app, route.perAddress, request.ip)
  const keys = sentKeysOf(route, req)
  if (isDryRun(route, req)) request.dryRun = newDryRun()
  const view = askedView(route, req)
  if (view) request.outsideText = view
  const isSpentLater = keys !== undefined && request.dryRun === undefined
  if (route.organizationOf) await nameOrganization(app, route, req)
  const admission = await admit(app, gate, route, req, res, request, isSpentLater)
  const answering: Answering = { orgId: admission?.actor.orgId, leaving: [], isOver: false }
  try {
    readPreconditions(route, req, request)
    const answer = await inAnswer(answering, () => answerTo({ ...asked, admission }, keys))
    return { answer: await shownAnswer(app, admission?.actor, answer, req.params.id), answering, admission }
  } catch (error) {
    admission?.refund(error)
    leavePlaces(answering)
    throw error
  }
}

/** An answer that came too late to be sent. */
function forget({ answer, answering }: Answered): void {
  leavePlaces(answering)
  if (answer instanceof RawAnswer && answer.body instanceof Readable) answer.body.destroy()
}

/** A slow client keeps its place no longer than this. */
const maxWritingMs = 5_000

function leaveWhenWritten(res: Response, answering: Answering): void {
  const slow = setTimeout(leave, maxWritingMs)
  function leave() {
    clearTimeout(slow)
    leavePlaces(answering)
  }
  res.once('finish', leave).once('close', leave)
}

function answerTo(call: RestCall, keys: readonly string[] | undefined): Promise<unknown> {
  const { app, route, request } = call
  if (request.dryRun) {
    // A dry run needs no key, but a malformed one would be refused.
    if (keys) readKey(keys)
    return answerDry(app, route, request, () => run(call))
  }
  return keys ? runKeyedOnce(call, keys, run) : run(call)
}

async function run(call: RestCall, given?: SentBody): Promise<unknown> {
  const { app, route, req, res, request, admission } = call
  if (given) await admission?.spendBudget()
  const { sent, ...input } = await inputOf(route, req, res, given)
  const actor = admission?.actor
  const reader = route.waits && admission ? readerOf(res, admission) : undefined
  const runIn = (context: RequestContext) => {
    const own = actor && (context === request ? actor : { ...actor, request: context })
    return runInPlace(route, { app, actor: own, request: context, headers: req.headers, reader, ...input })
  }
  if (!admission || !isMutation(route)) return runIn(request)
  requireWriter(admission.actor)
  if (!admission.actor.guardrails?.approval) return runIn(request)
  const fields = { ...(input.query as object), ...(input.body as object) }
  const action = heldBackAction(admission.actor, route.operationId, fields)
  if (action === undefined) return runIn(request)
  const ids = subjectIdsOf(route.operationId, { ...fields, ...(input.params as object) })
  const body = await holdBack({
    ...{ app, actor: admission.actor, action, fields, ids, trial: runIn },
    stored: storedRequestOf(call, sent),
  })
  // The budget is spent when the request happens.
  admission.refund(undefined)
  return new Answer(202, body)
}

const storedRequestOf = ({ route, req, request }: RestCall, sent: unknown): StoredRequest => ({
  ...{ door: 'rest', operation: route.operationId, method: req.method, path: request.path, params: req.params },
  ...{ query: { ...req.query, dry_run: undefined }, body: sent, ifMatch: request.ifMatch },
})

function readerOf(res: Response, { giveBackCall, takeCall }: Admission): Reader {
  const gone = new AbortController()
  // Every abort makes an error with its stack.
  res.once('close', () => {
    if (!res.writableFinished) gone.abort()
  })
  return {
    gone: gone.signal,
    giveBackCall,
    takeCall,
    waited(ms) {
      exchangeOf(res).waitedMs += ms
    },
    bodyOf: (error) => ({ error: errorRecord(error, exchangeOf(res).requestId) }),
  }
}

/** An error that the route cannot show itself gets the JSON answer. */
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
      logFailure(app, res, error)
      countRefusal(app, res, refusal)
      await sendRaw(res, shown)
    }
  }

/** Undefined at once for a public route. */
function admit(
  app: App,
  gate: Gate,
  route: Route,
  req: Request,
  res: Response,
  request: RequestContext,
  later: boolean,
): Promise<Admission | undefined> | undefined {
  if (route.access === 'public') return undefined
  return route.access === 'admin'
    ? admitAdmin(app, req, request)
    : gate.admit(gatedBy(route, req.headers), req, res, request, later)
}

/** A session acts in the organization that the path is about, unless the request names one. */
async function nameOrganization(app: App, { organizationOf }: Route, { headers, params }: Request): Promise<void> {
  const named = await organizationOf?.(app, params as Record<string, string>)
  if (named !== undefined) headers[organizationHeader.toLowerCase()] ??= named
}

async function admitAdmin(app: App, { method, headers }: Request, { ip }: RequestContext): Promise<undefined> {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  await requireAdmin(app, { method, headers, ip }, given, 'Send the administrator token: Authorization: Bearer …')
}
