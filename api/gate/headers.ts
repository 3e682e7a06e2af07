// Headers of every authenticated answer, errors included: the month's quota, and terms that have yet to be accepted.
import type { App } from '../../src/app.ts'
import { termsToAccept } from '../../src/organizations/currentTerms.ts'
import { type Period, periodMs, secondsLeft } from '../../src/plans/period.ts'
import type { Limits } from '../../src/plans/plans.ts'
import { encodeId, type Uuid } from '../../src/shapes/ids.ts'
import { type HeaderList, removeHeader, setHeader } from '../http/headerList.ts'

type Quota = { orgId: Uuid; limits: Limits; period: Period }

/** Texts that stay the same for as long as a spender is remembered. */
const policies = new WeakMap<Quota, string>()

function policyOf(quota: Quota): string {
  const known = policies.get(quota)
  if (known !== undefined) return known
  const { limits, orgId } = quota
  const policy = `"quota";q=${limits.api_calls};w=${periodMs / 1000};pk=${encodeId('org', orgId)}`
  policies.set(quota, policy)
  return policy
}

/** Omitted if the quota is unlimited. */
export function setQuotaHeaders(headers: HeaderList, quota: Quota, callsUsed: number, now: Date): void {
  const { limits, period } = quota
  const limit = limits.api_calls
  if (limit == null) return
  const left = `"quota";r=${Math.max(0, limit - callsUsed)};t=${secondsLeft(period, now)}`
  setHeader(headers, 'RateLimit-Policy', policyOf(quota))
  setHeader(headers, 'RateLimit', left)
}

const termsHeader = 'Service-Terms-Upgrade-Required'

/** Returns a promise once a second, when the terms are read again. */
export function setTermsHeader(app: App, headers: HeaderList, accepted: string | null): Promise<void> | undefined {
  const set = (version: string | undefined) => {
    if (version !== undefined) setHeader(headers, termsHeader, version)
  }
  const version = termsToAccept(app, accepted)
  if (version instanceof Promise) return version.then(set)
  set(version)
  return undefined
}

/** For the answer that accepts the terms. */
export const dropTermsHeader = (headers: HeaderList): void => removeHeader(headers, termsHeader)
