# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from . import operations
from .schemas import DryRun, OrganizationKey, OrganizationKeyRecord, RegeneratedOrganizationKey, RotatedOrganizationKey


class ListOrganizationKeysAnswer(TypedDict):
    keys: list[OrganizationKeyRecord]


class CreateOrganizationKeyBody(TypedDict):
    name: NotRequired[str]
    #: `read_only`: only `GET`.
    scope: NotRequired[Literal["full", "read_only"]]
    #: From then on the key is refused with the code `key_expired`; null: never.
    expires_at: NotRequired[Moment | None]
    #: Addresses and networks from which the key works; null: from everywhere.
    allowed_ips: NotRequired[Sequence[str] | None]


class RegenerateOrganizationKeyBody(TypedDict):
    #: For how long the key that is replaced continues to work; 0: it ends at once.
    overlap_seconds: NotRequired[int]


class UpdateOrganizationKeyBody(TypedDict):
    name: NotRequired[str]
    #: From then on the key is refused with the code `key_expired`; null: never.
    expires_at: NotRequired[Moment | None]
    #: Addresses and networks from which the key works; null: from everywhere.
    allowed_ips: NotRequired[Sequence[str] | None]


class RotateOrganizationKeyBody(TypedDict):
    #: For how long the key that is replaced continues to work; 0: it ends at once.
    overlap_seconds: NotRequired[int]
    #: From then on the key is refused with the code `key_expired`; null: never.
    expires_at: NotRequired[Moment | None]
    #: End the key before this one, if it still works.
    force: NotRequired[bool]


class OrganizationKeyGroup(Group):
    def list(self, **options: Unpack[ReadOptions]) -> ListOrganizationKeysAnswer:
        """List the organization's own keys.

        All that can be used, newest first, in one answer without pages. The one that was made without a body is `primary`. A key with `replaced_by` was rotated, and works until `expires_at`.

        `GET /v1/auth/keys`
        """
        return self._call(operations.list_organization_keys, {}, None, options)

    @overload
    def create(self, body: CreateOrganizationKeyBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateOrganizationKeyBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> OrganizationKey: ...

    def create(self, body: CreateOrganizationKeyBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Create a key of the organization.

        Without a body it is the primary key: there is only one at a time, and the answer has its first four fields alone. With a `name` it is a further key, with a scope, an end and addresses of its own. The secret is shown only in this answer. If the installation requires it, the address must be proven first.

        `POST /v1/auth/keys`
        """
        return self._call(operations.create_organization_key, {}, body, {**options, "dry_run": dry_run or None})

    @overload
    def regenerate(self, body: RegenerateOrganizationKeyBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def regenerate(self, body: RegenerateOrganizationKeyBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> RegeneratedOrganizationKey: ...

    def regenerate(self, body: RegenerateOrganizationKeyBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Replace the primary key.

        From now on every process refuses the old key, unless `overlap_seconds` lets it work for a while; the key before it ends in any case. The new secret is shown only in this answer. Creates the first key of an organization without one. Other keys stay. `previous_expires_at` is in the answer if `overlap_seconds` was sent.

        `POST /v1/auth/keys/regenerate`
        """
        return self._call(operations.regenerate_organization_key, {}, body, {**options, "dry_run": dry_run or None})

    @overload
    def end_overlap(self, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def end_overlap(self, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def end_overlap(self, *, dry_run: bool = False, **options: Any) -> Any:
        """End the key that the primary one has replaced.

        Every process refuses it from the next request on. Without such a key, nothing changes.

        `DELETE /v1/auth/keys/previous`
        """
        return self._call(operations.end_organization_key_overlap, {}, None, {**options, "dry_run": dry_run or None})

    @overload
    def update(self, id: str, body: UpdateOrganizationKeyBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateOrganizationKeyBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> OrganizationKeyRecord: ...

    def update(self, id: str, body: UpdateOrganizationKeyBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change a key of the organization.

        Fields that are left out stay; null removes an end or the addresses. Every process obeys them from the next request on. A key that was replaced may end earlier, not later.

        `PATCH /v1/auth/keys/{id}`
        """
        return self._call(operations.update_organization_key, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def revoke(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def revoke(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def revoke(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Revoke a key of the organization.

        Every process refuses the key from the next request on.

        `DELETE /v1/auth/keys/{id}`
        """
        return self._call(operations.revoke_organization_key, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def rotate(self, id: str, body: RotateOrganizationKeyBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def rotate(self, id: str, body: RotateOrganizationKeyBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> RotatedOrganizationKey: ...

    def rotate(self, id: str, body: RotateOrganizationKeyBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Rotate a key of the organization.

        A new key with the same name, scope and addresses, and as long a life unless `expires_at` says otherwise. The old one works until `previous_expires_at`; with `overlap_seconds: 0` it ends before this answers, and that is null. While the key before this one still works, `force: true` is needed, which ends it.

        `POST /v1/auth/keys/{id}/rotate`
        """
        return self._call(operations.rotate_organization_key, {"id": id}, body, {**options, "dry_run": dry_run or None})
