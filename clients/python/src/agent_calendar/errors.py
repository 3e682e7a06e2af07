"""The errors: the service refuses, it cannot be reached, or another server answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Any


class CalendarError(Exception):
    """The parent of every error of this client."""


class ApiError(CalendarError):
    """The service refused. Decide by the class, or by `type` and `code`; the text is for people."""

    def __init__(self, status: int, details: Mapping[str, Any], headers: Message) -> None:
        super().__init__(details["message"])
        self.status = status
        #: May be one that this version of the client does not know.
        self.type: str = details["type"]
        #: A more specific name than the type.
        self.code = _text(details.get("code"))
        #: The first wrong field, as a dotted path.
        self.param = _text(details.get("param"))
        #: Tell it to the people who run the service.
        self.request_id = _text(details.get("request_id")) or headers.get("x-request-id")
        #: Values that may be sent instead, the likeliest first.
        self.suggestions = _texts(details.get("suggestions"))
        self.retry_after_seconds = _retry_after(headers)
        #: The whole error as it was answered, with what only some types have: `conflict`, `alternatives`, `resync`.
        self.details = details


class ConnectionFailedError(CalendarError):
    """The service was not reached, or the connection broke."""


class TimedOutError(ConnectionFailedError):
    """No answer within `timeout_seconds`."""


class UnexpectedAnswerError(CalendarError):
    """Something answered that is not the service: a proxy, a redirect, another server."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _retry_after(headers: Message) -> int | None:
    """`Retry-After` in seconds; it may also be a date."""
    text = (headers.get("retry-after") or "").strip()
    if text.isascii() and text.isdigit():
        return int(text[:9])
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0, ceil((at - datetime.now(UTC)).total_seconds()))
