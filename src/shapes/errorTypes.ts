// Every type and every code of an error, and the status that goes with each.

const statuses = {
  validation_error: 400,
  bad_request: 400,
  validation: 400,
  invalid_transition: 400,
  authentication_error: 401,
  forbidden: 403,
  plan_required: 403,
  account_waitlisted: 403,
  not_found: 404,
  conflict: 409,
  email_taken: 409,
  tos_version_stale: 409,
  cursor_gone: 410,
  precondition_failed: 412,
  idempotency_key_reused: 422,
  rate_limit_error: 429,
  rate_limited: 429,
  quota_exceeded: 429,
  internal_error: 500,
} as const

export type ErrorType = keyof typeof statuses
export const errorTypes = Object.keys(statuses) as [ErrorType, ...ErrorType[]]

/** The status of an error that does not name its own. */
export const usualStatus = (type: ErrorType): number => statuses[type]

/**
 * Every `code`: a more specific name than the type it goes with. A new one is added here first. `second_factor_required` also goes
 * with `authentication_error`, of a sign-in.
 */
const codes = {
  invalid_time_format: 'validation_error',
  offset_mismatch: 'validation_error',
  nonexistent_local_time: 'validation_error',
  ambiguous_local_time: 'validation_error',
  weekday_mismatch: 'validation_error',
  end_before_start: 'validation_error',
  agent_required: 'validation_error',
  calendar_required: 'validation_error',
  timezone_required: 'validation_error',
  window_in_past: 'validation_error',
  in_past: 'validation_error',
  series_scope: 'validation_error',
  calendar_not_found: 'not_found',
  event_not_found: 'not_found',
  external_event_readonly: 'forbidden',
  guardrail: 'forbidden',
  role: 'forbidden',
  key_expired: 'authentication_error',
  key_scope: 'forbidden',
  ip_not_allowed: 'forbidden',
  key_replaced: 'conflict',
  overlap_open: 'conflict',
  reauthentication_required: 'forbidden',
  second_factor_required: 'forbidden',
  wrong_code: 'authentication_error',
  challenge_ended: 'authentication_error',
  address_unproven: 'forbidden',
  wrong_account: 'forbidden',
  already_member: 'conflict',
  already_invited: 'conflict',
  last_owner: 'conflict',
  has_members: 'conflict',
  agent_decommissioned: 'conflict',
  hold_conflict: 'conflict',
  hold_expired: 'conflict',
  not_a_hold: 'conflict',
  hold_in_group: 'conflict',
  not_renewable: 'conflict',
  not_free: 'conflict',
  not_deleted: 'conflict',
  not_restorable: 'conflict',
  approval_decided: 'conflict',
  approval_expired: 'conflict',
  time_taken: 'conflict',
  duplicate_response: 'conflict',
  credentials_rejected: 'validation_error',
  scope_missing: 'conflict',
  in_use: 'conflict',
  account_mismatch: 'conflict',
  second_factor_missing: 'conflict',
  required_by_organization: 'conflict',
  provider_error: 'internal_error',
  availability_incomplete: 'internal_error',
} as const satisfies Record<string, ErrorType>

export type ErrorCode = keyof typeof codes
export const errorCodes = Object.keys(codes) as [ErrorCode, ...ErrorCode[]]

const codeStatuses: { readonly [Code in ErrorCode]?: number } = { provider_error: 502, availability_incomplete: 503 }

/** The status of an error with this code. */
export const statusOfCode = (code: ErrorCode): number => codeStatuses[code] ?? statuses[codes[code]]

export const isErrorCode = (name: string): name is ErrorCode => Object.hasOwn(codes, name)
export const typeOfCode = (code: ErrorCode): ErrorType => codes[code]
