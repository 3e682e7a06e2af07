// Re-authentication: some acts ask a session whether its person is still there. Signing in shows it, and so does sending the
// password or a code again.
import { reauthenticationRequired, type ServiceError } from '../errors.ts'
import { minuteMs } from '../shapes/durations.ts'

export const reauthenticationMethods = ['password', 'code', 'provider'] as const
type ReauthenticationMethod = (typeof reauthenticationMethods)[number]

const validMs = 10 * minuteMs

/**
 * `base`: an act that was there before members and factors. It asks only if the organization has a second member or the account
 * a second factor.
 */
type ReauthenticationFor = 'always' | 'base'

export type Reauthentication = {
  /** Null: not shown, or too long ago to matter. */
  until: Date | null
  /** The ways in which this account may show it. */
  methods: readonly ReauthenticationMethod[]
  /** Whether base acts ask. */
  isForBase: boolean
}

type SessionFacts = {
  reauthenticatedAt: Date | null
  hasPassword: boolean
  hasFactor: boolean
  /** Whether the organization has more than one member. */
  hasCompany: boolean
}

export const reauthenticationOf = ({
  reauthenticatedAt,
  hasPassword,
  hasFactor,
  hasCompany,
}: SessionFacts): Reauthentication => ({
  until: reauthenticatedAt && reauthenticationEnd(reauthenticatedAt),
  methods: [hasFactor ? 'code' : hasPassword ? 'password' : 'provider'],
  isForBase: hasFactor || hasCompany,
})

export const reauthenticationEnd = (at: Date): Date => new Date(at.getTime() + validMs)

/** Throws 403 if the session must show it first. An API key has nothing to show. */
export function requireReauthentication(
  { reauthentication }: { reauthentication?: Reauthentication },
  asks: ReauthenticationFor,
  now: Date,
): void {
  const refusal = reauthentication && reauthenticationRefusal(reauthentication, asks, now)
  if (refusal) throw refusal
}

export function reauthenticationRefusal(
  { until, methods, isForBase }: Reauthentication,
  asks: ReauthenticationFor,
  now: Date,
): ServiceError | undefined {
  if (asks === 'base' && !isForBase) return undefined
  return until !== null && until > now ? undefined : reauthenticationRequired(methods)
}
