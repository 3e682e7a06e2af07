// Every error that a caller can get: one class, one constructor per error.
import { type ErrorCode, type ErrorType, statusOfCode, usualStatus } from './shapes/errorTypes.ts'
import { idNouns, prefixes } from './shapes/ids.ts'

type ErrorDetail = {
  param?: string | null
  code?: ErrorCode | undefined
  /** Values that may be sent instead, the likeliest first. */
  suggestions?: readonly string[] | undefined
  /** Every wrong field, if there are several; `param` and the message are those of the first one. */
  errors?: readonly { param: string | null; message: string }[]
  /** If it differs from the usual status of the type. */
  status?: number
  retryAfterSeconds?: number
  feature?: string
  currentVersion?: string
  allow?: string
  originalRequestId?: string
  /** The noun that was not found: `calendar`. */
  noun?: string
  /** A cookie that goes with the answer. */
  cookie?: string
  /** Further keys of the error, for a caller that asked for them: the conflicts, and the times that would fit. */
  help?: object
}

export class ServiceError extends Error {
  readonly type: ErrorType
  readonly status: number
  readonly detail: ErrorDetail
  constructor(type: ErrorType, message: string, detail: ErrorDetail = {}) {
    super(message)
    this.type = type
    this.status = detail.status ?? usualStatus(type)
    this.detail = detail
  }
}

export const invalid = (message: string, param: string | null = null, code?: ErrorCode) =>
  new ServiceError('validation_error', message, { param, code })

type RefusedTime = { code: ErrorCode; message: string; suggestions: readonly string[] }

export const invalidTime = ({ code, message, suggestions }: RefusedTime, param: string) =>
  new ServiceError('validation_error', `${param}: ${message}`, { param, code, suggestions })

export const badRequest = (message: string, param: string | null = null) =>
  new ServiceError('bad_request', message, { param })

export const invalidTransition = (message: string) =>
  new ServiceError('invalid_transition', message, { param: 'status' })

export const unauthenticated = (message: string, code?: ErrorCode) =>
  new ServiceError('authentication_error', message, { code })

export const accountGone = () => unauthenticated('The account no longer exists.')

export const forbidden = (message: string, code?: ErrorCode) => new ServiceError('forbidden', message, { code })

/** The role of the member is too low. */
export const roleRequired = (required_role: string) =>
  new ServiceError('forbidden', `This needs the role ${required_role} in the organization, or a higher one.`, {
    code: 'role',
    help: { required_role },
  })

/** `methods`: the ways in which this account may show it. */
export const reauthenticationRequired = (methods: readonly string[]) =>
  new ServiceError(
    'forbidden',
    'Show that it is you, then send this again within 10 minutes: POST /v1/auth/reauthenticate, or without a password and a second factor GET /v1/auth/oauth/<provider>?purpose=reauthenticate.',
    { code: 'reauthentication_required', help: { methods } },
  )

/** A sign-in waits for a code. `challenge`: the token that goes with it. */
export const secondFactorRequired = (challenge: string) =>
  new ServiceError(
    'authentication_error',
    'This account has a second factor. Send a code with the challenge to POST /v1/auth/signin/factor.',
    { code: 'second_factor_required', help: { challenge } },
  )

export const wrongCode = () =>
  new ServiceError('authentication_error', 'This code is wrong, too old or was used already.', { code: 'wrong_code' })

export const challengeEnded = () =>
  new ServiceError('authentication_error', 'This sign-in has ended. Begin again with POST /v1/auth/signin.', {
    code: 'challenge_ended',
  })

/** The policy of the organization. */
export const ownFactorRequired = () =>
  forbidden(
    'This organization requires a second factor. Turn on yours with POST /v1/auth/factors/totp, then send this again.',
    'second_factor_required',
  )

/** An owner requires a second factor of others first once they have one themselves. */
export const secondFactorMissing = () =>
  conflict('Turn on your own second factor first: POST /v1/auth/factors/totp.', 'second_factor_missing')

/** `organizations`: those whose policy it is. */
export const requiredByOrganization = (organizations: readonly string[]) =>
  new ServiceError(
    'conflict',
    'An organization that you belong to requires a second factor. Leave it first, or ask its owner.',
    { code: 'required_by_organization', help: { organizations } },
  )

/** A guardrail of the caller's key forbids it. */
export const guarded = (guardrail: string, message: string) =>
  new ServiceError('forbidden', message, { code: 'guardrail', help: { guardrail } })

export const planRequired = (feature: string) =>
  new ServiceError(
    'plan_required',
    `This needs a paid plan: ${feature.replaceAll('_', ' ')}. GET /v1/plans shows what each plan has.`,
    { feature },
  )

export const accountWaitlisted = () =>
  new ServiceError(
    'account_waitlisted',
    'This organization is on the waitlist. It can use the API once it has been activated.',
  )

/**
 * The same answer for an identifier that never existed, was deleted or belongs to another organization. `sent` is the
 * identifier; only its prefix is read.
 */
