"""Reads an answer: what an operation promises, or the error."""

from __future__ import annotations

import json
from email.message import Message
from http.client import HTTPResponse
from time import monotonic
from typing import Any

from .errors import ApiError, ConnectionFailedError, TimedOutError, UnexpectedAnswerError
from .generated.errors import error_classes
from .operation import Answer, Operation, Redirect

_chunk_bytes = 65_536
_max_error_bytes = 1_000_000


def read_answer(operation: Operation, response: HTTPResponse, max_bytes: int, timeout_seconds: float) -> Answer:
    status, headers = response.status, response.headers
    if 300 <= status <= 399:
        return _answer(response, _redirect(operation, status, headers))
    if not 200 <= status <= 299:
        raise _refusal(status, headers, _read(response, _max_error_bytes, timeout_seconds))
    if operation.answer == "stream" and headers.get_content_type() == operation.accept:
        return _answer(response, response)
    raw = _read(response, max_bytes, timeout_seconds)
    if status == 204 or raw == b"":
        return _answer(response, None)
    if operation.answer == "text" and "json" not in headers.get_content_type():
        return _answer(response, raw.decode("utf-8", "replace"))
    return _answer(response, _json(raw, status))


def _answer(response: HTTPResponse, data: Any) -> Answer:
    headers = response.headers
    return Answer(
        data=data,
        status=response.status,
        headers=headers,
        request_id=headers.get("x-request-id"),
        etag=headers.get("etag"),
        is_replayed=headers.get("idempotent-replayed") == "true",
    )


def _redirect(operation: Operation, status: int, headers: Message) -> Redirect | None:
    """The key went to the address that was configured, and nowhere else."""
    location = headers.get("location")
    if status == 304:
        return None
    if operation.answer == "redirect":
        return Redirect(status, location)
    to = f" to {location[:200]}" if location else ""
    raise UnexpectedAnswerError(
        f"The address answers with a redirect{to}, which is not followed: the key goes only to the address that was "
        "configured. Is base_url right?",
        status,
    )


def _json(raw: bytes, status: int) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        begin = raw[:100].decode("utf-8", "replace")
        raise UnexpectedAnswerError(f"The answer is not JSON. Is base_url right? It begins with: {begin}", status) from None


def _refusal(status: int, headers: Message, raw: bytes) -> Exception:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        body = None
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and isinstance(error.get("type"), str) and isinstance(error.get("message"), str):
        return error_classes.get(error["type"], ApiError)(status, error, headers)
    begin = raw[:100].decode("utf-8", "replace").strip()
    return UnexpectedAnswerError(f"Status {status}, and not in the words of the service: {begin}".rstrip(": "), status)


def _read(response: HTTPResponse, max_bytes: int, timeout_seconds: float) -> bytes:
    """The whole body. One that trickles in has as long as a silence may last."""
    deadline = monotonic() + timeout_seconds
    # Undefined where the body comes in chunks, which tell their end themselves.
    length = response.length
    body = bytearray()
    while length is None or len(body) < length:
        chunk = response.read1(_chunk_bytes)
        if not chunk:
            break
        body += chunk
        if len(body) > max_bytes:
            raise UnexpectedAnswerError(f"The answer has more than {max_bytes} bytes.", response.status)
        if monotonic() > deadline:
            raise TimedOutError(f"No whole answer within {timeout_seconds} seconds.")
    if length is not None and len(body) < length:
        raise ConnectionFailedError("The connection broke in the middle of the answer.")
    return bytes(body)
