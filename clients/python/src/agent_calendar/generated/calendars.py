# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import BusyFeed, Calendar, CalendarContext, DryRun


class CreateCalendarBody(TypedDict):
    name: str
    timezone: str
    #: Free text. The usual values are idle, working, waiting and error.
    agent_status: NotRequired[str]
    #: Minutes before the start, at most 5 of them. null inherits, [] means none.
    default_reminders: NotRequired[Sequence[int] | None]
    #: Free key-value pairs, at most 16 KB of JSON.
    metadata: NotRequired[Mapping[str, Any]]


class ListCalendarsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    #: Include the calendars of agents.
    include: Literal["all"]
    #: A part of the name, in upper or lower case.
    query: str


class ListCalendarsPage(TypedDict):
    data: list[Calendar]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class CreateAgentCalendarBody(TypedDict):
    name: str
    timezone: str
    #: Free text. The usual values are idle, working, waiting and error.
    agent_status: NotRequired[str]
    #: Minutes before the start, at most 5 of them. null inherits, [] means none.
    default_reminders: NotRequired[Sequence[int] | None]
    #: Free key-value pairs, at most 16 KB of JSON.
    metadata: NotRequired[Mapping[str, Any]]


class ListAgentCalendarsOptions(ReadOptions, total=False):
    limit: int
    offset: int


class ListAgentCalendarsPage(TypedDict):
    data: list[Calendar]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class UpdateCalendarBody(TypedDict):
    name: NotRequired[str]
    timezone: NotRequired[str]
    #: Free text. The usual values are idle, working, waiting and error.
    agent_status: NotRequired[str]
    #: Minutes before the start, at most 5 of them. null inherits, [] means none.
    default_reminders: NotRequired[Sequence[int] | None]
    #: Replaces the whole object.
    metadata: NotRequired[Mapping[str, Any]]


