"""Whether a failed attempt is repeated, and when."""

from __future__ import annotations

from .errors import ApiError, ConnectionFailedError, UnexpectedAnswerError

_first_delay_seconds = 0.5
_max_backoff_seconds = 8.0


def retry_delay(
    error: Exception, attempts: int, *, is_repeatable: bool, chance: float, max_retries: int, max_delay_seconds: float
) -> float | None:
    """The seconds before the next attempt; None if there is none.

    `attempts` counts those that were made. `is_repeatable`: a repetition does nothing twice, because the request reads or
    has an idempotency key. `chance` is from 0 to 1. A `Retry-After` beyond `max_delay_seconds` is not waited for.
    """
    if attempts > max_retries or not _is_passing(error, is_repeatable):
        return None
    asked = error.retry_after_seconds if isinstance(error, ApiError) else None
    # Half of it is left to chance, so that clients that failed together do not return together.
    growing = _first_delay_seconds * 2 ** (min(attempts, 10) - 1)
    backoff = min(_max_backoff_seconds, growing) * (0.5 + chance / 2)
    if asked is None:
        return backoff
    return max(asked, backoff) if asked <= max_delay_seconds else None


def _is_passing(error: Exception, is_repeatable: bool) -> bool:
    """A refusal for the rate did nothing; after anything else the outcome is unknown."""
    if isinstance(error, ApiError) and error.status == 429:
        return error.type != "quota_exceeded"
    if not is_repeatable:
        return False
    if isinstance(error, ConnectionFailedError):
        return True
    return isinstance(error, (ApiError, UnexpectedAnswerError)) and error.status in (408, 500, 502, 503, 504)
