// The credential of a request: an API key or a console session. Whether it is valid is checked later.
import type { IncomingHttpHeaders } from 'node:http'
import { organizationHeader, requireSession } from '../../src/accounts/sessions.ts'
import { reauthenticationOf } from '../../src/actors/reauthentication.ts'
import type { App } from '../../src/app.ts'
import { invalid, ServiceError, unauthenticated } from '../../src/errors.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import type { Route } from '../http/route.ts'
import { cookieOf, requireOwnPage, requireSameOrigin, sessionCookie } from './session.ts'

/** `organization`: that of this request, as it was sent. `isCookie`: a browser added it. */
export type SessionCredential = { kind: 'session'; token: string; organization: string | undefined; isCookie: boolean }
export type Credential = { kind: 'key'; secret: string } | SessionCredential

const keyPattern = /^Bearer (svc_(?:sk|ak)_[A-Za-z0-9_-]{8,200})$/i
const tokenPattern = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i

/** Throws 401 unless an API key is sent. A session, or a key in another header, does not count. */
export function requireSentKey({ authorization }: IncomingHttpHeaders): void {
  if (authorization === undefined) throw unauthenticated(needsKey)
  if (!keyPattern.test(authorization)) throw unauthenticated(malformedKey)
}

/** The cookie counts only without an `Authorization` header, and may write only from our own pages. */
export function credentialOf(
  app: App,
  { access, method }: Pick<Route, 'access' | 'method'>,
  headers: IncomingHttpHeaders,
): Credential {
  const { authorization } = headers
  if (authorization !== undefined) {
    const secret = access === 'session' ? undefined : keyPattern.exec(authorization)?.[1]
    if (secret) return { kind: 'key', secret }
    const token = tokenPattern.exec(authorization)?.[1]
    if (token) return sessionCredential(token, headers, false)
    throw unauthenticated(access === 'session' ? onlySession(authorization) : malformed)
  }
  const token = cookieOf(headers, sessionCookie)
  if (token) {
    if (method !== 'get') requireOwnPage(app, method, headers)
    return sessionCredential(token, headers, true)
  }
  if (access === 'session') throw unauthenticated(`${needsSession} ${signIn}`)
  throw unauthenticated(headers['x-api-key'] === undefined ? needsKey : wrongHeader)
}

const sessionCredential = (token: string, headers: IncomingHttpHeaders, isCookie: boolean): SessionCredential => {
  const named = headers[organizationHeader.toLowerCase()]
  return { kind: 'session', token, organization: named?.toString(), isCookie }
}

/**
 * The token of the visitor of a page, if one is sent; undefined if not. A form there carries a secret of its own, so its browser
 * need not say where it comes from. Throws 401 as `credentialOf` does.
 */
export function pageToken(app: App, method: Route['method'], headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization === undefined) {
    if (cookieOf(headers, sessionCookie) === undefined) return undefined
    if (method !== 'get') requireSameOrigin(app, headers)
  }
  const credential = credentialOf(app, { access: 'session', method: 'get' }, headers)
  return credential.kind === 'session' ? credential.token : undefined
}

/** The session of the caller of a public route; undefined without a valid one. */
export async function sessionOf(app: App, method: Route['method'], headers: IncomingHttpHeaders) {
  try {
    const token = pageToken(app, method, headers)
    return token === undefined ? undefined : await requireSession(app, token)
  } catch (error) {
    if (error instanceof ServiceError && error.type === 'authentication_error') return undefined
    throw error
  }
}

/** For a start at a provider that shows again who the caller is. Throws 401 without a session, 400 for an account that shows it otherwise. */
export async function requireProviderSession(app: App, headers: IncomingHttpHeaders): Promise<Uuid> {
  const token = pageToken(app, 'get', headers)
  if (token === undefined) throw unauthenticated(`${needsSession} ${signIn}`)
  const { sessionId, session } = await requireSession(app, token)
  const { methods } = reauthenticationOf(session)
  if (!methods.includes('provider')) throw invalid(`purpose: this account shows it with its ${methods[0]}`, 'purpose')
  return sessionId
}

const needsKey = 'Send an API key: Authorization: Bearer svc_sk_…'
const wrongHeader = 'X-API-Key is not supported. Send the key as Authorization: Bearer svc_sk_…'
const malformed =
  'The Authorization header is malformed. Send Bearer and an API key (svc_sk_… or svc_ak_…) or the token of a session.'
const malformedKey = 'The Authorization header is malformed. Send Bearer and an API key: svc_sk_… or svc_ak_….'
const needsSession = 'This needs a console session.'
const signIn = 'Sign in with POST /v1/auth/signin, then send the cookie, or the token as a bearer token.'

const onlySession = (authorization: string): string =>
  /^Bearer svc_/i.test(authorization)
    ? `${needsSession} An API key does not work here. ${signIn}`
    : `${needsSession} The Authorization header is malformed. ${signIn}`
