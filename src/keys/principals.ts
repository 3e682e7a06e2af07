// The principal of a key. Each process caches it with the epoch of the organization at which it was read, so that a revoked
// key, a paused agent or a new plan takes effect on every process with the next request.
import type { Guardrails } from '../actors/guardrails.ts'
import type { App } from '../app.ts'
import { rateLimited } from '../errors.ts'
import { type Limits, limitsOf, type PlanId, plans } from '../plans/plans.ts'
import { openUnknownKeys } from '../quotas/strangers.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { onLost } from '../stores/redis.ts'
import { principalByHash } from './queries.ts'
import { openSharedLookups } from './sharedLookups.ts'

export type Principal = {
  keyId: Uuid
  keyPrefix: string
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
  /** The cache of this process, with the epoch for which it is valid. */
  recall(secret: string): { principal: Principal; epoch: string } | undefined
  /** From Postgres; undefined if the key does not exist. Throws if it is one of too many that `ip` has sent. */
  read(secret: string, ip: string | null): Promise<Principal | undefined>
  remember(secret: string, principal: Principal, epoch: string): void
}

/** Bounds the damage if Redis loses a change of an epoch; correctness does not depend on it. */
const maxAgeMs = 5_000
const maxRemembered = 50_000

export function openPrincipals(app: App): Principals {
  const known = new Map<string, { principal: Principal; epoch: string; readAt: number }>()
  const strangers = openUnknownKeys(app, 'unknown_keys')
  const lookUp = openSharedLookups(app)
  // Epochs cannot change while Redis is away, but organizations can.
  onLost(app.redis, () => known.clear())
  return {
    recall(secret) {
      const entry = known.get(secret)
      return entry && Date.now() - entry.readAt < maxAgeMs ? entry : undefined
    },
    async read(secret, ip) {
      if (strangers.isUnknown(secret)) return undefined
      const hash = sha256(secret)
      const isExcess = !known.has(secret) && strangers.isExcess(ip)
      const row = isExcess ? await lookUp(hash) : (await principalByHash(app.sql, hash))[0]
      if (!row) {
        if (isExcess) throw rateLimited(strangers.refuse())
        strangers.remember(secret, ip)
        return undefined
      }
      return {
        ...row,
        isAgentPaused: row.agentStatus === 'paused',
        limits: limitsOf(row.plan, row.limits),
        requestsPerSecond: row.rateLimitPerSecond ?? plans[row.plan].requestsPerSecond,
      }
    },
    remember(secret, principal, epoch) {
      if (known.size >= maxRemembered) known.clear()
      known.set(secret, { principal, epoch, readAt: Date.now() })
    },
  }
}
