"""The options and answers of every operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from typing import Any, Literal, TypedDict


@dataclass(frozen=True)
class Operation:
    """A row of the generated table: how an operation is sent, and how its answer is read."""

    place: str
    http: str
    path: str
    query: tuple[str, ...] = ()
    answer: Literal["json", "text", "stream", "redirect", "nothing"] = "json"
    accept: str = "application/json"
    #: Takes an `Idempotency-Key`.
    keyed: bool = False
    paging: Literal["offset", "cursor"] | None = None


@dataclass(frozen=True)
class Answer:
    """Everything about an answer. `on_answer` gets it."""

    data: Any
    status: int
    headers: Message
    #: Tell it to the people who run the service when something is wrong.
    request_id: str | None
    #: Of the record, for `if_match` and `if_none_match`.
    etag: str | None
    #: The answer is that of an earlier request with the same idempotency key.
    is_replayed: bool


@dataclass(frozen=True)
class Redirect:
    """Where a browser would go. The client never follows."""

    status: int
    location: str | None


class ReadOptions(TypedDict, total=False):
    #: The longest silence of an attempt, and the longest time for its body.
    timeout_seconds: float
    max_retries: int
    #: Gets status, headers, tag and request id of each answer.
    on_answer: Callable[[Answer], object]


class WriteOptions(ReadOptions, total=False):
    #: Made once for each call unless you give one. A retry with the same key does nothing twice.
    idempotency_key: str


own_options = ("timeout_seconds", "max_retries", "on_answer", "idempotency_key", "if_match", "if_none_match")