export const notFound = (noun: string, param: string | null = null, sent = '') =>
  new ServiceError('not_found', mixedUp(noun, sent) ?? `No such ${noun}. Check the identifier.`, {
    param,
    noun,
    code: noun === 'calendar' || noun === 'event' ? `${noun}_not_found` : undefined,
  })

/** The message for an identifier of the wrong kind. */
function mixedUp(noun: string, sent: string): string | undefined {
  const needed = prefixes.find((prefix) => idNouns[prefix] === noun)
  const given = prefixes.find((prefix) => sent.startsWith(`${prefix}_`))
  if (!needed || !given || needed === given) return undefined
  return `${given}_… is the id of ${articled(idNouns[given])}; this needs the id of ${articled(noun)} (${needed}_…).`
}

const articled = (noun: string) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`

export const noRoute = (method: string, path: string, hint = '') =>
  new ServiceError('not_found', `No such route ${method} ${path.slice(0, 100)}.${hint} All routes are at /docs.`)

export const conflict = (message: string, code?: ErrorCode, param: string | null = null) =>
  new ServiceError('conflict', message, { code, param })

/** The last owner of organizations stays. `organizations`: those that would have none, if a request is about several. */
export const lastOwner = (organizations?: readonly string[]) =>
  new ServiceError(
    'conflict',
    'An organization keeps at least one owner. Make another member an owner first, or delete the organization.',
    { code: 'last_owner', ...(organizations && { help: { organizations } }) },
  )

export const hasMembers = () =>
  conflict(
    'Other members belong to this organization. Remove them first, or delete it with DELETE /v1/auth/organization.',
    'has_members',
  )

export const addressUnproven = () =>
  forbidden(
    'Prove your address first: open the link that was mailed to it. POST /v1/auth/email/link mails another one.',
    'address_unproven',
  )

export const emailTaken = () =>
  new ServiceError('email_taken', 'This e-mail address has an account already. Sign in, or ask for a new password.', {
    param: 'email',
  })

export const termsStale = (currentVersion: string) =>
  new ServiceError('tos_version_stale', 'These are not the current terms of service. Accept the current version.', {
    param: 'tos_version',
    currentVersion,
  })

export const idempotencyKeyReused = (header: string, originalRequestId: string) =>
  new ServiceError(
    'idempotency_key_reused',
    `This ${header} was used for a different request. Send a new key for a new request.`,
    { param: header, originalRequestId },
  )

/** `resync`: how a reader of the change feed goes on. */
export const cursorGone = (reason: 'too_old' | 'restored', resync: { cursor: string; lists: readonly string[] }) =>
  new ServiceError(
    'cursor_gone',
    reason === 'too_old'
      ? 'This cursor is older than what is kept. Take resync.cursor, list everything, then follow it.'
      : 'The database was restored after this cursor was made. List everything again, then continue from resync.cursor.',
    { param: 'cursor', help: { reason, resync } },
  )

export const tooManyWaits = (max: number, whose: string) =>
  new ServiceError('rate_limit_error', `At most ${max} requests of ${whose} may wait for changes at once.`, {
    retryAfterSeconds: 1,
  })

/** `etag`: of the current record. */
export const preconditionFailed = (etag: string) =>
  new ServiceError('precondition_failed', 'This has changed since you read it. Read it again, then decide again.', {
    help: { current_etag: etag },
  })

export const rateLimited = (retryAfterSeconds: number) =>
  new ServiceError('rate_limit_error', 'Too many requests. Wait for Retry-After seconds, then retry with backoff.', {
    retryAfterSeconds,
  })

export const tooManyHeavyReads = (retryAfterSeconds: number) =>
  new ServiceError(
    'rate_limit_error',
    'Too many large reads of this organization at once. Wait for Retry-After seconds, then send fewer of them in parallel, or ask for shorter windows.',
    { retryAfterSeconds },
  )

export const exportLimited = (retryAfterSeconds: number) =>
  new ServiceError('rate_limited', 'Too many exports of this organization. Wait for Retry-After seconds.', {
    retryAfterSeconds,
  })

export const quotaExceeded = (what: string, limit: number, retryAfterSeconds: number) =>
  new ServiceError('quota_exceeded', `The plan's limit of ${limit} ${what} is reached.`, { retryAfterSeconds })

/** For things that count while they exist. Retry-After is the end of the period nevertheless, as in every refusal for a quota. */
export const capReached = (what: string, limit: number, retryAfterSeconds: number, status?: number) => {
  const message =
    limit === 0
      ? `The plan has no ${what}. GET /v1/plans shows what each plan has.`
      : `The plan's limit of ${limit} ${what} is reached. Waiting does not help: remove one that you no longer need.`
  return new ServiceError('quota_exceeded', message, { retryAfterSeconds, status })
}

/** A provider of calendars failed. The message names what failed in our own words, never in those of the provider. */
export const providerFailed = (message: string) =>
  new ServiceError('internal_error', message, { code: 'provider_error', status: statusOfCode('provider_error') })

/** 503. Unless the message says otherwise, the outcome of a write is unknown: the client reads before it repeats. */
export const overloaded = (message: string) =>
  new ServiceError('internal_error', message, { status: 503, retryAfterSeconds: 1 })
