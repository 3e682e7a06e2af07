import type { AgreedLimits, PlanId } from '../plans/plans.ts'
import type { Uuid } from '../shapes/ids.ts'

export type OrganizationRow = {
  id: Uuid
  name: string
  email: string
  plan: PlanId
  limits: AgreedLimits
  rateLimitPerSecond: number | null
  verificationStatus: 'unverified' | 'verified' | null
  signupSource: string
  emailVerified: boolean
  isWaitlisted: boolean
  waitlistedAt: Date | null
  /** Set while an operator keeps its public pages closed. */
  pagesClosedAt: Date | null
  acceptedTermsVersion: string | null
  acceptedTermsAt: Date | null
  /** Another organization may have its address, too: a member made it, or its address changed with its owners. */
  sharesAddress: boolean
  /** Its members need one of their own. */
  requireSecondFactor: boolean
  revision: number
  createdAt: Date
  updatedAt: Date
}

/** The organization that has an address. */
export type Holder = OrganizationRow & { hasMembers: boolean }