class UpdateCalendarOptions(WriteOptions, total=False):
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class DeleteCalendarOptions(WriteOptions, total=False):
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class DeleteBusyFeedOptions(WriteOptions, total=False):
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class GetCalendarContextOptions(ReadOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class CalendarsGroup(Group):
    @overload
    def create(self, body: CreateCalendarBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateCalendarBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Calendar: ...

    def create(self, body: CreateCalendarBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create a calendar of the organization.

        It belongs to no agent: agent keys cannot use it, and the availability of agents ignores it. `default_reminders` apply to events without their own: null means one reminder 10 minutes before, `[]` means none.

        `POST /v1/calendars`
        """
        return self._call(operations.create_calendar, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListCalendarsOptions]) -> Paged[Calendar, ListCalendarsPage]:
        """List calendars.

        Newest first. Without `include`, only the organization's own; `include=all` adds those of its agents. An agent key sees its agent's calendars in both cases.

        `GET /v1/calendars`
        """
        return self._paged(operations.list_calendars, {}, options)

    @overload
    def create_for_agent(self, agent_id: str, body: CreateAgentCalendarBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create_for_agent(self, agent_id: str, body: CreateAgentCalendarBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Calendar: ...

    def create_for_agent(self, agent_id: str, body: CreateAgentCalendarBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create a calendar of an agent.

        The agent must not be decommissioned; its keys may read and write the calendar. `default_reminders`: null means one reminder 10 minutes before, `[]` means none.

        `POST /v1/agents/{agent_id}/calendars`
        """
        return self._call(operations.create_agent_calendar, {"agent_id": agent_id}, body, {**options, "dry_run": dry_run or None})

    def list_for_agent(self, agent_id: str, **options: Unpack[ListAgentCalendarsOptions]) -> Paged[Calendar, ListAgentCalendarsPage]:
        """List the calendars of an agent.

        Newest first, without deleted ones. Those of a decommissioned agent are still listed.

        `GET /v1/agents/{agent_id}/calendars`
        """
        return self._paged(operations.list_agent_calendars, {"agent_id": agent_id}, options)

    @overload
    def get(self, id: str, *, if_none_match: str, **options: Unpack[ReadOptions]) -> Calendar | None: ...

    @overload
    def get(self, id: str, *, if_none_match: None = None, **options: Unpack[ReadOptions]) -> Calendar: ...

    def get(self, id: str, *, if_none_match: str | None = None, **options: Any) -> Any:
        """Read a calendar.

        `ical_url` is the public feed: anyone who has this address can read the calendar. A deleted calendar is `not_found`.

        `GET /v1/calendars/{id}`
        """
        return self._call(operations.get_calendar, {"id": id}, None, {**options, "if_none_match": if_none_match})

    @overload
    def update(self, id: str, body: UpdateCalendarBody, *, dry_run: Literal[True], **options: Unpack[UpdateCalendarOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateCalendarBody, *, dry_run: Literal[False] = False, **options: Unpack[UpdateCalendarOptions]) -> Calendar: ...

    def update(self, id: str, body: UpdateCalendarBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change a calendar.

        Fields that are left out stay; `metadata` and `default_reminders` are replaced as a whole. A null `default_reminders` restores one reminder 10 minutes before; `[]` means none. `agent_status` may change from any value to any other, and has no effect. With another `timezone` all-day events stay on their dates: their times move, without `event.updated`. This is refused with `conflict` if they are more than 10,000, or if no rule keeps a series on its dates.

        `PATCH /v1/calendars/{id}`
        """
        return self._call(operations.update_calendar, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete(self, id: str, *, dry_run: Literal[True], **options: Unpack[DeleteCalendarOptions]) -> DryRun: ...

    @overload
    def delete(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[DeleteCalendarOptions]) -> None: ...

    def delete(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Delete a calendar and all its events.

        Its events, their timers and its feed go with it; subscriptions into it pause, and its booking pages close. No webhook event is sent for its events, and the month's events are not given back.

        `DELETE /v1/calendars/{id}`
        """
        return self._call(operations.delete_calendar, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def replace_feed_address(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def replace_feed_address(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Calendar: ...

    def replace_feed_address(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Replace the feed address of a calendar.

        The answer has the new `ical_url`. The old address is `not_found` at once, for everybody who reads it. Takes no body.

        `POST /v1/calendars/{id}/feed-address`
        """
        return self._call(operations.replace_calendar_feed_address, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def create_busy_feed(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create_busy_feed(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> BusyFeed: ...

    def create_busy_feed(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Make a busy feed of a calendar.

        A feed for people who may know when the calendar is busy, and nothing else: each event that blocks time is `Busy`, with its times and its rule, under a UID that says nothing. It has no title, no description, and not the name of the calendar. Each call makes a new address; the old one is `not_found` at once. Takes no body.

        `POST /v1/calendars/{id}/busy-feed`
        """
        return self._call(operations.create_busy_feed, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def get_busy_feed(self, id: str, *, if_none_match: str, **options: Unpack[ReadOptions]) -> BusyFeed | None: ...

    @overload
    def get_busy_feed(self, id: str, *, if_none_match: None = None, **options: Unpack[ReadOptions]) -> BusyFeed: ...

    def get_busy_feed(self, id: str, *, if_none_match: str | None = None, **options: Any) -> Any:
        """Read the address of a busy feed.

        `not_found` if the calendar has none.

        `GET /v1/calendars/{id}/busy-feed`
        """
        return self._call(operations.get_busy_feed, {"id": id}, None, {**options, "if_none_match": if_none_match})

    @overload
    def delete_busy_feed(self, id: str, *, dry_run: Literal[True], **options: Unpack[DeleteBusyFeedOptions]) -> DryRun: ...

    @overload
    def delete_busy_feed(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[DeleteBusyFeedOptions]) -> None: ...

    def delete_busy_feed(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """End the busy feed of a calendar.

        Its address is `not_found` at once. Without one nothing changes.

        `DELETE /v1/calendars/{id}/busy-feed`
        """
        return self._call(operations.delete_busy_feed, {"id": id}, None, {**options, "dry_run": dry_run or None})

    def get_context(self, id: str, **options: Unpack[GetCalendarContextOptions]) -> CalendarContext:
        """The current event, the next ones and the last ones.

        A snapshot at `now`; it costs one API call and no other quota. `recent_events` are the last 3 that ended, newest first; `upcoming` are the next 5 that start within 24 hours. Series appear as occurrences; cancelled events are left out. If several events are in progress, `current_event` is the one that started last; null means none.

        `GET /v1/calendars/{id}/context`
        """
        return self._call(operations.get_calendar_context, {"id": id}, None, options)
