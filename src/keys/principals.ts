// Who a key stands for. Each process remembers it for the organization's epoch it was read at, so that a revoked key, a
// paused agent or a new plan counts with the next request everywhere.
import type { App } from '../app.ts'
import { type Limits, limitsOf, type PlanId, plans } from '../plans/plans.ts'
import { sha256 } from '../sealing/sealer.ts'
import type { Uuid } from '../shapes/ids.ts'
import { onLost } from '../stores/redis.ts'
import { principalByHash } from './queries.ts'
import { openStrangers } from './strangers.ts'

export type Principal = {
  keyId: Uuid
  keyPrefix: string
  orgId: Uuid
  agentId: Uuid | null
  isAgentPaused: boolean
  plan: PlanId
  limits: Limits
  requestsPerSecond: number | null
  isWaitlisted: boolean
  acceptedTermsVersion: string | null
  orgCreatedAt: Date
}

type Principals = {
  /** What this process remembers, with the epoch it is valid for. */
  recall(secret: string): { principal: Principal; epoch: string } | undefined
  /** From Postgres; undefined for a key that does not or no longer exist. Throws where `ip` has tried too many of those. */
  read(secret: string, ip: string | null): Promise<Principal | undefined>
  remember(secret: string, principal: Principal, epoch: string): void
}

/** The bound on a mistake, should Redis lose an epoch's change; correctness does not rest on it. */
const maxAgeMs = 5_000
const maxRemembered = 50_000

export function openPrincipals(app: App): Principals {
  const known = new Map<string, { principal: Principal; epoch: string; readAt: number }>()
  const strangers = openStrangers(app)
  // Epochs do not change while Redis is away, although what they stand for may.
  onLost(app.redis, () => known.clear())
  return {
    recall(secret) {
      const entry = known.get(secret)
      return entry && Date.now() - entry.readAt < maxAgeMs ? entry : undefined
    },
    async read(secret, ip) {
      if (strangers.isUnknown(secret)) return undefined
      if (!known.has(secret)) strangers.refuseExcess(ip)
      const [row] = await principalByHash(app.sql, sha256(secret))
      if (!row) {
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
