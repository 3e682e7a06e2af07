// Console sessions. A session is a row: every request looks it up, so that signing out counts everywhere at once.
import type { App } from '../app.ts'
import { unauthenticated } from '../errors.ts'
import { type Limits, limitsOf, type PlanId, plans } from '../plans/plans.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { newId, type Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { insertSession, livingSession, purgeExpired } from './queries.ts'
import { readToken, sessionMs, signToken } from './token.ts'

/** What a sign-in answers with, beside the organization. */
export type Signed = { token: string; expires_at: string }

type OpenedSession = {
  /** Writes it, for the organization that the guard returned as `id`. */
  effect: Fragment
  /** Its token, once that is committed. */
  sign(orgId: Uuid): Promise<Signed>
}

/** `generation`: of the account; a new one is of generation 0. */
export function openSession(app: App, generation: Fragment = app.sql`0`): OpenedSession {
  const now = app.clock.now()
  const sessionId = newId()
  // A token tells whole seconds.
  const expiresAt = new Date(Math.floor((now.getTime() + sessionMs) / 1000) * 1000)
  return {
    effect: insertSession(app.sql, { id: sessionId, now, expiresAt }, generation),
    sign: async (orgId) => ({
      token: await signToken(app, { orgId, sessionId }, now, expiresAt),
      expires_at: isoTime(expiresAt),
    }),
  }
}

type SessionPrincipal = {
  orgId: Uuid
  sessionId: Uuid
  /** The address of the account. */
  account: string
  plan: PlanId
  limits: Limits
  requestsPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
}

export async function requireSession(app: App, token: string): Promise<SessionPrincipal> {
  const claims = await readToken(app, token)
  const [row] = claims ? await livingSession(app.sql, claims.orgId, claims.sessionId) : []
  if (!row) throw unauthenticated('This session does not exist, has expired or was signed out. Sign in again.')
  const requestsPerSecond = row.rateLimitPerSecond ?? plans[row.plan].requestsPerSecond
  return { ...row, limits: limitsOf(row.plan, row.limits), requestsPerSecond }
}

/** What has expired, links to new passwords included. */
export async function purgeSessions({ sql }: App): Promise<void> {
  await purgeExpired(sql)
}
