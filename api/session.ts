// How a console session comes with a request and leaves with an answer: as a cookie, or as a bearer token.
import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../src/app.ts'
import { forbidden, ServiceError, unauthenticated } from '../src/errors.ts'
import { requireSession, type Signed } from '../src/sessions/sessions.ts'
import { sessionMs } from '../src/sessions/token.ts'
import { isForeign } from './pages/accept.ts'
import { Answer } from './route.ts'

const cookieName = 'svc_session'

/** `Secure`, unless the installation itself is reached over plain HTTP. */
export function cookie(app: App, name: string, value: string, { maxAgeMs, path }: { maxAgeMs: number; path: string }) {
  const secure = app.config.baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${Math.floor(maxAgeMs / 1000)}; HttpOnly; SameSite=Lax${secure}`
}

export const cookieOf = (headers: IncomingHttpHeaders, name: string): string | undefined =>
  (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** The answer to a sign-in: the token in the body for programs, in a cookie for browsers. */
export const signedIn = (app: App, status: number, body: Signed & { org: unknown }, ...cookies: string[]): Answer =>
  new Answer(status, body, {
    'Set-Cookie': [cookie(app, cookieName, body.token, { maxAgeMs: sessionMs, path: '/' }), ...cookies],
    'Cache-Control': 'no-store',
  })

/** The header that makes a browser forget the session. */
export const forgottenSession = (app: App) => ({
  'Set-Cookie': cookie(app, cookieName, '', { maxAgeMs: 0, path: '/' }),
})

/** The token of a request; what it says is not looked at yet. */
export function sessionToken(app: App, method: string, headers: IncomingHttpHeaders): string {
  if (headers.authorization !== undefined) {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.authorization)?.[1]
    if (!token) throw unauthenticated('This needs a console session. API keys are refused here.')
    return token
  }
  const token = cookieOf(headers, cookieName)
  if (!token)
    throw unauthenticated('This needs a console session: sign in, and send its cookie or its token as bearer.')
  if (method !== 'get') requireSameOrigin(app, headers)
  return token
}

/** The organization that a caller of a public route is signed in for; undefined where no good session comes along. */
export async function sessionOf(app: App, method: string, headers: IncomingHttpHeaders): Promise<string | undefined> {
  if (headers.authorization === undefined && cookieOf(headers, cookieName) === undefined) return undefined
  try {
    return (await requireSession(app, sessionToken(app, method, headers))).orgId
  } catch (error) {
    if (error instanceof ServiceError && error.type === 'authentication_error') return undefined
    throw error
  }
}

/** A browser sends the cookie along with whatever another site makes it ask for: such a request is refused. */
export function requireSameOrigin({ config }: App, headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site']
  const isSame = site === undefined ? !isForeign(headers, config.baseUrl) : site === 'same-origin' || site === 'none'
  if (!isSame) throw forbidden('This request comes from another site.')
}
