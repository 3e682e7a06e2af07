# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, Redirect, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import CalendarConnection, CalendarConnectionDetail, DryRun


class StartCalendarConnectionBody(TypedDict):
    capabilities: NotRequired[Sequence[Literal["availability", "publishing"]]]
    setup_link_id: NotRequired[str]


class StartCalendarConnectionAnswer(TypedDict):
    authorization_url: str


class ConnectCaldavAccountBody(TypedDict):
    server_url: str
    username: str
    #: An app password for this service alone, if the server offers them.
    password: str
    #: The zone of dates and of local times.
    timezone: NotRequired[str]
    capabilities: NotRequired[Sequence[Literal["availability", "publishing"]]]
    setup_link_id: NotRequired[str]


class ListCalendarConnectionsOptions(ReadOptions, total=False):
    limit: int
    offset: int


class ListCalendarConnectionsPage(TypedDict):
    data: list[CalendarConnection]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class UpdateCalendarConnectionBody(TypedDict):
    capabilities: NotRequired[Sequence[Literal["availability", "publishing"]]]
    selected_external_calendar_ids: NotRequired[Sequence[str]]


class UpdateCalendarConnectionAnswer(TypedDict):
    id: str
    status: Literal["active", "paused", "reauthorization_required", "disconnected"]


class DeleteCalendarConnectionOptions(WriteOptions, total=False):
    #: Leaves the copies of events that have not ended in the external calendar.
    keep_published: bool


class RefreshCalendarConnectionAnswer(TypedDict):
    status: Literal["current", "partial"]
    #: How many selected calendars were read.
    synced_calendars: int


class ReauthorizeCalendarConnectionBody(TypedDict):
    password: NotRequired[str]
    username: NotRequired[str]
    capabilities: NotRequired[Sequence[Literal["availability", "publishing"]]]


class ReauthorizeCalendarConnectionAnswer1(TypedDict):
    id: str
    status: Literal["active", "paused", "reauthorization_required", "disconnected"]


class ReauthorizeCalendarConnectionAnswer2(TypedDict):
    authorization_url: str


class PauseCalendarConnectionAnswer(TypedDict):
    id: str
    status: Literal["active", "paused", "reauthorization_required", "disconnected"]


class ResumeCalendarConnectionAnswer(TypedDict):
    id: str
    status: Literal["active", "paused", "reauthorization_required", "disconnected"]


class ConnectionsGroup(Group):
    @overload
    def start(self, provider: str, body: StartCalendarConnectionBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def start(self, provider: str, body: StartCalendarConnectionBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> StartCalendarConnectionAnswer: ...

    def start(self, provider: str, body: StartCalendarConnectionBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Connect an account of Google or Microsoft.

        Send the human to `authorization_url`. A provider that this installation is not configured for is `not_found`.

        `POST /v1/calendar-connections/oauth/{provider}/start`
        """
        return self._call(operations.start_calendar_connection, {"provider": provider}, body, {**options, "dry_run": dry_run or None})

    def finish(self, provider: str, **options: Unpack[ReadOptions]) -> Redirect:
        """The address that a provider redirects to.

        The browser calls it, not you. It always leads to one of our pages.

        `GET /v1/calendar-connections/oauth/{provider}/callback`
        """
        return self._call(operations.finish_calendar_connection, {"provider": provider}, None, options)

    @overload
    def connect_caldav(self, body: ConnectCaldavAccountBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def connect_caldav(self, body: ConnectCaldavAccountBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> CalendarConnectionDetail: ...

    def connect_caldav(self, body: ConnectCaldavAccountBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Connect a CalDAV account.

        Finds the calendars of the account. Nothing is read from them until some are selected. An account that is already connected is authorized again: the answer is 200 with the same `id`.

        `POST /v1/calendar-connections/caldav`
        """
        return self._call(operations.connect_caldav_account, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListCalendarConnectionsOptions]) -> Paged[CalendarConnection, ListCalendarConnectionsPage]:
        """List calendar connections.

        Newest first.

        `GET /v1/calendar-connections`
        """
        return self._paged(operations.list_calendar_connections, {}, options)

    def get(self, id: str, **options: Unpack[ReadOptions]) -> CalendarConnectionDetail:
        """Read a calendar connection with its calendars.

        At most 250 calendars are kept of an account.

        `GET /v1/calendar-connections/{id}`
        """
        return self._call(operations.get_calendar_connection, {"id": id}, None, options)

    @overload
    def update(self, id: str, body: UpdateCalendarConnectionBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateCalendarConnectionBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> UpdateCalendarConnectionAnswer: ...

    def update(self, id: str, body: UpdateCalendarConnectionBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Select calendars, or change what a connection is for.

        A calendar that is unselected leaves all grants, and its copy is erased. A grant that is left without calendars is removed.

        `PATCH /v1/calendar-connections/{id}`
        """
        return self._call(operations.update_calendar_connection, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete(self, id: str, *, dry_run: Literal[True], **options: Unpack[DeleteCalendarConnectionOptions]) -> DryRun: ...

    @overload
    def delete(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[DeleteCalendarConnectionOptions]) -> None: ...

    def delete(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Disconnect an account.

        It leaves all grants, and everything that was stored of it is erased. Published copies of events that have not ended are withdrawn within 10 minutes, unless `keep_published=true`.

        `DELETE /v1/calendar-connections/{id}`
        """
        return self._call(operations.delete_calendar_connection, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def refresh(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def refresh(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> RefreshCalendarConnectionAnswer: ...

    def refresh(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Read the selected calendars now.

        Answers when they have been read, after 10 seconds at most. Takes no body.

        `POST /v1/calendar-connections/{id}/refresh`
        """
        return self._call(operations.refresh_calendar_connection, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def reauthorize(self, id: str, body: ReauthorizeCalendarConnectionBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def reauthorize(self, id: str, body: ReauthorizeCalendarConnectionBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> ReauthorizeCalendarConnectionAnswer1 | ReauthorizeCalendarConnectionAnswer2: ...

    def reauthorize(self, id: str, body: ReauthorizeCalendarConnectionBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Authorize the account of a connection again.

        With the password of the same CalDAV account; or, at other providers, by sending the human to `authorization_url`, with further `capabilities` if they are needed. Another account changes nothing: with CalDAV it is `conflict`, code `account_mismatch`.

        `POST /v1/calendar-connections/{id}/reauthorize`
        """
        return self._call(operations.reauthorize_calendar_connection, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def pause(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def pause(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> PauseCalendarConnectionAnswer: ...

    def pause(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Pause the reading of an account.

        Its busy time counts as stale from now on, so agents offer no times. Takes no body.

        `POST /v1/calendar-connections/{id}/pause`
        """
        return self._call(operations.pause_calendar_connection, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def resume(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def resume(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> ResumeCalendarConnectionAnswer: ...

    def resume(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Read a paused account again.

        Takes no body.

        `POST /v1/calendar-connections/{id}/resume`
        """
        return self._call(operations.resume_calendar_connection, {"id": id}, None, {**options, "dry_run": dry_run or None})
