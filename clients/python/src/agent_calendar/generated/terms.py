# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, Required, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from . import operations
from .schemas import DryRun, TermsManifest


class AcceptTermsBody(TypedDict):
    tos_version: str


class AcceptTermsAnswerData(TypedDict):
    accepted_terms_version: str
    accepted_terms_at: str


class AcceptTermsAnswer(TypedDict):
    data: AcceptTermsAnswerData


class AcceptTermsWithKeyBody(TypedDict):
    tos_version: str


class AcceptTermsWithKeyAnswerData(TypedDict):
    accepted_terms_version: str
    accepted_terms_at: str


class AcceptTermsWithKeyAnswer(TypedDict):
    data: AcceptTermsWithKeyAnswerData


class PublishTermsBody(TypedDict):
    version: str
    effective_at: str
    url: str
    material: bool


class TermsGroup(Group):
    def get_current(self, **options: Unpack[ReadOptions]) -> TermsManifest:
        """Read the current terms of service.

        `version` is the exact text that other requests need as `tos_version`. If `material` is true, organizations that accepted another version must accept again.

        `GET /v1/auth/terms/current`
        """
        return self._call(operations.get_current_terms, {}, None, options)

    @overload
    def accept(self, body: AcceptTermsBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def accept(self, body: AcceptTermsBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> AcceptTermsAnswer: ...

    def accept(self, body: AcceptTermsBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Accept the current terms of service.

        `tos_version` must be the current version; otherwise `tos_version_stale` names it in `current_version`. The acceptance is recorded with the caller's address and browser.

        `PATCH /v1/auth/terms`
        """
        return self._call(operations.accept_terms, {}, body, {**options, "dry_run": dry_run or None})

    @overload
    def accept_with_key(self, body: AcceptTermsWithKeyBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def accept_with_key(self, body: AcceptTermsWithKeyBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> AcceptTermsWithKeyAnswer: ...

    def accept_with_key(self, body: AcceptTermsWithKeyBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Accept the current terms of service with the organization's key.

        The same as `PATCH /v1/auth/terms`, for programs without a console session. The answer no longer has `Service-Terms-Upgrade-Required`.

        `POST /v1/terms/accept`
        """
        return self._call(operations.accept_terms_with_key, {}, body, {**options, "dry_run": dry_run or None})

    @overload
    def publish(self, body: PublishTermsBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def publish(self, body: PublishTermsBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> TermsManifest: ...

    def publish(self, body: PublishTermsBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Publish terms of service.

        Takes effect at once, regardless of `effective_at`. Organizations must accept material terms again; every authenticated answer says so.

        `POST /v1/admin/terms`
        """
        return self._call(operations.publish_terms, {}, body, {**options, "dry_run": dry_run or None})
