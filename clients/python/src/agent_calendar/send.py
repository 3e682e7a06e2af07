"""Sends a request, and again if it failed in a way that passes."""

from __future__ import annotations

import random
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, HTTPSHandler, OpenerDirector, Request, build_opener
from uuid import uuid4

from .answer import read_answer
from .errors import ConnectionFailedError, TimedOutError
from .operation import Answer, Operation
from .request import address_of, body_of, check_options, headers_of
from .retry import retry_delay


@dataclass(frozen=True)
class Connection:
    base_url: str
    key: str | None = field(repr=False)
    opener: OpenerDirector
    max_retries: int
    max_retry_delay_seconds: float
    timeout_seconds: float
    max_answer_bytes: int
    user_agent: str

    def send(self, operation: Operation, path: Mapping[str, str], body: object, options: Mapping[str, Any]) -> Answer:
        check_options(operation, options)
        key = _idempotency_key(operation, options)
        data = body_of(body)
        headers = {**headers_of(operation, options, data is not None, key), "User-Agent": self.user_agent}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        address = address_of(self.base_url, operation, path, options)
        request = Request(address, data, headers, method=operation.http)
        attempts = 0
        while True:
            attempts += 1
            try:
                answer = self._attempt(operation, request, self._timeout(options))
                break
            except Exception as error:
                delay = retry_delay(
                    error,
                    attempts,
                    is_repeatable=operation.http == "GET" or key is not None,
                    chance=random.random(),
                    max_retries=options.get("max_retries", self.max_retries),
                    max_delay_seconds=self.max_retry_delay_seconds,
                )
                if delay is None:
                    raise
            time.sleep(delay)
        if on_answer := options.get("on_answer"):
            on_answer(answer)
        return answer

    def _timeout(self, options: Mapping[str, Any]) -> float:
        """A request that waits for changes takes as long as it was asked to."""
        return options.get("timeout_seconds", self.timeout_seconds + (options.get("wait") or 0))

    def _attempt(self, operation: Operation, request: Request, timeout_seconds: float) -> Answer:
        try:
            response: HTTPResponse = self.opener.open(request, timeout=timeout_seconds)
            is_open = False
            try:
                answer = read_answer(operation, response, self.max_answer_bytes, timeout_seconds)
                is_open = answer.data is response
                return answer
            finally:
                if not is_open:
                    response.close()
        except (OSError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            if isinstance(reason, TimeoutError):
                raise TimedOutError(f"No answer within {timeout_seconds} seconds.") from error
            parts = urlsplit(request.full_url)
            raise ConnectionFailedError(f"{parts.scheme}://{parts.netloc} cannot be reached: {reason}") from error


def _idempotency_key(operation: Operation, options: Mapping[str, Any]) -> str | None:
    """One for all attempts. A dry run does nothing, so it needs none."""
    made = str(uuid4()) if operation.keyed and not options.get("dry_run") else None
    return options.get("idempotency_key") or made


class _AnswersAsTheyAre(HTTPErrorProcessor):
    """A redirect is an answer: followed, it could lead the key to another host. So is an error."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:
        return response

    https_response = http_response


def open_opener(ssl_context: ssl.SSLContext | None) -> OpenerDirector:
    return build_opener(_AnswersAsTheyAre, HTTPSHandler(context=ssl_context))
