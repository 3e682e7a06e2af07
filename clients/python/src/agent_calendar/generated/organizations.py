# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import DryRun, Organization, OrganizationDetail


class CreateOrganizationBodyLimits(TypedDict):
    """Caps of a custom plan; null or absent is unlimited."""
    agents: NotRequired[int | None]
    calendars: NotRequired[int | None]
    events: NotRequired[int | None]
    api_calls: NotRequired[int | None]
    webhooks: NotRequired[int | None]
    webhook_deliveries: NotRequired[int | None]
    availability_queries: NotRequired[int | None]
    ical_subscriptions: NotRequired[int | None]
    proposals: NotRequired[int | None]
    recurring_events: NotRequired[int | None]
    booking_pages: NotRequired[int | None]
    scoped_keys: NotRequired[int | None]
    organization_keys: NotRequired[int | None]
    agents_per_query: NotRequired[int | None]
    query_range_days: NotRequired[int | None]
    audit_retention_days: NotRequired[int | None]
    changes_retention_days: NotRequired[int | None]
    change_waits: NotRequired[int | None]
    calendar_connections: NotRequired[int | None]
    members: NotRequired[int | None]


class CreateOrganizationBody(TypedDict):
    name: str
    email: str
    plan: NotRequired[Literal["free", "pro", "custom"]]
    #: Caps of a custom plan; null or absent is unlimited.
    limits: NotRequired[CreateOrganizationBodyLimits]
    rate_limit_per_second: NotRequired[int]


class CreateOrganizationAnswer(TypedDict):
    org: Organization
    api_key: str


class ListOrganizationsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    email: str
    #: A part of the name or of the address, in upper or lower case.
    query: str
    plan: Literal["free", "pro", "custom", "free-agent", "free-agent-unverified"]
    is_waitlisted: bool


class ListOrganizationsPage(TypedDict):
    data: list[Organization]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class UpdateOrganizationBodyLimits(TypedDict):
    """Caps of a custom plan; null or absent is unlimited."""
    agents: NotRequired[int | None]
    calendars: NotRequired[int | None]
    events: NotRequired[int | None]
    api_calls: NotRequired[int | None]
    webhooks: NotRequired[int | None]
    webhook_deliveries: NotRequired[int | None]
    availability_queries: NotRequired[int | None]
    ical_subscriptions: NotRequired[int | None]
    proposals: NotRequired[int | None]
    recurring_events: NotRequired[int | None]
    booking_pages: NotRequired[int | None]
    scoped_keys: NotRequired[int | None]
    organization_keys: NotRequired[int | None]
    agents_per_query: NotRequired[int | None]
    query_range_days: NotRequired[int | None]
    audit_retention_days: NotRequired[int | None]
    changes_retention_days: NotRequired[int | None]
    change_waits: NotRequired[int | None]
    calendar_connections: NotRequired[int | None]
    members: NotRequired[int | None]


class UpdateOrganizationBody(TypedDict):
    plan: NotRequired[Literal["free", "pro", "custom"]]
    #: Caps of a custom plan; null or absent is unlimited.
    limits: NotRequired[UpdateOrganizationBodyLimits]
    rate_limit_per_second: NotRequired[int | None]
    is_waitlisted: NotRequired[bool]


class OrganizationsGroup(Group):
    @overload
    def create(self, body: CreateOrganizationBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateOrganizationBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> CreateOrganizationAnswer: ...

    def create(self, body: CreateOrganizationBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create an organization and its key.

        The key is shown only in this answer. `limits` apply only to the plan `custom`: a limit that is null or left out is unlimited. Several organizations may share an address.

        `POST /v1/admin/orgs`
        """
        return self._call(operations.create_organization, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListOrganizationsOptions]) -> Paged[Organization, ListOrganizationsPage]:
        """List organizations.

        Newest first; `email` finds one address, regardless of case. `query` searches names and addresses. The tiers of agent self-signup appear as `free-agent` and `free-agent-unverified`.

        `GET /v1/admin/orgs`
        """
        return self._paged(operations.list_organizations, {}, options)

    def get(self, id: str, **options: Unpack[ReadOptions]) -> OrganizationDetail:
        """Read an organization with its limits and usage.

        `limits` and `rate_limit_per_second` are those that hold now, by its plan or by agreement; null is unlimited.

        `GET /v1/admin/orgs/{id}`
        """
        return self._call(operations.get_organization, {"id": id}, None, options)

    @overload
    def update(self, id: str, body: UpdateOrganizationBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateOrganizationBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Organization: ...

    def update(self, id: str, body: UpdateOrganizationBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change the plan of an organization.

        Takes effect on every process with the next request. `limits` are replaced as a whole; a null `rate_limit_per_second` restores the plan's. `is_waitlisted` sends no mail; activating the organization does.

        `PATCH /v1/admin/orgs/{id}`
        """
        return self._call(operations.update_organization, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def activate(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def activate(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Organization: ...

    def activate(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Take an organization off the waitlist.

        Its owner gets a mail. An organization that is not on the waitlist is returned unchanged, without a mail. Takes no body.

        `POST /v1/admin/orgs/{id}/activate`
        """
        return self._call(operations.activate_organization, {"id": id}, None, {**options, "dry_run": dry_run or None})
