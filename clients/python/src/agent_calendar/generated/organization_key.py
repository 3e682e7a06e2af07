# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, Unpack, overload
from ..group import Group
from ..operation import WriteOptions
from . import operations
from .schemas import DryRun, OrganizationKey


class OrganizationKeyGroup(Group):
    @overload
    def create(self, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> OrganizationKey: ...

    def create(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Create the organization's key.

        There is only one at a time, and its secret is shown only in this answer. If the installation requires it, the address must be proven first.

        `POST /v1/auth/keys`
        """
        return self._call(operations.create_organization_key, {}, None, {**options, "dry_run": dry_run or None})

    @overload
    def regenerate(self, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def regenerate(self, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> OrganizationKey: ...

    def regenerate(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Replace the organization's key.

        From now on every process refuses the old key; the new secret is shown only in this answer. Creates the first key if there is none. Keys of agents stay.

        `POST /v1/auth/keys/regenerate`
        """
        return self._call(operations.regenerate_organization_key, {}, None, {**options, "dry_run": dry_run or None})
