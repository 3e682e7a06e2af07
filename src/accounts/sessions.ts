// Console sessions. A session is a row that every request looks up together with the membership it acts by, so that signing out,
// a removal and a change of the role take effect everywhere at once.
import type { Member, RequestContext, SessionFacts } from '../actors/actor.ts'
import type { App } from '../app.ts'
import type { Effect } from '../commit/effect.ts'
import { notFound, unauthenticated } from '../errors.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { presentOrganization } from '../organizations/present.ts'
import { type Limits, limitsOf, type PlanId, plans } from '../plans/plans.ts'
import { isoTime } from '../shapes/datetimes.ts'
import { decodeId, encodeId, newId, type Uuid } from '../shapes/ids.ts'
import type { Fragment } from '../stores/postgres.ts'
import { noteUse } from './lastSeen.ts'
import { activeSession } from './queries.ts'
import { readToken, sessionMs, signToken } from './token.ts'
import { insertSession, purgeExpired } from './writes.ts'

export type SignedIn = { org: ReturnType<typeof presentOrganization>; token: string; expires_at: string }

type OpenedSession = {
  /** Inserts it, if the guard matched. */
  effect: Effect
  /** The answer to the sign-in; call it once the change is committed. */
  signedIn(): Promise<SignedIn>
}

/** Of an account, in one of its organizations. */
type SessionOf = {
  accountId: Uuid
  orgId: Uuid
  /** Of the account; a new account has generation 0. */
  generation?: Fragment
  /** It passes with a second factor. */
  secondFactor?: boolean
}

/** At most this much is kept of what a browser says of itself. */
const maxUserAgent = 200

export function openSession(app: App, { ip, userAgent }: RequestContext, of: SessionOf): OpenedSession {
  const { accountId, orgId, generation = app.sql`0`, secondFactor = false } = of
  const now = app.clock.now()
  const id = newId()
  // Tokens hold whole seconds.
  const expiresAt = new Date(Math.floor((now.getTime() + sessionMs) / 1000) * 1000)
  const device = userAgent?.slice(0, maxUserAgent) ?? null
  const row = { id, accountId, orgId, ip, userAgent: device, secondFactor, now, expiresAt }
  return {
    effect: insertSession(app.sql, row, generation),
    signedIn: async () => ({
      org: presentOrganization(await requireOrganization(app, encodeId('org', orgId))),
      token: await signToken(app, { orgId, sessionId: id }, now, expiresAt),
      expires_at: isoTime(expiresAt),
    }),
  }
}

export type SessionPrincipal = {
  orgId: Uuid
  sessionId: Uuid
  /** The address of the account. */
  account: string
  member: Member
  session: SessionFacts
  plan: PlanId
  limits: Limits
  requestsPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
}

/** Names the organization of one request by session; without it, that is the session's own. */
export const organizationHeader = 'X-Organization-Id'

/** No organization has this id. */
const nowhere = '00000000-0000-0000-0000-000000000000' as Uuid

/** `named`: the organization that it is to act in, as it was sent. Throws 404 if its account is not a member there. */
export async function requireSession(app: App, token: string, named?: string): Promise<SessionPrincipal> {
  const orgId = named === undefined ? undefined : (decodeId('org', named) ?? nowhere)
  const sessionId = await readToken(app, token)
  const [row] = sessionId ? await activeSession(app.sql, sessionId, orgId) : []
  if (!row) throw unauthenticated('This session does not exist, has expired or was signed out. Sign in again.')
  noteUse(app, { id: row.sessionId, lastSeenAt: row.lastSeenAt })
  if (row.orgId === null) throw notFound('organization', organizationHeader)
  const { memberId, accountId, role, rateLimitPerSecond, plan } = row
  return {
    orgId: row.orgId,
    sessionId: row.sessionId,
    account: row.account,
    member: { id: memberId, accountId, role },
    session: row,
    plan,
    limits: limitsOf(plan, row.limits),
    requestsPerSecond: rateLimitPerSecond ?? plans[plan].requestsPerSecond,
    isWaitlisted: row.isWaitlisted,
    acceptedTermsVersion: row.acceptedTermsVersion,
    orgCreatedAt: row.orgCreatedAt,
  }
}

/** Removes expired sessions, challenges and links in mails. */
export async function purgeSessions({ sql }: App): Promise<void> {
  await purgeExpired(sql)
}
