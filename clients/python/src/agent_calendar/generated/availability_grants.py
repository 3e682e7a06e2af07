# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import AvailabilityGrant, DryRun


class CreateAvailabilityGrantBody(TypedDict):
    external_calendar_ids: Sequence[str]
    #: `all_current_agents`: those that exist when the audience is set.
    audience: Literal["selected_agents", "all_current_agents", "all_org_agents"]
    agent_ids: NotRequired[Sequence[str]]


class ListAvailabilityGrantsOptions(ReadOptions, total=False):
    limit: int
    offset: int


class ListAvailabilityGrantsPage(TypedDict):
    data: list[AvailabilityGrant]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class UpdateAvailabilityGrantBody(TypedDict):
    external_calendar_ids: NotRequired[Sequence[str]]
    #: `all_current_agents`: those that exist when the audience is set.
    audience: NotRequired[Literal["selected_agents", "all_current_agents", "all_org_agents"]]
    agent_ids: NotRequired[Sequence[str]]
    active: NotRequired[bool]


class AvailabilityGrantsGroup(Group):
    @overload
    def create(self, body: CreateAvailabilityGrantBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateAvailabilityGrantBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> AvailabilityGrant: ...

    def create(self, body: CreateAvailabilityGrantBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Let agents see when a human is busy.

        From now on the busy time of these calendars counts in the availability of these agents. They see times, and nothing else. `agent_ids` goes with `selected_agents` alone.

        `POST /v1/availability-grants`
        """
        return self._call(operations.create_availability_grant, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListAvailabilityGrantsOptions]) -> Paged[AvailabilityGrant, ListAvailabilityGrantsPage]:
        """List grants.

        Newest first.

        `GET /v1/availability-grants`
        """
        return self._paged(operations.list_availability_grants, {}, options)

    def get(self, id: str, **options: Unpack[ReadOptions]) -> AvailabilityGrant:
        """Read a grant.

        A grant that is left without calendars is removed.

        `GET /v1/availability-grants/{id}`
        """
        return self._call(operations.get_availability_grant, {"id": id}, None, options)

    @overload
    def update(self, id: str, body: UpdateAvailabilityGrantBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateAvailabilityGrantBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> AvailabilityGrant: ...

    def update(self, id: str, body: UpdateAvailabilityGrantBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change a grant.

        An `audience` sets the cutoff of `all_current_agents` anew.

        `PATCH /v1/availability-grants/{id}`
        """
        return self._call(operations.update_availability_grant, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def delete(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def delete(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Remove a grant.

        From now on the busy time of these calendars does not count for its agents.

        `DELETE /v1/availability-grants/{id}`
        """
        return self._call(operations.delete_availability_grant, {"id": id}, None, {**options, "dry_run": dry_run or None})
