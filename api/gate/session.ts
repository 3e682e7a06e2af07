// The cookie of a console session, in requests and in answers; programs use its token as a bearer token instead.
import type { IncomingHttpHeaders } from 'node:http'
import type { SignedIn } from '../../src/accounts/sessions.ts'
import { sessionMs } from '../../src/accounts/token.ts'
import type { Actor } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { forbidden } from '../../src/errors.ts'
import { isForeign } from '../http/accept.ts'
import { Answer } from '../http/route.ts'

export const sessionCookie = 'svc_session'

type CookieOptions = { maxAgeMs: number; path: string; sameSite?: 'Lax' | 'Strict' }

/** `Secure`, unless the base URL of the installation is plain HTTP. */
export function cookie(app: App, name: string, value: string, { maxAgeMs, path, sameSite = 'Lax' }: CookieOptions) {
  const secure = app.config.baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${Math.floor(maxAgeMs / 1000)}; HttpOnly; SameSite=${sameSite}${secure}`
}

export const cookieOf = (headers: IncomingHttpHeaders, name: string): string | undefined =>
  (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** The answer to a sign-in: the token is in the body for programs, and in a cookie for browsers. */
export const signedIn = (app: App, status: number, body: SignedIn & { org: unknown }, ...cookies: string[]): Answer =>
  new Answer(status, body, {
    'Set-Cookie': [cookie(app, sessionCookie, body.token, { maxAgeMs: sessionMs, path: '/' }), ...cookies],
    'Cache-Control': 'no-store',
  })

/** The header with which a browser deletes the cookie of the session. */
export const forgottenSession = (app: App) => ({
  'Set-Cookie': cookie(app, sessionCookie, '', { maxAgeMs: 0, path: '/' }),
})

/** The same where only the membership has ended: the session ends with it if it was in this organization. */
export const endedOwnSession = (app: App, { orgId, session }: Pick<Actor, 'orgId' | 'session'>) =>
  session?.ownOrgId === orgId ? forgottenSession(app) : {}

/**
 * For credentials that a browser adds by itself to a request: a cookie, a password. A browser that sends neither an origin nor
 * a preflight (CORS) may send it for the page of another site.
 */
export function requireOwnPage(app: App, method: string, headers: IncomingHttpHeaders): void {
  requireSameOrigin(app, headers)
  const saysOrigin = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
  if (!saysOrigin && !isAskedFirst(method, headers)) throw forbidden(originMissing)
}

/** A page may send anything else to another site without asking. */
const isAskedFirst = (method: string, headers: IncomingHttpHeaders): boolean =>
  method.toLowerCase() !== 'post' || /^application\/json\b/i.test(headers['content-type'] ?? '')

const originMissing =
  'With a cookie, this needs Origin or Sec-Fetch-Site, as browsers send them. Programs send the token instead: Authorization: Bearer ….'

/** Refuses requests that another site makes the browser send: it adds the cookie to those, too. */
export function requireSameOrigin({ config }: App, headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site']
  const isSame = site === undefined ? !isForeign(headers, config.baseUrl) : site === 'same-origin' || site === 'none'
  if (!isSame) throw forbidden('This request comes from another site.')
}
