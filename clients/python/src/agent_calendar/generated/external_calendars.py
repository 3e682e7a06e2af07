# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import TypedDict, Unpack
from ..group import Group
from ..operation import ReadOptions
from ..paging import Paged
from . import operations
from .schemas import ExternalCalendar


class ListExternalCalendarsOptions(ReadOptions, total=False):
    limit: int
    offset: int


class ListExternalCalendarsPage(TypedDict):
    data: list[ExternalCalendar]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class ExternalCalendarsGroup(Group):
    def list(self, id: str, **options: Unpack[ListExternalCalendarsOptions]) -> Paged[ExternalCalendar, ListExternalCalendarsPage]:
        """List the calendars of a connection.

        The primary one first, then by name.

        `GET /v1/calendar-connections/{id}/external-calendars`
        """
        return self._paged(operations.list_external_calendars, {"id": id}, options)
