// The common parts of the pages on which a human connects calendars. They work without a script. Opening one changes nothing.
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { signIn } from '../../src/accounts/signIn.ts'
import { sessionMs } from '../../src/accounts/token.ts'
import type { Actor, RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { forbidden, ServiceError, unauthenticated } from '../../src/errors.ts'
import { minuteMs } from '../../src/shapes/durations.ts'
import type { Uuid } from '../../src/shapes/ids.ts'
import { pageActor } from '../gate/pageSession.ts'
import { cookie, requireSameOrigin, sessionCookie } from '../gate/session.ts'
import { challenging } from '../gate/signInChallenge.ts'
import { asksForHtml } from '../http/accept.ts'
import { RawAnswer, type RefusedCall } from '../http/route.ts'
import { connectHeaders, connectRefusal } from '../pages/connectFrame.ts'
import { signedInElsewherePage, signInPage } from '../pages/connectSignIn.ts'
import { toFactorPage } from '../pages/secondFactor.ts'

export const looks = { name: 'connect', max: 60, windowMs: minuteMs }
export const forms = { name: 'connect_post', max: 10, windowMs: minuteMs }
export const common = { tag: 'Connect pages', access: 'public', asksOthers: true } as const
export const signedIn = {
  tag: 'Connect pages',
  access: 'session',
  role: 'viewer',
  activated: true,
  asksOthers: true,
} as const
export const signInForm = z
  .strictObject({ email: z.string().max(320), password: z.string().max(1000) })
  .meta({ example: { email: 'ada@example.com', password: 'correct horse battery' } })
/** Proof that a form comes from our page. */
export const formTokenField = z.string().max(100).optional()
export const page = { schema: z.string(), contentType: 'text/html', headers: connectHeaders }
export const elsewhere = {
  status: 303,
  description: 'To the next page.',
  headers: ['Location', 'Cache-Control'] as const,
}

export const signInFirst = 'Sign in first.'
const otherOrganization = 'You are signed in to another organization.'

/** For a page that needs a session: the sign-in page instead. */
export async function showError(error: ServiceError, { app, headers, params }: RefusedCall) {
  if (!asksForHtml(headers)) return undefined
  const { token } = (params ?? {}) as { token?: string }
  const path = token === undefined ? '/connect' : `/connect/${encodeURIComponent(token)}`
  if (error.status === 401) return signInPage(app, 401, path, error.message === signInFirst ? undefined : error.message)
  if (error.status === 403 && error.message === otherOrganization) return signedInElsewherePage(app, path)
  return connectRefusal(app, error)
}

export const seeOther = (app: App, path: string, headers: Record<string, string> = {}) =>
  new RawAnswer(303, { Location: `${app.config.baseUrl}${path}`, 'Cache-Control': 'no-store', ...headers })

export const toProvider = ({ authorization_url }: { authorization_url: string }) =>
  new RawAnswer(303, { Location: authorization_url, 'Cache-Control': 'no-store' })

export type PageRequest = { app: App; headers: IncomingHttpHeaders; request: RequestContext }

/** The member at a page of an organization. Throws 401 without a session, 403 for that of somebody who does not belong to it. */
export async function requireVisitor(
  { app, headers, request }: PageRequest,
  path: string,
  orgId: Uuid,
): Promise<Actor> {
  const actor = await pageActor(app, headers, request, path, orgId).catch((error) => {
    throw error instanceof ServiceError && error.type === 'not_found' ? forbidden(otherOrganization) : error
  })
  if (!actor) throw unauthenticated(signInFirst)
  return actor
}

export async function enterFrom(
  { app, headers, request }: PageRequest,
  path: string,
  body: z.infer<typeof signInForm>,
) {
  requireSameOrigin(app, headers)
  const enter = async () => {
    const { token } = await signIn(app, request, body)
    return seeOther(app, path, { 'Set-Cookie': cookie(app, sessionCookie, token, { maxAgeMs: sessionMs, path: '/' }) })
  }
  return challenging(app, enter, (sent) => toFactorPage(app, path, sent))
}
