# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from . import operations
from .schemas import AvailabilityRules, DayHours, DryRun


class SetAvailabilityRulesBodyWorkingHoursMonItem(TypedDict):
    start: str
    end: str


class SetAvailabilityRulesBodyWorkingHoursTueItem(TypedDict):
    start: str
    end: str


class SetAvailabilityRulesBodyWorkingHoursWedItem(TypedDict):
    start: str
    end: str


class SetAvailabilityRulesBodyWorkingHoursThuItem(TypedDict):
    start: str
    end: str


class SetAvailabilityRulesBodyWorkingHoursFriItem(TypedDict):
    start: str
    end: str


class SetAvailabilityRulesBodyWorkingHoursSatItem(TypedDict):
    start: str
    end: str


class SetAvailabilityRulesBodyWorkingHoursSunItem(TypedDict):
    start: str
    end: str


class SetAvailabilityRulesBodyWorkingHours(TypedDict):
    mon: NotRequired[DayHours | Sequence[SetAvailabilityRulesBodyWorkingHoursMonItem]]
    tue: NotRequired[DayHours | Sequence[SetAvailabilityRulesBodyWorkingHoursTueItem]]
    wed: NotRequired[DayHours | Sequence[SetAvailabilityRulesBodyWorkingHoursWedItem]]
    thu: NotRequired[DayHours | Sequence[SetAvailabilityRulesBodyWorkingHoursThuItem]]
    fri: NotRequired[DayHours | Sequence[SetAvailabilityRulesBodyWorkingHoursFriItem]]
    sat: NotRequired[DayHours | Sequence[SetAvailabilityRulesBodyWorkingHoursSatItem]]
    sun: NotRequired[DayHours | Sequence[SetAvailabilityRulesBodyWorkingHoursSunItem]]


class SetAvailabilityRulesBodyDatesItemHoursItem(TypedDict):
    start: str
    end: str


SetAvailabilityRulesBodyDatesItem = TypedDict("SetAvailabilityRulesBodyDatesItem", {
    "from": "str",
    #: The last day; without it one day.
    "to": "NotRequired[str]",
    "hours": "Sequence[SetAvailabilityRulesBodyDatesItemHoursItem]",
    "label": "NotRequired[str]",
})


class SetAvailabilityRulesBodyTimeOffItem(TypedDict):
    start: Moment
    end: Moment
    label: NotRequired[str]


class SetAvailabilityRulesBody(TypedDict):
    buffer_before_minutes: NotRequired[int]
    buffer_after_minutes: NotRequired[int]
    #: null: no restriction. A day that is left out is not a working day. A list of stretches is in order and without overlap, and its last `end` may be `24:00`.
    working_hours: NotRequired[SetAvailabilityRulesBodyWorkingHours | None]
    timezone: NotRequired[str]
    #: Days of `timezone` that have these hours alone, or none with `hours: []`. The ranges do not overlap; `to` is included. They go before holidays and the week.
    dates: NotRequired[Sequence[SetAvailabilityRulesBodyDatesItem]]
    #: Times at which nothing is free.
    time_off: NotRequired[Sequence[SetAvailabilityRulesBodyTimeOffItem]]
    #: iCal subscriptions whose whole-day events close their days, unless `dates` names the day.
    holiday_subscription_ids: NotRequired[Sequence[str]]
    #: Events and holds that start on a local day of `timezone`. With so many of them the day is closed.
    max_meetings_per_day: NotRequired[int]
    #: Minutes that events and holds may take together on a local day of `timezone`.
    max_busy_minutes_per_day: NotRequired[int]


class SetAvailabilityRulesOptions(WriteOptions, total=False):
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str
    #: `*`: only if none exists yet.
    if_none_match: str


class RemoveAvailabilityRulesOptions(WriteOptions, total=False):
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str


class AvailabilityRulesGroup(Group):
    @overload
    def set(self, id: str, body: SetAvailabilityRulesBody, *, dry_run: Literal[True], **options: Unpack[SetAvailabilityRulesOptions]) -> DryRun: ...

    @overload
    def set(self, id: str, body: SetAvailabilityRulesBody, *, dry_run: Literal[False] = False, **options: Unpack[SetAvailabilityRulesOptions]) -> AvailabilityRules: ...

    def set(self, id: str, body: SetAvailabilityRulesBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Set the availability rules of a calendar.

        Replaces all rules of the calendar: a rule that is left out gets its default. `working_hours` are wall-clock times in `timezone`; a day left out is closed, null means no restriction. The buffers extend every event. `dates` go before holidays, holidays before the week; time off closes besides. A daily limit that is reached closes the whole local day; limits count the busy events and active holds of this calendar alone. Rules affect only availability and booking pages: events may still be created at any time.

        `PUT /v1/calendars/{id}/availability-rules`
        """
        return self._call(operations.set_availability_rules, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def get(self, id: str, *, if_none_match: str, **options: Unpack[ReadOptions]) -> AvailabilityRules | None: ...

    @overload
    def get(self, id: str, *, if_none_match: None = None, **options: Unpack[ReadOptions]) -> AvailabilityRules: ...

    def get(self, id: str, *, if_none_match: str | None = None, **options: Any) -> Any:
        """Read the availability rules of a calendar.

        `not_found` while no rules are set: the calendar then has no buffers and no working hours.

        `GET /v1/calendars/{id}/availability-rules`
        """
        return self._call(operations.get_availability_rules, {"id": id}, None, {**options, "if_none_match": if_none_match})

    @overload
    def remove(self, id: str, *, dry_run: Literal[True], **options: Unpack[RemoveAvailabilityRulesOptions]) -> DryRun: ...

    @overload
    def remove(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[RemoveAvailabilityRulesOptions]) -> None: ...

    def remove(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Remove the availability rules of a calendar.

        The calendar then has no buffers and no working hours. `not_found` if no rules are set.

        `DELETE /v1/calendars/{id}/availability-rules`
        """
        return self._call(operations.remove_availability_rules, {"id": id}, None, {**options, "dry_run": dry_run or None})
