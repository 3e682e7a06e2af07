"""Times on the wall clock of a zone, in the spelling of the service: `2026-12-01T10:00:00+01:00[Europe/Berlin]`."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TypeAlias
from zoneinfo import ZoneInfo

#: ISO 8601 with an offset, a local time with its zone in brackets, or a `datetime` that knows its zone.
Moment: TypeAlias = str | datetime

_wall_clock = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?", re.ASCII)
_bracketed = re.compile(r"(?P<time>[0-9T:.Z+-]{16,40})\[!?(?P<zone>[A-Za-z0-9_+/-]{1,64})\]")


def local_time(time: str, timezone: str) -> str:
    """A time on the wall clock of a zone: `local_time("2026-12-01T10:00", "Europe/Berlin")`.

    Whether clocks have that time there, once or twice, is decided by the service: it refuses a time that was skipped or
    is doubled, and suggests others.
    """
    if not _wall_clock.fullmatch(time):
        raise ValueError(f"A local time is written like 2026-12-01T10:00, without an offset: {time!r}")
    return f"{time}[{_zone(timezone).key}]"


def in_zone(moment: datetime, timezone: str) -> str:
    """A moment as the wall clock of a zone shows it, with its offset: `2026-12-01T10:00:00+01:00[Europe/Berlin]`."""
    if moment.tzinfo is None:
        raise ValueError("This datetime has no zone. Give it one: datetime(…, tzinfo=ZoneInfo('Europe/Berlin')).")
    return f"{moment.astimezone(_zone(timezone)).isoformat()}[{timezone}]"


def read_time(text: str) -> datetime:
    """A time of the service as a `datetime`, in the zone in brackets if there is one."""
    found = _bracketed.fullmatch(text)
    if not found:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError(f"This time has neither an offset nor a zone: {text!r}")
        return moment
    moment, zone = datetime.fromisoformat(found["time"]), _zone(found["zone"])
    return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)


def time_text(moment: datetime) -> str:
    """How a `datetime` is sent: with its offset, and with its zone if it has a named one."""
    if isinstance(moment.tzinfo, ZoneInfo) and moment.tzinfo.key:
        return in_zone(moment, moment.tzinfo.key)
    if moment.tzinfo is None:
        raise TypeError(f"{moment!r} has no zone. Give it one, or write it with local_time.")
    return moment.isoformat()


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise ValueError(f"There is no time zone {name!r}. Write it like Europe/Berlin.") from None
