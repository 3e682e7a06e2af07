# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from ..errors import ApiError


__all__ = ["ValidationError", "BadRequestError", "InvalidTransitionError", "AuthenticationError", "ForbiddenError", "PlanRequiredError", "AccountWaitlistedError", "NotFoundError", "ConflictError", "EmailTakenError", "TosVersionStaleError", "CursorGoneError", "PreconditionFailedError", "IdempotencyKeyReusedError", "RateLimitError", "RateLimitedError", "QuotaExceededError", "InternalError"]


class ValidationError(ApiError):
    pass


class BadRequestError(ApiError):
    pass


class InvalidTransitionError(ApiError):
    pass


class AuthenticationError(ApiError):
    pass


class ForbiddenError(ApiError):
    pass


class PlanRequiredError(ApiError):
    pass


class AccountWaitlistedError(ApiError):
    pass


class NotFoundError(ApiError):
    pass


class ConflictError(ApiError):
    pass


class EmailTakenError(ApiError):
    pass


class TosVersionStaleError(ApiError):
    pass


class CursorGoneError(ApiError):
    pass


class PreconditionFailedError(ApiError):
    pass


class IdempotencyKeyReusedError(ApiError):
    pass


class RateLimitError(ApiError):
    pass


class RateLimitedError(ApiError):
    pass


class QuotaExceededError(ApiError):
    pass


class InternalError(ApiError):
    pass


#: The class of each type of error.
error_classes: dict[str, type[ApiError]] = {
    "validation_error": ValidationError,
    "bad_request": BadRequestError,
    "validation": ValidationError,
    "invalid_transition": InvalidTransitionError,
    "authentication_error": AuthenticationError,
    "forbidden": ForbiddenError,
    "plan_required": PlanRequiredError,
    "account_waitlisted": AccountWaitlistedError,
    "not_found": NotFoundError,
    "conflict": ConflictError,
    "email_taken": EmailTakenError,
    "tos_version_stale": TosVersionStaleError,
    "cursor_gone": CursorGoneError,
    "precondition_failed": PreconditionFailedError,
    "idempotency_key_reused": IdempotencyKeyReusedError,
    "rate_limit_error": RateLimitError,
    "rate_limited": RateLimitedError,
    "quota_exceeded": QuotaExceededError,
    "internal_error": InternalError,
}
