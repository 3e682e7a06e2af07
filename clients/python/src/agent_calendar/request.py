"""A request, made from an operation and what was given for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from urllib.parse import quote, urlencode

from .local_time import time_text
from .operation import Operation, own_options


def address_of(base_url: str, operation: Operation, path: Mapping[str, str], options: Mapping[str, Any]) -> str:
    """The address of an operation. Values stay within their place: none of them can lead to another path."""
    filled = operation.path
    for name, value in path.items():
        filled = filled.replace(f"{{{name}}}", _segment(name, value))
    # A word of Python, such as `from`, has an underscore behind it as an option.
    given = {name: options.get(name, options.get(f"{name}_")) for name in operation.query}
    query = urlencode({name: _query_text(value) for name, value in given.items() if value is not None})
    return f"{base_url}{filled}{'?' if query else ''}{query}"


def _segment(name: str, value: object) -> str:
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise TypeError(f"{name} must be an identifier, not {value!r}.")
    return quote(value, safe="")


def _query_text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(_query_text(one) for one in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return _plain(value) if isinstance(value, date) else str(value)


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{value!r} cannot be sent as JSON.")


def body_of(body: object) -> bytes | None:
    return None if body is None else json.dumps(body, default=_plain, allow_nan=False).encode()


def headers_of(operation: Operation, options: Mapping[str, Any], has_body: bool, key: str | None) -> dict[str, str]:
    own = operation.answer == "json"
    headers = {
        "Accept": "application/json" if own else f"{operation.accept}, application/json",
        "Content-Type": "application/json" if has_body else None,
        "Idempotency-Key": key,
        "If-Match": options.get("if_match"),
        "If-None-Match": options.get("if_none_match"),
    }
    return {name: value for name, value in headers.items() if value is not None}


def check_options(operation: Operation, options: Mapping[str, Any]) -> None:
    """An option that is neither of the client nor a parameter would be dropped in silence."""
    known = (*operation.query, *own_options)
    for name in options:
        if name.removesuffix("_") not in known:
            raise TypeError(f"{operation.place} has no option {name}. It has: {', '.join(known)}.")
