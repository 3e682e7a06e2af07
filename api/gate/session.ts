// How a console session comes with a request and leaves with an answer: as a cookie, or as a bearer token.
import type { IncomingHttpHeaders } from 'node:http'
import type { Signed } from '../../src/accounts/sessions.ts'
import { sessionMs } from '../../src/accounts/token.ts'
import type { App } from '../../src/app.ts'
import { forbidden } from '../../src/errors.ts'
import { isForeign } from '../http/accept.ts'
import { Answer } from '../http/route.ts'

export const sessionCookie = 'svc_session'

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
    'Set-Cookie': [cookie(app, sessionCookie, body.token, { maxAgeMs: sessionMs, path: '/' }), ...cookies],
    'Cache-Control': 'no-store',
  })

/** The header that makes a browser forget the session. */
export const forgottenSession = (app: App) => ({
  'Set-Cookie': cookie(app, sessionCookie, '', { maxAgeMs: 0, path: '/' }),
})

/** A browser sends the cookie along with whatever another site makes it ask for: such a request is refused. */
export function requireSameOrigin({ config }: App, headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site']
  const isSame = site === undefined ? !isForeign(headers, config.baseUrl) : site === 'same-origin' || site === 'none'
  if (!isSame) throw forbidden('This request comes from another site.')
}
