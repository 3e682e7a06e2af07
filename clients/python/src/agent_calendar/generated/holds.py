# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, Unpack, overload
from ..group import Group
from ..operation import WriteOptions
from . import operations
from .schemas import ChangedEvent, DryRun


class ConfirmHoldOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: Refuse it with `not_free` unless its time is free by the rules of availability.
    require_free: bool
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str
    #: `*`: only if none exists yet.
    if_none_match: str


class ReleaseHoldOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]
    #: The tag of the record as you saw it: with another one nothing is changed.
    if_match: str
    #: `*`: only if none exists yet.
    if_none_match: str


class HoldsGroup(Group):
    @overload
    def confirm(self, id: str, *, dry_run: Literal[True], **options: Unpack[ConfirmHoldOptions]) -> DryRun: ...

    @overload
    def confirm(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[ConfirmHoldOptions]) -> ChangedEvent: ...

    def confirm(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Confirm a hold.

        Takes no body. The hold must be active: `conflict` has the code `hold_expired` if it has run out, and `not_a_hold` if it was confirmed, released or pre-empted, and `hold_in_group` if it belongs to a hold group. The event keeps its id. Nothing else on the calendar is checked unless `require_free=true`: then the time must be free by the rules of availability (`not_free`).

        `PUT /v1/events/{id}/confirm`
        """
        return self._call(operations.confirm_hold, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def release(self, id: str, *, dry_run: Literal[True], **options: Unpack[ReleaseHoldOptions]) -> DryRun: ...

    @overload
    def release(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[ReleaseHoldOptions]) -> ChangedEvent: ...

    def release(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Release a hold.

        Takes no body. The hold becomes `cancelled`, and other holds can use its time at once. Fails if the hold has run out (`hold_expired`) or ended in another way (`not_a_hold`). A hold of a group is released with its group (`hold_in_group`).

        `PUT /v1/events/{id}/release`
        """
        return self._call(operations.release_hold, {"id": id}, None, {**options, "dry_run": dry_run or None})
