# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, Required, TypedDict, Unpack, overload
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import ChangedEvent, ChangedEventInstance, DeletedEvent, DryRun, EventHistoryEntry, EventInstance, EventPage, SplitSeries


class CreateEventBodyConference(TypedDict):
    """How to join it as a call."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class CreateEventBodyLinksItem(TypedDict):
    url: str
    title: NotRequired[str]
    type: NotRequired[str | Sequence[str]]


class CreateEventBody(TypedDict):
    title: str
    start_time: Moment
    end_time: Moment
    #: A checksum: the weekday of the start, on the wall clock of its zone. Not stored.
    weekday: NotRequired[str]
    description: NotRequired[str]
    all_day: NotRequired[bool]
    status: NotRequired[Literal["confirmed", "tentative", "cancelled", "hold"]]
    #: Free key-value pairs, at most 16 KB of JSON.
    metadata: NotRequired[Mapping[str, Any]]
    #: Minutes before the start, at most 5 of them. null inherits, [] means none.
    reminders: NotRequired[Sequence[int] | None]
    #: RRULE subset, without the RRULE: prefix.
    recurrence_rule: NotRequired[str]
    #: Only with a rule: the series repeats by the clock of this zone. null: in UTC.
    recurrence_timezone: NotRequired[str | None]
    #: Only with a rule: starts beside those of the rule, none before `start_time`.
    recurrence_rdates: NotRequired[Sequence[Moment]]
    #: Required for a hold: 30 s to 15 min ahead.
    hold_expires_at: NotRequired[Moment]
    #: With a hold, 0 unless given: a higher one ends the holds it overlaps, an equal one is refused.
    hold_priority: NotRequired[int]
    #: Refuse it with `not_free` unless its time is free by the rules of availability. Of a series, every occurrence that starts in the first 366 days, at most 730. Not stored.
    require_free: NotRequired[bool]
    location: NotRequired[str]
    #: How to join it as a call.
    conference: NotRequired[CreateEventBodyConference]
    #: `transparent`: it takes no time. Availability, buffers and `require_free` of others pass over it.
    transparency: NotRequired[Literal["opaque", "transparent"]]
    #: `private`: calendar feeds and published copies show only that the time is taken.
    visibility: NotRequired[Literal["default", "private"]]
    #: Distinct texts, at most 20. [] clears.
    labels: NotRequired[Sequence[str]]
    #: A CSS3 colour name in small letters.
    color: NotRequired[str]
    #: Addresses beside the event, at most 20.
    links: NotRequired[Sequence[CreateEventBodyLinksItem]]


class CreateEventOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ListEventsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    #: First start that is listed.
    start_after: Moment
    #: First start that is not listed any more.
    start_before: Moment
    status: Literal["confirmed", "tentative", "cancelled", "hold"]
    source: Literal["internal", "external_ical"]
    #: Only events that have exactly this label.
    label: str
    #: Needs both bounds, at most 366 days apart: series come as their occurrences.
    expand: bool
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ListEventsPage(TypedDict):
    data: list[EventInstance]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class ListAgentEventsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    #: First start that is listed.
    start_after: Moment
    #: First start that is not listed any more.
    start_before: Moment
    status: Literal["confirmed", "tentative", "cancelled", "hold"]
    source: Literal["internal", "external_ical"]
    #: Only events that have exactly this label.
    label: str
    #: Needs both bounds, at most 366 days apart: series come as their occurrences.
    expand: bool
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ListAgentEventsPage(TypedDict):
    data: list[EventInstance]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class GetEventOptions(ReadOptions, total=False):
    #: Only this occurrence of a series, by the start that the series gives it.
    occurrence_start: Moment
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class UpdateEventBodyConference(TypedDict):
    """How to join it as a call."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class UpdateEventBodyLinksItem(TypedDict):
    url: str
    title: NotRequired[str]
    type: NotRequired[str | Sequence[str]]


