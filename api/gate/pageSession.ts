// The visitor of a page: the session of their browser, if there is one, and the token that ties their forms to it.
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { requireSession } from '../../src/accounts/sessions.ts'
import type { Actor, RequestContext } from '../../src/actors/actor.ts'
import type { App } from '../../src/app.ts'
import { accountWaitlisted, forbidden, ownFactorRequired, ServiceError } from '../../src/errors.ts'
import { periodAt } from '../../src/plans/period.ts'
import { areEqual } from '../../src/sealing/sealer.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { pageToken } from './credential.ts'

/**
 * Undefined without a valid session. `path`, without a secret, is written to the audit log. `orgId`: the organization that the page
 * belongs to, 404 if the visitor is not a member there; else the session's own.
 */
export async function pageActor(
  app: App,
  headers: IncomingHttpHeaders,
  request: RequestContext,
  path: string,
  orgId?: Uuid,
): Promise<Actor | undefined> {
  try {
    const token = pageToken(app, request.method === 'GET' ? 'get' : 'post', headers)
    if (token === undefined) return undefined
    const session = await requireSession(app, token, orgId && encodeId('org', orgId))
    if (session.isWaitlisted) throw accountWaitlisted()
    if (session.session.requiresFactor && !session.session.hasFactor) throw ownFactorRequired()
    const { plan, limits, orgCreatedAt, sessionId, account, member } = session
    const period = periodAt(orgCreatedAt, app.clock.now())
    return {
      orgId: session.orgId,
      plan,
      limits,
      period,
      sessionId,
      account,
      member,
      keyPrefix: null,
      request: { ...request, path },
    }
  } catch (error) {
    if (error instanceof ServiceError && error.type === 'authentication_error') return undefined
    throw error
  }
}

/** The token of the forms of one session about one subject. */
export const formToken = ({ config }: App, { sessionId }: Pick<Actor, 'sessionId'>, about: string): string =>
  createHmac('sha256', config.sessionSecrets[0]!).update(`form\0${sessionId}\0${about}`).digest('base64url')

/** Browsers never add a bearer token by themselves, so it needs no form token. */
export function requireFormToken(
  app: App,
  actor: Pick<Actor, 'sessionId'>,
  about: string,
  given: string | undefined,
  headers: IncomingHttpHeaders,
): void {
  if (headers.authorization !== undefined) return
  if (areEqual(given ?? '', formToken(app, actor, about))) return
  throw forbidden('This form is not from this page, or is too old. Open the page again.')
}
