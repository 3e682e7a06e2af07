# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import CurrentSession, DryRun, Organization, OrganizationDetail


class ChooseOrganizationBody(TypedDict):
    organization_id: str


class OpenOrganizationBody(TypedDict):
    name: str
    tos_version: str


class OpenOrganizationAnswerMember(TypedDict):
    id: str
    role: Literal["owner", "admin", "developer", "viewer"]


class OpenOrganizationAnswer(TypedDict):
    org: Organization
    member: OpenOrganizationAnswerMember


class GetOwnOrganizationAnswerPolicy(TypedDict):
    #: Members without a second factor reach only their own account until they turn it on.
    require_second_factor: bool


class GetOwnOrganizationAnswer(TypedDict):
    org: Organization
    policy: GetOwnOrganizationAnswerPolicy


class UpdateOwnOrganizationBody(TypedDict):
    name: NotRequired[str]
    #: For owners, with a second factor of their own and re-authentication.
    require_second_factor: NotRequired[bool]


class UpdateOwnOrganizationAnswerPolicy(TypedDict):
    #: Members without a second factor reach only their own account until they turn it on.
    require_second_factor: bool


class UpdateOwnOrganizationAnswer(TypedDict):
    org: Organization
    policy: UpdateOwnOrganizationAnswerPolicy


class DeleteOrganizationOptions(WriteOptions, total=False):
    #: The name of the organization, as it is.
    confirm: str


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
    def choose(self, body: ChooseOrganizationBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def choose(self, body: ChooseOrganizationBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> CurrentSession: ...

    def choose(self, body: ChooseOrganizationBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Choose the organization of the session.

        The session acts in it from now on, and later sign-ins of the account begin in it. One request names another organization with the header `X-Organization-Id`, so that two tabs do not disturb each other.

        `PATCH /v1/auth/session`
        """
        return self._call(operations.choose_organization, {}, body, {**options, "dry_run": dry_run or None})

    @overload
    def open(self, body: OpenOrganizationBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def open(self, body: OpenOrganizationBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> OpenOrganizationAnswer: ...

    def open(self, body: OpenOrganizationBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Make another organization.

        On the free plan, with the account as its owner. The address of the account must be proven (`address_unproven`). An account owns at most 3 organizations on free plans.

        `POST /v1/auth/organizations`
        """
        return self._call(operations.open_organization, {}, body, {**options, "dry_run": dry_run or None})

    def get_own(self, **options: Unpack[ReadOptions]) -> GetOwnOrganizationAnswer:
        """Get the organization and its policy.

        The policy says whether members need a second factor.

        `GET /v1/auth/organization`
        """
        return self._call(operations.get_own_organization, {}, None, options)

    @overload
    def update_own(self, body: UpdateOwnOrganizationBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def update_own(self, body: UpdateOwnOrganizationBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> UpdateOwnOrganizationAnswer: ...

    def update_own(self, body: UpdateOwnOrganizationBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Rename the organization, or set its policy.

        Admins may set the name. `require_second_factor` is for owners, who need a second factor of their own (`second_factor_missing`) and re-authentication. From the next request members without one reach only their own account; API keys are not touched.

        `PATCH /v1/auth/organization`
        """
        return self._call(operations.update_own_organization, {}, body, {**options, "dry_run": dry_run or None})

    @overload
    def delete(self, *, dry_run: Literal[True], **options: Unpack[DeleteOrganizationOptions]) -> DryRun: ...

    @overload
    def delete(self, *, dry_run: Literal[False] = False, **options: Unpack[DeleteOrganizationOptions]) -> None: ...

    def delete(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Delete the organization with all its members.

        Irreversible. `confirm` is its name. Its members get a mail; accounts without another organization are erased. The acceptances of the terms of service stay on record, without the organization.

        `DELETE /v1/auth/organization`
        """
        return self._call(operations.delete_organization, {}, None, {**options, "dry_run": dry_run or None})

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
