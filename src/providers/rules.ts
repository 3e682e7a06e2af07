// The words in which all providers answer, whatever they call things themselves.

export const providers = ['google', 'microsoft', 'caldav'] as const
export type ProviderName = (typeof providers)[number]

export const capabilityNames = ['availability', 'publishing'] as const
export type Capability = (typeof capabilityNames)[number]

export const reauthorizationReasons = [
  'grant_revoked',
  'credentials_rejected',
  'scope_missing',
  'provider_policy',
  'unattended',
] as const
export type ReauthorizationReason = (typeof reauthorizationReasons)[number]

export const errorCategories = [
  'rate_limited',
  'unreachable',
  'provider_error',
  'unauthorized',
  'forbidden',
  'not_found',
  'too_large',
  'malformed',
] as const
export type ErrorCategory = (typeof errorCategories)[number]

/** Busy time, half-open, in epoch milliseconds. */
export type Interval = { startMs: number; endMs: number }

/** More busy intervals than this are cut at the end of a copy. */
export const maxIntervals = 20_000
