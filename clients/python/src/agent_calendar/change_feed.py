"""The change feed as an iterator: it waits, continues after errors, and says when its reader must read everything again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from .errors import ApiError, UnexpectedAnswerError
from .generated.changes import ChangesGroup
from .generated.schemas import Change
from .retry import retry_delay


@dataclass(frozen=True)
class Changes:
    """The changes, in order."""

    entries: list[Change]
    cursor: str


@dataclass(frozen=True)
class Idle:
    """Nothing happened, but the cursor moved on."""

    cursor: str


@dataclass(frozen=True)
class Resync:
    """The cursor is no longer valid (410): read these lists now. The iteration continues from `cursor`."""

    lists: list[str]
    reason: str
    cursor: str


#: Keep the cursor of each step once you have dealt with it.
FeedStep: TypeAlias = Changes | Idle | Resync


class FeedFilters(TypedDict, total=False):
    types: str | Sequence[str]
    calendar_ids: str | Sequence[str]
    agent_ids: str | Sequence[str]
    payload: Literal["full", "none"]


_max_delay_seconds = 60.0
_max_attempts = 10


class ChangeFeed(ChangesGroup):
    def follow(
        self,
        cursor: str | None = None,
        *,
        wait_seconds: int = 25,
        on_trouble: Callable[[Exception, float], object] | None = None,
        **filters: Unpack[FeedFilters],
    ) -> Iterator[FeedStep]:
        """Every change, for as long as you iterate. Without a cursor it begins now; `oldest` is a cursor, too.

        Each request waits up to `wait_seconds` for a change. Temporary errors are waited out, and `on_trouble` gets the reason.
        Permanent errors are raised: a key that was revoked, a filter that is wrong, a budget that is used up.
        """
        attempts = 0
        while True:
            try:
                step = self._step(cursor, wait_seconds, filters)
                attempts = 0
            except Exception as error:
                gone = _resync(error)
                if gone is None:
                    attempts = min(attempts + 1, _max_attempts)
                    _wait_out(error, attempts, on_trouble)
                    continue
                step = gone
            cursor = step.cursor
            yield step

    def _step(self, cursor: str | None, wait_seconds: int, filters: FeedFilters) -> FeedStep:
        # With a cursor from the start, nothing is lost if the connection breaks before the first change.
        where: dict[str, Any] = {"wait": 0} if cursor is None else {"wait": wait_seconds, "cursor": cursor}
        page: Any = self.list(**filters, **where, max_retries=0)
        if not isinstance(page, dict) or not isinstance(page.get("data"), list) or not isinstance(page.get("cursor"), str):
            raise UnexpectedAnswerError("No page of changes.")
        return Changes(page["data"], page["cursor"]) if page["data"] else Idle(page["cursor"])


def _resync(error: Exception) -> Resync | None:
    resync = error.details.get("resync") if isinstance(error, ApiError) and error.type == "cursor_gone" else None
    if not isinstance(error, ApiError) or not isinstance(resync, dict):
        return None
    return Resync(resync["lists"], error.details.get("reason") or "too_old", resync["cursor"])


def _wait_out(error: Exception, attempts: int, on_trouble: Callable[[Exception, float], object] | None) -> None:
    delay = retry_delay(
        error,
        attempts,
        is_repeatable=True,
        chance=random.random(),
        max_retries=_max_attempts,
        max_delay_seconds=_max_delay_seconds,
    )
    if delay is None:
        raise error
    if on_trouble:
        on_trouble(error, delay)
    time.sleep(delay)
