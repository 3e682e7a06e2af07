# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import ConfirmHoldGroup, CreateHoldGroup, DryRun, HoldGroup, RenewHoldGroup


class CreateHoldGroupOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class ListHoldGroupsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    status: Literal["held", "confirmed", "released", "expired"]
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class ListHoldGroupsPage(TypedDict):
    data: list[HoldGroup]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class GetHoldGroupOptions(ReadOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class ConfirmHoldGroupOptions(WriteOptions, total=False):
    #: A `conflict` also says what is in the way and when it would be free.
    explain: bool
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class ReleaseHoldGroupOptions(WriteOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class RenewHoldGroupOptions(WriteOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str


class HoldGroupsGroup(Group):
    @overload
    def create(self, body: CreateHoldGroup, *, dry_run: Literal[True], **options: Unpack[CreateHoldGroupOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateHoldGroup, *, dry_run: Literal[False] = False, **options: Unpack[CreateHoldGroupOptions]) -> HoldGroup: ...

    def create(self, body: CreateHoldGroup, *, dry_run: bool = False, **options: Any) -> Any:
        """Hold times on several calendars, all or none.

        Each requirement gets holds on `need` of its calendars, or nothing happens (`hold_conflict`). Calendars where no other hold yields are taken first, then those where holds of a lower priority do, each in the order listed. `spare` more are held where nothing yields.

        With `require_free` (the default), a calendar counts only if it is free by the rules of availability. An active hold with the same or a higher `hold_priority` is in the way of a group, a lower one yields.

        The members are holds with a `holdGroupId`. They are confirmed and released as a group: one alone cannot be changed (`hold_in_group`). Each hold that is placed uses one of the month's events; there must be enough for all, spares included.

        With `explain=true`, the refusal has `blocked`, what is in the way on each calendar, and `alternatives`, times at which the group would fit.

        `POST /v1/hold-groups`
        """
        return self._call(operations.create_hold_group, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListHoldGroupsOptions]) -> Paged[HoldGroup, ListHoldGroupsPage]:
        """List hold groups.

        Newest first. The key of an agent sees the groups that are on its own calendars alone. A group whose time is up is `expired`, from that moment.

        `GET /v1/hold-groups`
        """
        return self._paged(operations.list_hold_groups, {}, options)

    def get(self, id: str, **options: Unpack[GetHoldGroupOptions]) -> HoldGroup:
        """Read a hold group.

        The members of a requirement are in the order in which they were chosen.

        `GET /v1/hold-groups/{id}`
        """
        return self._call(operations.get_hold_group, {"id": id}, None, options)

    @overload
    def confirm(self, id: str, body: ConfirmHoldGroup, *, dry_run: Literal[True], **options: Unpack[ConfirmHoldGroupOptions]) -> DryRun: ...

    @overload
    def confirm(self, id: str, body: ConfirmHoldGroup, *, dry_run: Literal[False] = False, **options: Unpack[ConfirmHoldGroupOptions]) -> HoldGroup: ...

    def confirm(self, id: str, body: ConfirmHoldGroup, *, dry_run: bool = False, **options: Any) -> Any:
        """Confirm a hold group.

        The first `need` members of each requirement become confirmed events, the others are released. `choose` prefers members by their calendars.

        If the group was created with `require_free`, the times must still be free (`not_free`); the group stays otherwise. Fails if the group has run out (`hold_expired`) or ended in another way (`not_a_hold`).

        `PUT /v1/hold-groups/{id}/confirm`
        """
        return self._call(operations.confirm_hold_group, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def release(self, id: str, *, dry_run: Literal[True], **options: Unpack[ReleaseHoldGroupOptions]) -> DryRun: ...

    @overload
    def release(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[ReleaseHoldGroupOptions]) -> HoldGroup: ...

    def release(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Release a hold group.

        Takes no body. All its holds are released, and others can use their times at once.

        `PUT /v1/hold-groups/{id}/release`
        """
        return self._call(operations.release_hold_group, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def renew(self, id: str, body: RenewHoldGroup, *, dry_run: Literal[True], **options: Unpack[RenewHoldGroupOptions]) -> DryRun: ...

    @overload
    def renew(self, id: str, body: RenewHoldGroup, *, dry_run: Literal[False] = False, **options: Unpack[RenewHoldGroupOptions]) -> HoldGroup: ...

    def renew(self, id: str, body: RenewHoldGroup, *, dry_run: bool = False, **options: Any) -> Any:
        """Hold a renewable group for longer.

        Moves `hold_expires_at` of all its holds. It may not become earlier than it is, nor later than `renew_until`. Webhooks are not called; the change feed has `event.hold_renewed` for each hold.

        `PUT /v1/hold-groups/{id}/renew`
        """
        return self._call(operations.renew_hold_group, {"id": id}, body, {**options, "dry_run": dry_run or None})
