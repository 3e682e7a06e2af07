// Headers of every authenticated answer, errors included: the month's quota, and terms that have yet to be accepted.
import type { Response } from 'express'
import type { App } from '../../src/app.ts'
import { type Period, periodMs, secondsLeft } from '../../src/plans/period.ts'
import type { Limits } from '../../src/plans/plans.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { termsToAccept } from '../../src/terms/current.ts'

type Quota = { orgId: Uuid; limits: Limits; period: Period }

/** Omitted if the quota is unlimited. */
export function setQuotaHeaders(app: App, res: Response, { orgId, limits, period }: Quota, callsUsed: number): void {
  const limit = limits.api_calls
  if (limit == null) return
  res.setHeader('RateLimit-Policy', `"quota";q=${limit};w=${periodMs / 1000};pk=${encodeId('org', orgId)}`)
  res.setHeader('RateLimit', `"quota";r=${Math.max(0, limit - callsUsed)};t=${secondsLeft(period, app.clock.now())}`)
}

const termsHeader = 'Service-Terms-Upgrade-Required'

/** Returns a promise once a second, when the terms are read again. */
export function setTermsHeader(app: App, res: Response, accepted: string | null): Promise<void> | undefined {
  const set = (version: string | undefined) => {
    if (version !== undefined) res.setHeader(termsHeader, version)
  }
  const version = termsToAccept(app, accepted)
  if (version instanceof Promise) return version.then(set)
  set(version)
  return undefined
}

/** For the answer that accepts the terms. */
export const dropTermsHeader = (res: Response): void => res.removeHeader(termsHeader)
