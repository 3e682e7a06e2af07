// The principal of a key. Each process caches it with the epoch of the organization at which it was read, so that a revoked
// key, a paused agent or a new plan takes effect on every process with the next request.
import type { Guardrails } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { rateLimited, unauthenticated } from '../errors.ts'
import { type Limits, limitsOf, type PlanId, plans } from '../plans/plans.ts'
import { openUnknownKeys } from '../quotas/strangers.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { onLost } from '../stores/redis.ts'
import { type AllowedFrom, allowedFrom } from './allowedFrom.ts'
import type { KeyScope } from './organizationKeySchema.ts'
import { type PrincipalRow, principalByHash, principalById } from './queries.ts'
import { isOver } from './rules.ts'
import { openSharedLookups } from './sharedLookups.ts'

export type Principal = {
  keyId: Uuid
  keyPrefix: string
  scope: KeyScope
  /** Undefined: from everywhere. */
  isAllowedFrom: AllowedFrom | undefined
  expiresAt: Date | null
  /** Changes with the uses that this process notes (`uses.ts`). */
  lastUsedMs: number
  orgId: Uuid
  agentId: Uuid | null
  isAgentPaused: boolean
  guardrails: Guardrails | null
  plan: PlanId
  limits: Limits
  requestsPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
}

type Principals = {
  /** The cache of this process, with the epoch for which it is valid. One that has expired is read again. */
  recall(secret: string, now: Date): { principal: Principal; epoch: string } | undefined
  /**
   * From Postgres; undefined if the key does not exist. Throws if it has expired, or is one of too many unknown ones that `ip`
   * has sent.
   */
  read(secret: string, ip: string | null, now: Date): Promise<Principal | undefined>
  remember(secret: string, principal: Principal, epoch: string): void
}

/** Bounds the damage if Redis loses a change of an epoch; correctness does not depend on it. */
const maxAgeMs = 5_000
const maxRemembered = 50_000
/** An end that has come is not moved, so a flood of requests with an expired key reads it once a minute. */
const expiredMs = 60_000

export function openPrincipals(app: App): Principals {
  const known = new Map<string, { principal: Principal; epoch: string; readAt: number }>()
  /** Secrets that had expired, and when that was read. */
  const over = new Map<string, number>()
  const strangers = openUnknownKeys(app, 'unknown_keys')
  const lookUp = openSharedLookups(app)
  // Epochs cannot change while Redis is away, but organizations can.
  onLost(app.redis, () => known.clear())
  return {
    recall(secret, now) {
      const entry = known.get(secret)
      return entry && Date.now() - entry.readAt < maxAgeMs && !isOver(entry.principal, now) ? entry : undefined
    },
    async read(secret, ip, now) {
      if (strangers.isUnknown(secret)) return undefined
      if (Date.now() - (over.get(secret) ?? 0) < expiredMs) throw expired()
      const hash = sha256(secret)
      const isExcess = !known.has(secret) && strangers.isExcess(ip)
      const row = isExcess ? await lookUp(hash) : (await principalByHash(app.sql, hash))[0]
      if (!row) {
        if (isExcess) throw rateLimited(strangers.refuse())
        strangers.remember(secret, ip)
        return undefined
      }
      if (isOver(row, now)) {
        if (over.size >= maxRemembered) over.clear()
        over.set(secret, Date.now())
        throw expired()
      }
      return principalOf(row)
    },
    remember(secret, principal, epoch) {
      if (known.size >= maxRemembered) known.clear()
      known.set(secret, { principal, epoch, readAt: Date.now() })
    },
  }
}

const principalOf = ({ allowedIps, lastUsedAt, ...row }: PrincipalRow): Principal => ({
  ...row,
  isAllowedFrom: allowedIps ? allowedFrom(allowedIps) : undefined,
  lastUsedMs: lastUsedAt?.getTime() ?? 0,
  isAgentPaused: row.agentStatus === 'paused',
  limits: limitsOf(row.plan, row.limits),
  requestsPerSecond: row.rateLimitPerSecond ?? plans[row.plan].requestsPerSecond,
})

const expired = () =>
  unauthenticated('This API key has expired. Send the key that has replaced it, or ask for a new one.', 'key_expired')

/** Of the key behind an approval; undefined if it was revoked. Throws 401 if it has expired. */
export async function principalOfKey({ sql, clock }: App, orgId: Uuid, keyId: Uuid): Promise<Principal | undefined> {
  const [row] = await principalById(sql, orgId, keyId)
  if (row && isOver(row, clock.now())) throw expired()
  return row && principalOf(row)
}
