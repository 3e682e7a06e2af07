// Requests with an Idempotency-Key: which requests may have one, and what the key identifies.
import type { Request, Response } from 'express'
import type { RequestContext, ResponseKey } from '../src/actors/actor.ts'
import type { App } from '../src/app.ts'
import { installation, keyHeader, readKey, responseKeyOf } from '../src/storedResponses/key.ts'
import { runOnce } from '../src/storedResponses/runOnce.ts'
import type { Admission } from './gate/gate.ts'
import { type SentBody, sentBody } from './http/input.ts'
import { type Route, takesKeys } from './http/route.ts'

const header = keyHeader.toLowerCase()

/** The value of the header, each time it was sent; undefined if it is empty. */
export const sentKeysOf = (route: Route, req: Request): readonly string[] | undefined =>
  takesKeys(route) && req.headers[header] !== undefined ? req.headersDistinct[header] : undefined

/** A request that passed the gate. */
export type RestCall = {
  app: App
  route: Route
  req: Request
  res: Response
  request: RequestContext
  admission: Admission | undefined
}

/** Runs a request with a key, unless it has its answer. The body is read first, because the answer belongs to it as well. */
export async function runKeyedOnce(
  call: RestCall,
  keys: readonly string[],
  run: (call: RestCall, body: SentBody) => Promise<unknown>,
): Promise<unknown> {
  const { app, route, req, res, request, admission } = call
  const key = readKey(keys)
  const body = { sent: await sentBody(route, req, res) }
  const responseKey = answerKeyFor(key, call, body)
  // A form that redirects to another page has no success that could be stored.
  if (route.success.status < 300) request.responseKey = responseKey
  return runOnce(app, { ...responseKey, fingerprintFor: () => responseKey.fingerprint }, () =>
    run(call, body).catch((error) => {
      admission?.refund(error)
      throw error
    }),
  )
}

/**
 * The keys of an agent are its own, those of an organization are of all its keys and sessions. A route that takes sessions alone
 * answers a person, so that there each member has keys of their own.
 */
function answerKeyFor(key: string, call: RestCall, { sent }: SentBody): ResponseKey {
  const { req, route, admission } = call
  const { orgId = installation, agentId, member } = admission?.actor ?? {}
  const scope = (route.access === 'session' ? member?.accountId : agentId) ?? orgId
  const query = req.url.split('?')[1] ?? ''
  // Its own path: that of a record may lack a token, and then all tokens would share a key.
  const { method, path, headers } = req
  return responseKeyOf(orgId, scope, key, { method, path, query, ifMatch: headers['if-match'], body: sent })
}
