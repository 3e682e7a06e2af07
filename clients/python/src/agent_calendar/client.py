from __future__ import annotations

import os
import re
import ssl
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import urlsplit

from .change_feed import ChangeFeed
from .generated.groups import Groups
from .send import Connection, open_opener


class AgentCalendar(Groups):
    """A client of one service with one key. Each group of operations is an attribute: `calendar.events.create(…)`.

    `api_key` is an API key (`svc_sk_…`, `svc_ak_…`) or the token of a sign-in; without it, the variable AGENT_CALENDAR_KEY.
    `base_url` is where the service is; without it, AGENT_CALENDAR_URL, else http://localhost:3000. Threads may share a
    client.
    """

    changes: ChangeFeed

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        max_retries: int = 2,
        max_retry_delay_seconds: float = 30,
        timeout_seconds: float = 60,
        max_answer_bytes: int = 100_000_000,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        key = api_key or os.environ.get("AGENT_CALENDAR_KEY") or None
        if key is not None and not re.fullmatch(r"[\x21-\x7e]+", key):
            raise ValueError("api_key has characters that no key has.")
        connection = Connection(
            base_url=_base_url(base_url or os.environ.get("AGENT_CALENDAR_URL") or "http://localhost:3000"),
            key=key,
            opener=open_opener(ssl_context),
            max_retries=max_retries,
            max_retry_delay_seconds=max_retry_delay_seconds,
            timeout_seconds=timeout_seconds,
            max_answer_bytes=max_answer_bytes,
            user_agent=f"agent-calendar-python/{_version()}",
        )
        super().__init__(connection.send)
        self.changes = ChangeFeed(connection.send)


def _base_url(text: str) -> str:
    """The address of the MCP server leads to the API, too."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url must be an address like https://calendar.example.com.")
    if parts.username or parts.password:
        raise ValueError("base_url must not contain a password. Give the key as api_key.")
    path = re.sub(r"/+(mcp/*)?$", "", parts.path)
    return f"{parts.scheme}://{parts.netloc}{path}"


def _version() -> str:
    try:
        return version("agent-calendar")
    except PackageNotFoundError:
        return "source"
