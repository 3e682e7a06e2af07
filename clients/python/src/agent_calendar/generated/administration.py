# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, TypedDict, Unpack, overload
from ..group import Group
from ..operation import WriteOptions
from . import operations
from .schemas import DryRun


class ResetFactorBody(TypedDict):
    email: str


class AdministrationGroup(Group):
    @overload
    def reset_factor(self, body: ResetFactorBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def reset_factor(self, body: ResetFactorBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def reset_factor(self, body: ResetFactorBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Turn off the second factor of an account.

        For a person who has lost the app and the recovery codes. Their sessions end, and a mail tells. Be sure who asks: afterwards the password alone signs in.

        `POST /v1/admin/accounts/reset-factor`
        """
        return self._call(operations.reset_factor, {}, body, {**options, "dry_run": dry_run or None})
