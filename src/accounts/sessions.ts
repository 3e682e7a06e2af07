// Console sessions. A session is a row that every request looks up, so that signing out takes effect everywhere at once.
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { unauthenticated } from '../errors.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { type Limits, limitsOf, type PlanId, plans } from '../plans/plans.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { encodeId, newId, type Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { activeSession } from './queries.ts'
import { readToken, sessionMs, signToken } from './token.ts'
import { insertSession, purgeExpired } from './writes.ts'

export type SignedIn = { org: ReturnType<typeof presentOrganization>; token: string; expires_at: string }

export type OpenedSession = {
  /** Inserts it, for the organization whose `id` the guard returned. */
  effect: Effect
  /** The answer to the sign-in; call it once the change is committed. */
  signedIn(orgId: Uuid): Promise<SignedIn>
}

/** `generation`: of the account; a new account has generation 0. */
export function openSession(app: App, generation: Fragment = app.sql`0`): OpenedSession {
  const now = app.clock.now()
  const sessionId = newId()
  // Tokens hold whole seconds.
  const expiresAt = new Date(Math.floor((now.getTime() + sessionMs) / 1000) * 1000)
  return {
    effect: insertSession(app.sql, { id: sessionId, now, expiresAt }, generation),
    signedIn: async (orgId) => ({
      org: presentOrganization(await requireOrganization(app, encodeId('org', orgId))),
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
  const [row] = claims ? await activeSession(app.sql, claims.orgId, claims.sessionId) : []
  if (!row) throw unauthenticated('This session does not exist, has expired or was signed out. Sign in again.')
  const requestsPerSecond = row.rateLimitPerSecond ?? plans[row.plan].requestsPerSecond
  return { ...row, limits: limitsOf(row.plan, row.limits), requestsPerSecond }
}

/** Removes expired sessions and expired links in mails. */
export async function purgeSessions({ sql }: App): Promise<void> {
  await purgeExpired(sql)
}
