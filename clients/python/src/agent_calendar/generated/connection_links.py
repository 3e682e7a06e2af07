# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from . import operations
from .schemas import ConnectionLink, CreatedConnectionLink, DryRun


class CreateConnectionLinkBody(TypedDict):
    capabilities: NotRequired[Sequence[Literal["availability", "publishing"]]]
    publication_policy: NotRequired[Literal["none", "confirmed", "confirmed_tentative"]]


class ConnectionLinksGroup(Group):
    @overload
    def create(self, id: str, body: CreateConnectionLinkBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, id: str, body: CreateConnectionLinkBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> CreatedConnectionLink: ...

    def create(self, id: str, body: CreateConnectionLinkBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Ask a human to connect a calendar.

        Give `setup_url` to the human. It works for 24 hours, and only for a human of this organization who signs in. The agent of the calendar then sees when they are busy, and nothing else. While a link of the same calendar with the same request is pending, the answer is that link, without its address: `reused`. A different request cancels it: a calendar has one working link.

        `POST /v1/calendars/{id}/connection-links`
        """
        return self._call(operations.create_connection_link, {"id": id}, body, {**options, "dry_run": dry_run or None})

    def get(self, id: str, **options: Unpack[ReadOptions]) -> ConnectionLink:
        """Read a connection link.

        Poll every 10 seconds, or less often. It is deleted 30 days after its end.

        `GET /v1/connection-links/{id}`
        """
        return self._call(operations.get_connection_link, {"id": id}, None, options)

    @overload
    def cancel(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def cancel(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def cancel(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Cancel a pending connection link.

        An incomplete connection that it made is disconnected.

        `DELETE /v1/connection-links/{id}`
        """
        return self._call(operations.cancel_connection_link, {"id": id}, None, {**options, "dry_run": dry_run or None})