class UpdateEventBody(TypedDict):
    title: NotRequired[str]
    #: null clears
    description: NotRequired[str | None]
    start_time: NotRequired[Moment]
    end_time: NotRequired[Moment]
    #: A checksum: the weekday of the start, on the wall clock of its zone. Not stored.
    weekday: NotRequired[str]
    all_day: NotRequired[bool]
    status: NotRequired[Literal["confirmed", "tentative", "cancelled"]]
    #: Replaces the whole object.
    metadata: NotRequired[Mapping[str, Any]]
    #: Replaces; null inherits again, [] means none.
    reminders: NotRequired[Sequence[int] | None]
    #: Of the whole series; null makes it a one-off.
    recurrence_rule: NotRequired[str | None]
    #: Only with a rule: the series repeats by the clock of this zone. null: in UTC.
    recurrence_timezone: NotRequired[str | None]
    #: Only with a rule: starts beside those of the rule, none before `start_time`.
    recurrence_rdates: NotRequired[Sequence[Moment]]
    #: Refuse it with `not_free` unless its time is free by the rules of availability. Of a series, every occurrence that starts in the first 366 days, at most 730. Not stored.
    require_free: NotRequired[bool]
    #: null clears.
    location: NotRequired[str | None]
    #: Replaces the whole object; null clears.
    conference: NotRequired[UpdateEventBodyConference | None]
    #: null: `opaque`.
    transparency: NotRequired[Literal["opaque", "transparent"] | None]
    #: null: `default`.
    visibility: NotRequired[Literal["default", "private"] | None]
    #: Replaces all; null and [] clear.
    labels: NotRequired[Sequence[str] | None]
    #: null clears.
    color: NotRequired[str | None]
    #: Replaces all; null and [] clear.
    links: NotRequired[Sequence[UpdateEventBodyLinksItem] | None]


class UpdateEventOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: Only this occurrence of a series, by the start that the series gives it.
    occurrence_start: Moment
    #: With `occurrence_start`: this occurrence and those after it.
    scope: Literal["following"]
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class DeleteEventOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: Only this occurrence of a series, by the start that the series gives it.
    occurrence_start: Moment
    #: With `occurrence_start`: the occurrence is not cancelled, but as the series has it again.
    revert: bool
    #: With `occurrence_start`: this occurrence and those after it.
    scope: Literal["following"]
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class GetEventByIdOptions(ReadOptions, total=False):
    #: Only this occurrence of a series, by the start that the series gives it.
    occurrence_start: Moment
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class UpdateEventByIdBodyConference(TypedDict):
    """How to join it as a call."""
    url: str
    provider: NotRequired[str]
    pin: NotRequired[str]
    phone: NotRequired[str]


class UpdateEventByIdBodyLinksItem(TypedDict):
    url: str
    title: NotRequired[str]
    type: NotRequired[str | Sequence[str]]


class UpdateEventByIdBody(TypedDict):
    title: NotRequired[str]
    #: null clears
    description: NotRequired[str | None]
    start_time: NotRequired[Moment]
    end_time: NotRequired[Moment]
    #: A checksum: the weekday of the start, on the wall clock of its zone. Not stored.
    weekday: NotRequired[str]
    all_day: NotRequired[bool]
    status: NotRequired[Literal["confirmed", "tentative", "cancelled"]]
    #: Replaces the whole object.
    metadata: NotRequired[Mapping[str, Any]]
    #: Replaces; null inherits again, [] means none.
    reminders: NotRequired[Sequence[int] | None]
    #: Of the whole series; null makes it a one-off.
    recurrence_rule: NotRequired[str | None]
    #: Only with a rule: the series repeats by the clock of this zone. null: in UTC.
    recurrence_timezone: NotRequired[str | None]
    #: Only with a rule: starts beside those of the rule, none before `start_time`.
    recurrence_rdates: NotRequired[Sequence[Moment]]
    #: Refuse it with `not_free` unless its time is free by the rules of availability. Of a series, every occurrence that starts in the first 366 days, at most 730. Not stored.
    require_free: NotRequired[bool]
    #: null clears.
    location: NotRequired[str | None]
    #: Replaces the whole object; null clears.
    conference: NotRequired[UpdateEventByIdBodyConference | None]
    #: null: `opaque`.
    transparency: NotRequired[Literal["opaque", "transparent"] | None]
    #: null: `default`.
    visibility: NotRequired[Literal["default", "private"] | None]
    #: Replaces all; null and [] clear.
    labels: NotRequired[Sequence[str] | None]
    #: null clears.
    color: NotRequired[str | None]
    #: Replaces all; null and [] clear.
    links: NotRequired[Sequence[UpdateEventByIdBodyLinksItem] | None]


class UpdateEventByIdOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: Only this occurrence of a series, by the start that the series gives it.
    occurrence_start: Moment
    #: With `occurrence_start`: this occurrence and those after it.
    scope: Literal["following"]
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class DeleteEventByIdOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: Only this occurrence of a series, by the start that the series gives it.
    occurrence_start: Moment
    #: With `occurrence_start`: the occurrence is not cancelled, but as the series has it again.
    revert: bool
    #: With `occurrence_start`: this occurrence and those after it.
    scope: Literal["following"]
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class ListOverlappingEventsOptions(ReadOptions, total=False):
    #: Separated by commas, at most 50.
    calendar_ids: Required[str | Sequence[str]]
    #: Leaves out what has ended by then.
    start: Required[Moment]
    #: Leaves out what starts then or later. At most 366 days after `start`.
    end: Required[Moment]
    limit: int
    #: The `next_cursor` of the page before.
    cursor: str
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ListDeletedEventsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ListDeletedEventsPage(TypedDict):
    data: list[DeletedEvent]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class RestoreEventBody(TypedDict):
    #: Refuse it with `not_free` unless its time is free by the rules of availability. Of a series, every occurrence that starts in the first 366 days, at most 730. Not stored.
    require_free: NotRequired[bool]
    #: Of a series that is there: takes back the cancellation of this one occurrence, by the start that the series gives it.
    occurrence_start: NotRequired[Moment]


class RestoreEventOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class GetEventHistoryOptions(ReadOptions, total=False):
    limit: int
    offset: int
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class GetEventHistoryPage(TypedDict):
    data: list[EventHistoryEntry]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class EventsGroup(Group):
    @overload
    def create(self, cal_id: str, body: CreateEventBody, *, dry_run: Literal[True], **options: Unpack[CreateEventOptions]) -> DryRun: ...

    @overload
    def create(self, cal_id: str, body: CreateEventBody, *, dry_run: Literal[False] = False, **options: Unpack[CreateEventOptions]) -> ChangedEvent: ...

    def create(self, cal_id: str, body: CreateEventBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create an event or place a hold.

        Without `status` the event is `confirmed`. Events may overlap: only holds are checked, and only against other holds. With `require_free`, the event is refused (`not_free`) unless its time is free by the rules of availability: of two requests that both ask for it, one gets the time.

        **Holds** (`status: hold`, paid plans) need `hold_expires_at`, 30 seconds to 15 minutes from now. An active hold with the same or a higher `hold_priority` at an overlapping time refuses a new one (`hold_conflict`); the new hold ends active holds with a lower priority. Holds do not block events with another status.

        **Reminders** fire only for `confirmed` events. If `reminders` is null or absent, the calendar's apply, or one 10 minutes before; `[]` means none.

        **Series** have a `recurrence_rule`: `FREQ` (DAILY, WEEKLY, MONTHLY, YEARLY), `INTERVAL` 1–99, `COUNT` 1–730 or `UNTIL`, `BYDAY` (weekly `MO,WE`; monthly a single one such as `2TU` or `-1FR`), `BYMONTHDAY` 1–28 or -1. `start_time` must match the rule. A series repeats in UTC, so its local hour shifts when clocks change, unless it has a `recurrence_timezone`: then it repeats by that clock, `BYDAY`, `BYMONTHDAY` and `UNTIL=YYYYMMDD` mean local days, and `start_time` must match the rule there. A local time that clocks skip counts by the offset before the gap (02:30 becomes 03:30), one that comes twice is the first. `recurrence_rdates` are up to 100 further starts, whatever `COUNT` says.

        A single event and a whole series each use one of the month's events.

        `POST /v1/calendars/{cal_id}/events`
        """
        return self._call(operations.create_event, {"cal_id": cal_id}, body, {**options, "dry_run": dry_run or None})

    def list(self, cal_id: str, **options: Unpack[ListEventsOptions]) -> Paged[EventInstance, ListEventsPage]:
        """List the events of a calendar.

        Ordered by start, then by id. Cancelled events are listed, deleted ones are not.

        `start_after` is inclusive, `start_before` is exclusive, and both apply to the start: an event that began before `start_after` is left out even if it still lasts.

        A series is one item, at its first start; `expand=true` lists its occurrences instead. They share the `id` of the series and differ in `originalStartTime`.

        `GET /v1/calendars/{cal_id}/events`
        """
        return self._paged(operations.list_events, {"cal_id": cal_id}, options)

    def list_for_agent(self, agent_id: str, **options: Unpack[ListAgentEventsOptions]) -> Paged[EventInstance, ListAgentEventsPage]:
        """List the events of all an agent's calendars.

        Takes the same parameters as the list of one calendar, and orders all events together by start, then by id. Calendars without an agent are not included.

        `GET /v1/agents/{agent_id}/events`
        """
        return self._paged(operations.list_agent_events, {"agent_id": agent_id}, options)

    @overload
    def get(self, cal_id: str, id: str, *, if_none_match: str, **options: Unpack[GetEventOptions]) -> EventInstance | None: ...

    @overload
    def get(self, cal_id: str, id: str, *, if_none_match: None = None, **options: Unpack[GetEventOptions]) -> EventInstance: ...

    def get(self, cal_id: str, id: str, *, if_none_match: str | None = None, **options: Any) -> Any:
        """Read an event.

        A series reads as one event: the times of its first occurrence, its rule and its cancelled starts. A hold that has run out reads as `cancelled` from that moment. A deleted event is `not_found`. With `occurrence_start` one occurrence of a series is read; there being none is `not_found`.

        `GET /v1/calendars/{cal_id}/events/{id}`
        """
        return self._call(operations.get_event, {"cal_id": cal_id, "id": id}, None, {**options, "if_none_match": if_none_match})

    @overload
    def update(self, cal_id: str, id: str, body: UpdateEventBody, *, dry_run: Literal[True], **options: Unpack[UpdateEventOptions]) -> DryRun: ...

    @overload
    def update(self, cal_id: str, id: str, body: UpdateEventBody, *, dry_run: Literal[False] = False, **options: Unpack[UpdateEventOptions]) -> ChangedEventInstance | SplitSeries: ...

    def update(self, cal_id: str, id: str, body: UpdateEventBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change an event.

        Fields that are left out stay. `metadata` and `reminders` are replaced as a whole: a null `reminders` restores the calendar's, `[]` means none.

        A change to a series changes every occurrence. A new `recurrence_rule`, `recurrence_timezone` or `start_time` drops its cancelled starts; other `recurrence_rdates` keep those that are still starts; a null rule leaves a single event.

        With `occurrence_start`, the start that the series gives it, only that occurrence changes, and the answer is the occurrence. It keeps that start as its name, whatever its own times are. Later changes to the series reach it in every field that was not changed by itself; a new rule, zone or start of the series drops it. At most 730 occurrences of a series differ from it.

        With `scope=following` too, the series ends before that occurrence, and a new series begins there with the changes. It uses one of the month's events and a place under the cap of active series. Cancelled, single and edited occurrences from there on go along, moved by the same shift, where the new series still has them: with a null rule it happens once, and none is left. Of the first occurrence it is a change to the whole series.

        With `require_free`, the event as it would be is refused (`not_free`) unless its time is free by the rules of availability, itself left out. A change that cancels the event is not judged.

        Holds cannot be edited, and a cancelled event cannot get a new `status` (`invalid_transition`). Imported events are read-only (`external_event_readonly`).

        `PATCH /v1/calendars/{cal_id}/events/{id}`
        """
        return self._call(operations.update_event, {"cal_id": cal_id, "id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete(self, cal_id: str, id: str, *, dry_run: Literal[True], **options: Unpack[DeleteEventOptions]) -> DryRun: ...

    @overload
    def delete(self, cal_id: str, id: str, *, dry_run: Literal[False] = False, **options: Unpack[DeleteEventOptions]) -> ChangedEvent: ...

    def delete(self, cal_id: str, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Delete an event, or cancel one occurrence.

        For a series, every occurrence is deleted. With `occurrence_start`, the exact start of one occurrence, only that occurrence is cancelled, and the answer is 200 with the updated series. With `revert=true` it is not cancelled: what was changed of it by itself is dropped, and it is as the series has it. With `scope=following` the series ends before the occurrence. The month's events are not given back.

        `DELETE /v1/calendars/{cal_id}/events/{id}`
        """
        return self._call(operations.delete_event, {"cal_id": cal_id, "id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def get_by_id(self, id: str, *, if_none_match: str, **options: Unpack[GetEventByIdOptions]) -> EventInstance | None: ...

    @overload
    def get_by_id(self, id: str, *, if_none_match: None = None, **options: Unpack[GetEventByIdOptions]) -> EventInstance: ...

    def get_by_id(self, id: str, *, if_none_match: str | None = None, **options: Any) -> Any:
        """Read an event, by its id alone.

        A series reads as one event: the times of its first occurrence, its rule and its cancelled starts. A hold that has run out reads as `cancelled` from that moment. A deleted event is `not_found`. With `occurrence_start` one occurrence of a series is read; there being none is `not_found`.

        `GET /v1/events/{id}`
        """
        return self._call(operations.get_event_by_id, {"id": id}, None, {**options, "if_none_match": if_none_match})

    @overload
    def update_by_id(self, id: str, body: UpdateEventByIdBody, *, dry_run: Literal[True], **options: Unpack[UpdateEventByIdOptions]) -> DryRun: ...

    @overload
    def update_by_id(self, id: str, body: UpdateEventByIdBody, *, dry_run: Literal[False] = False, **options: Unpack[UpdateEventByIdOptions]) -> ChangedEventInstance | SplitSeries: ...

    def update_by_id(self, id: str, body: UpdateEventByIdBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change an event, by its id alone.

        Fields that are left out stay. `metadata` and `reminders` are replaced as a whole: a null `reminders` restores the calendar's, `[]` means none.

        A change to a series changes every occurrence. A new `recurrence_rule`, `recurrence_timezone` or `start_time` drops its cancelled starts; other `recurrence_rdates` keep those that are still starts; a null rule leaves a single event.

        With `occurrence_start`, the start that the series gives it, only that occurrence changes, and the answer is the occurrence. It keeps that start as its name, whatever its own times are. Later changes to the series reach it in every field that was not changed by itself; a new rule, zone or start of the series drops it. At most 730 occurrences of a series differ from it.

        With `scope=following` too, the series ends before that occurrence, and a new series begins there with the changes. It uses one of the month's events and a place under the cap of active series. Cancelled, single and edited occurrences from there on go along, moved by the same shift, where the new series still has them: with a null rule it happens once, and none is left. Of the first occurrence it is a change to the whole series.

        With `require_free`, the event as it would be is refused (`not_free`) unless its time is free by the rules of availability, itself left out. A change that cancels the event is not judged.

        Holds cannot be edited, and a cancelled event cannot get a new `status` (`invalid_transition`). Imported events are read-only (`external_event_readonly`).

        `PATCH /v1/events/{id}`
        """
        return self._call(operations.update_event_by_id, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete_by_id(self, id: str, *, dry_run: Literal[True], **options: Unpack[DeleteEventByIdOptions]) -> DryRun: ...

    @overload
    def delete_by_id(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[DeleteEventByIdOptions]) -> ChangedEvent: ...

    def delete_by_id(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Delete an event, or cancel one occurrence, by its id alone.

        For a series, every occurrence is deleted. With `occurrence_start`, the exact start of one occurrence, only that occurrence is cancelled, and the answer is 200 with the updated series. With `revert=true` it is not cancelled: what was changed of it by itself is dropped, and it is as the series has it. With `scope=following` the series ends before the occurrence. The month's events are not given back.

        `DELETE /v1/events/{id}`
        """
        return self._call(operations.delete_event_by_id, {"id": id}, None, {**options, "dry_run": dry_run or None})

    def list_overlapping(self, **options: Unpack[ListOverlappingEventsOptions]) -> EventPage:
        """List what overlaps a window, over calendars.

        For showing days and weeks of several calendars: events, holds and imported events, and series as their occurrences, each edited one with its own times. Cancelled events and holds that have run out are left out.

        Includes what began before `start` and still lasts. Ordered by start, then by id, of all calendars together. Send `next_cursor` as `cursor`, with the same other parameters, for the next page. An event that is there all the while is on exactly one page, whatever else changes.

        `GET /v1/events`
        """
        return self._call(operations.list_overlapping_events, {}, None, options)

    def list_deleted(self, id: str, **options: Unpack[ListDeletedEventsOptions]) -> Paged[DeletedEvent, ListDeletedEventsPage]:
        """List the deleted events of a calendar.

        Those of the last 30 days, the latest first. Until `restorable_until` an event can be restored; then it is gone, with its texts. A series is one item. Holds and imported events are left out. A calendar that is deleted takes its trash along.

        `GET /v1/calendars/{id}/deleted-events`
        """
        return self._paged(operations.list_deleted_events, {"id": id}, options)

    @overload
    def restore(self, id: str, body: RestoreEventBody, *, dry_run: Literal[True], **options: Unpack[RestoreEventOptions]) -> DryRun: ...

    @overload
    def restore(self, id: str, body: RestoreEventBody, *, dry_run: Literal[False] = False, **options: Unpack[RestoreEventOptions]) -> ChangedEvent: ...

    def restore(self, id: str, body: RestoreEventBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Restore a deleted event, or a cancelled occurrence.

        The event comes back under its id, as it was, a series with its edited occurrences. It is judged anew, as a new one would be: by the guardrails of the key, the cap of active series and the rules of the plan, and with `require_free` by availability. It uses none of the month's events. A cancelled event stays cancelled. Starts, ends and reminders that lie ahead fire again.

        Webhooks get `event.created` with `restored: true`. An event that is there is refused (`not_deleted`), and so are bookings, holds and imported events (`not_restorable`). `If-Match` compares with the record that the list of deleted events shows.

        With `occurrence_start`, the start that the series gives it, one cancelled occurrence of a series that is there happens again: the answer is the series, and webhooks get `event.updated`.

        `POST /v1/events/{id}/restore`
        """
        return self._call(operations.restore_event, {"id": id}, body, {**options, "dry_run": dry_run or None})

    def get_history(self, id: str, **options: Unpack[GetEventHistoryOptions]) -> Paged[EventHistoryEntry, GetEventHistoryPage]:
        """Read the changes of an event, and who made them.

        The newest first, as long as the change feed keeps entries; also of a deleted event, while it can be restored. Each change is compared with the one before of the same event or occurrence, the first of an occurrence with its series. The oldest entry that is kept cannot be compared, unless it is a creation: its `changes` are null, and it is `incomplete`. Starts, ends and reminders are left out.

        `GET /v1/events/{id}/history`
        """
        return self._paged(operations.get_event_history, {"id": id}, options)
