// Made from the API document by `npm run reference`. Do not edit.
import { ApiError, type ApiErrorClass } from '../apiError.ts'
import type { ErrorType } from './schemas.ts'

export class ValidationError extends ApiError {
  override name = 'ValidationError'
}

export class BadRequestError extends ApiError {
  override name = 'BadRequestError'
}

export class InvalidTransitionError extends ApiError {
  override name = 'InvalidTransitionError'
}

export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError'
}

export class PlanRequiredError extends ApiError {
  override name = 'PlanRequiredError'
}

export class AccountWaitlistedError extends ApiError {
  override name = 'AccountWaitlistedError'
}

export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

export class ConflictError extends ApiError {
  override name = 'ConflictError'
}

export class EmailTakenError extends ApiError {
  override name = 'EmailTakenError'
}

export class TosVersionStaleError extends ApiError {
  override name = 'TosVersionStaleError'
}

export class CursorGoneError extends ApiError {
  override name = 'CursorGoneError'
}

export class PreconditionFailedError extends ApiError {
  override name = 'PreconditionFailedError'
}

export class IdempotencyKeyReusedError extends ApiError {
  override name = 'IdempotencyKeyReusedError'
}

export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError'
}

export class QuotaExceededError extends ApiError {
  override name = 'QuotaExceededError'
}

export class InternalError extends ApiError {
  override name = 'InternalError'
}

/** The class of each type of error. */
export const errorClasses: Record<ErrorType, ApiErrorClass> = {
  validation_error: ValidationError,
  bad_request: BadRequestError,
  validation: ValidationError,
  invalid_transition: InvalidTransitionError,
  authentication_error: AuthenticationError,
  forbidden: ForbiddenError,
  plan_required: PlanRequiredError,
  account_waitlisted: AccountWaitlistedError,
  not_found: NotFoundError,
  conflict: ConflictError,
  email_taken: EmailTakenError,
  tos_version_stale: TosVersionStaleError,
  cursor_gone: CursorGoneError,
  precondition_failed: PreconditionFailedError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  rate_limit_error: RateLimitError,
  rate_limited: RateLimitedError,
  quota_exceeded: QuotaExceededError,
  internal_error: InternalError,
}
