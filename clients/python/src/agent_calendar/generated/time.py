# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Required, Unpack
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions
from . import operations
from .schemas import Time


class GetTimeOptions(ReadOptions, total=False):
    tz: Required[str]
    #: A time other than now.
    at: Moment


class TimeGroup(Group):
    def get(self, **options: Unpack[GetTimeOptions]) -> Time:
        """Read the time in a zone.

        `now` is always the time of the service. The rest is about now, or about `at`: the local time, its ISO week, and the next moment at which clocks change in the zone.

        `GET /v1/time`
        """
        return self._call(operations.get_time, {}, None, options)
