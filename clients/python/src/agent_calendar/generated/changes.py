# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from http.client import HTTPResponse
from typing import Literal, TypedDict, Unpack
from ..group import Group
from ..operation import ReadOptions
from . import operations
from .schemas import Change


class ListChangesOptions(ReadOptions, total=False):
    #: The cursor of an earlier answer, or `oldest` for the oldest change that is kept. Without it: from now on.
    cursor: str
    #: Seconds to wait for the first change, if nothing has changed yet.
    wait: int
    #: The most changes in an answer; it ends earlier at 512 KB of payloads. One change may have several entries.
    limit: int
    #: Only these types, separated by commas, at most 50.
    types: str | Sequence[str]
    #: Only changes of these calendars, deleted ones too; at most 50.
    calendar_ids: str | Sequence[str]
    #: Only changes of these agents and of their calendars; at most 50.
    agent_ids: str | Sequence[str]
    #: `none` leaves out `payload`.
    payload: Literal["full", "none"]
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ListChangesAnswer(TypedDict):
    data: list[Change]
    #: Send it with the next request, also if `data` is empty.
    cursor: str
    #: More changes are waiting: ask again at once.
    has_more: bool
    #: Older changes are no longer kept.
    kept_since: str


class StreamChangesOptions(ReadOptions, total=False):
    #: The cursor of an earlier answer, or `oldest` for the oldest change that is kept. Without it: from now on.
    cursor: str
    #: Only these types, separated by commas, at most 50.
    types: str | Sequence[str]
    #: Only changes of these calendars, deleted ones too; at most 50.
    calendar_ids: str | Sequence[str]
    #: Only changes of these agents and of their calendars; at most 50.
    agent_ids: str | Sequence[str]
    #: `none` leaves out `payload`.
    payload: Literal["full", "none"]
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ChangesGroup(Group):
    def list(self, **options: Unpack[ListChangesOptions]) -> ListChangesAnswer:
        """Read what has changed, or wait for it.

        Every change in the order in which it happened, page by page: send `cursor` with the next request, always the one of the last answer. Without a cursor the answer is empty, and its cursor is of now. Each request of one cursor may have other filters, and asking again with a cursor is safe.

        `wait` answers with the first change that comes. A wait that ends empty after 20 seconds or more is no API call. At most 5 requests of one key wait at once.

        An agent key reads the changes of its agent and of its calendars, but no proposals. Changes are kept for 3 days, on paid plans for 30. A cursor that is older is `cursor_gone`: take `resync.cursor`, read the lists, then follow that cursor, and nothing is missed.

        `GET /v1/changes`
        """
        return self._call(operations.list_changes, {}, None, options)

    def open_stream(self, **options: Unpack[StreamChangesOptions]) -> HTTPResponse:
        """Follow what changes as server-sent events.

        One event `change` for each change: `id` is its cursor, `data` the list of its entries. A comment every 15 seconds shows that the stream is alive. After 10 minutes it ends with `bye`; connect again with the last id, in `Last-Event-ID` or as `cursor`. A cursor that is no longer valid is 410 before the stream begins, and the event `gone` with the same body later. A stream counts as one request that waits, and costs one API call for each minute in which a change was sent.

        `GET /v1/changes/stream`
        """
        return self._call(operations.stream_changes, {}, None, options)
