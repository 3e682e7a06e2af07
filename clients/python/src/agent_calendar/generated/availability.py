# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Required, Unpack
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions
from . import operations
from .schemas import Availability, AvailabilityCheck


class GetCalendarAvailabilityOptions(ReadOptions, total=False):
    start: Required[Moment]
    #: After start.
    end: Required[Moment]
    #: Length of a slot; 30m by default.
    duration: Literal["15m", "30m", "45m", "1h", "2h"]
    #: The former name of duration.
    slot_duration: Literal["15m", "30m", "45m", "1h", "2h"]
    include_busy: bool
    #: Use old copies of external calendars. Only for exploring, never for booking.
    allow_stale: bool
    #: Adds `blocked` and `empty_reason`.
    explain: bool
    #: Adds this many of the best times, by `rank`.
    best: int
    #: `soonest` (default), `compact`: next to other events, or `spread`: far from them. Needs `best`.
    rank: Literal["soonest", "compact", "spread"]
    #: The best times start at multiples of this many minutes after midnight; 15 by default. Needs `best`.
    step: Literal["5", "10", "15", "30", "60"]
    #: Times of day that are preferred. Needs `best`.
    prefer: str
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]


class GetAgentAvailabilityOptions(ReadOptions, total=False):
    start: Required[Moment]
    #: After start.
    end: Required[Moment]
    #: Length of a slot; 30m by default.
    duration: Literal["15m", "30m", "45m", "1h", "2h"]
    #: The former name of duration.
    slot_duration: Literal["15m", "30m", "45m", "1h", "2h"]
    include_busy: bool
    #: Use old copies of external calendars. Only for exploring, never for booking.
    allow_stale: bool
    #: Adds `blocked` and `empty_reason`.
    explain: bool
    #: Adds this many of the best times, by `rank`.
    best: int
    #: `soonest` (default), `compact`: next to other events, or `spread`: far from them. Needs `best`.
    rank: Literal["soonest", "compact", "spread"]
    #: The best times start at multiples of this many minutes after midnight; 15 by default. Needs `best`.
    step: Literal["5", "10", "15", "30", "60"]
    #: Times of day that are preferred. Needs `best`.
    prefer: str
    #: Only with `view=local`, and required then: the zone.
    tz: str
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]


class GetAvailabilityOptions(ReadOptions, total=False):
    start: Required[Moment]
    #: After start.
    end: Required[Moment]
    #: Length of a slot; 30m by default.
    duration: Literal["15m", "30m", "45m", "1h", "2h"]
    #: The former name of duration.
    slot_duration: Literal["15m", "30m", "45m", "1h", "2h"]
    include_busy: bool
    #: Use old copies of external calendars. Only for exploring, never for booking.
    allow_stale: bool
    #: Adds `blocked` and `empty_reason`.
    explain: bool
    #: Adds this many of the best times, by `rank`.
    best: int
    #: `soonest` (default), `compact`: next to other events, or `spread`: far from them. Needs `best`.
    rank: Literal["soonest", "compact", "spread"]
    #: The best times start at multiples of this many minutes after midnight; 15 by default. Needs `best`.
    step: Literal["5", "10", "15", "30", "60"]
    #: Times of day that are preferred. Needs `best`.
    prefer: str
    #: Only with `view=local`, and required then: the zone.
    tz: str
    #: Slots at which all of these agents are free.
    agents: Required[str | Sequence[str]]
    #: Only these calendars count. An agent that owns none of them counts as free.
    calendars: str | Sequence[str]
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]


class CheckCalendarAvailabilityOptions(ReadOptions, total=False):
    start: Required[Moment]
    #: After start.
    end: Required[Moment]
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str


class CheckAgentAvailabilityOptions(ReadOptions, total=False):
    start: Required[Moment]
    #: After start.
    end: Required[Moment]
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class AvailabilityGroup(Group):
    def get_for_calendar(self, id: str, **options: Unpack[GetCalendarAvailabilityOptions]) -> Availability:
        """When a calendar is free.

        Slots of `duration` follow each other from the start of each free period. The window is at most 366 days.

        Busy is every `confirmed` or `tentative` event and every active hold, imported ones included, with the calendar's buffers, and all time outside its working hours. `include_busy` lists it in `busy`.

        `explain=true` says why the rest of the window is not free, `best` proposes the best times.

        Book only while `availability_state` is `complete`.

        `GET /v1/calendars/{id}/availability`
        """
        return self._call(operations.get_calendar_availability, {"id": id}, None, options)

    def get_for_agent(self, id: str, **options: Unpack[GetAgentAvailabilityOptions]) -> Availability:
        """When an agent is free on all its calendars.

        Free means free on every calendar that the agent owns, each with its own buffers and working hours. An agent without calendars is always free. The window is at most 366 days. `include_busy` lists the busy time in `per_agent_busy`.

        `GET /v1/agents/{id}/availability`
        """
        return self._call(operations.get_agent_availability, {"id": id}, None, options)

    def get(self, **options: Unpack[GetAvailabilityOptions]) -> Availability:
        """When several agents are all free.

        `agents` is a comma-separated list of ids. The plan limits how many agents (20 on pro) and how long a window (90 days) a request may name; beyond that it is `bad_request`. `calendars` restricts the query to these calendars; an agent that owns none of them counts as free. Calendars without an agent are not considered.

        `GET /v1/availability`
        """
        return self._call(operations.get_availability, {}, None, options)

    def check_for_calendar(self, id: str, **options: Unpack[CheckCalendarAvailabilityOptions]) -> AvailabilityCheck:
        """Whether a time is free on a calendar.

        `blocked_by` names what is in the way, `free_from` and `next_free` say when the same length is free. The answer is that of the availability of the same calendars. The time is at most 366 days long.

        `GET /v1/calendars/{id}/availability/check`
        """
        return self._call(operations.check_calendar_availability, {"id": id}, None, options)

    def check_for_agent(self, id: str, **options: Unpack[CheckAgentAvailabilityOptions]) -> AvailabilityCheck:
        """Whether a time is free on all calendars of an agent.

        `blocked_by` names what is in the way, `free_from` and `next_free` say when the same length is free. The answer is that of the availability of the same calendars. The time is at most 366 days long.

        `GET /v1/agents/{id}/availability/check`
        """
        return self._call(operations.check_agent_availability, {"id": id}, None, options)
