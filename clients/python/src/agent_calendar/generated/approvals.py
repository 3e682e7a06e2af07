# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, Redirect, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import Approval, DryRun


class ListApprovalsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    status: Literal["pending", "approved", "rejected", "expired", "failed"]
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`, and required then: the zone.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ListApprovalsPage(TypedDict):
    data: list[Approval]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class GetApprovalOptions(ReadOptions, total=False):
    #: `local`: every object with a start and an end also has both as `local`, on the wall clock of a zone.
    view: Literal["local"]
    #: Only with `view=local`: the zone, if not that of the calendar.
    tz: str
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class ApproveApprovalBody(TypedDict):
    reason: NotRequired[str]


class ApproveApprovalOptions(WriteOptions, total=False):
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class RejectApprovalBody(TypedDict):
    reason: NotRequired[str]


class RejectApprovalOptions(WriteOptions, total=False):
    #: Shows text of guests and feeds as it is (`full`), between fences (`fenced`), or only its length (`hidden`); `outside` of a record names it.
    outside_text: Literal["full", "fenced", "hidden"]


class DecideApprovalBody(TypedDict):
    decision: Literal["approve", "reject"]
    reason: NotRequired[str]
    hash: NotRequired[str]
    form_token: NotRequired[str]


class SignInToApproveBody(TypedDict):
    email: str
    password: str


class ApprovalsGroup(Group):
    def list(self, **options: Unpack[ListApprovalsOptions]) -> Paged[Approval, ListApprovalsPage]:
        """List the approvals that agent keys have asked for.

        Newest first. An agent key sees those of its agent.

        `GET /v1/approvals`
        """
        return self._paged(operations.list_approvals, {}, options)

    def get(self, id: str, **options: Unpack[GetApprovalOptions]) -> Approval:
        """Read an approval.

        The address that was mailed is not stored, so no answer has it.

        `GET /v1/approvals/{id}`
        """
        return self._call(operations.get_approval, {"id": id}, None, options)

    @overload
    def approve(self, id: str, body: ApproveApprovalBody, *, dry_run: Literal[True], **options: Unpack[ApproveApprovalOptions]) -> DryRun: ...

    @overload
    def approve(self, id: str, body: ApproveApprovalBody, *, dry_run: Literal[False] = False, **options: Unpack[ApproveApprovalOptions]) -> Approval: ...

    def approve(self, id: str, body: ApproveApprovalBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Approve a request: it is done now.

        The request runs as the key that asked, and is decided anew at this instant. If it is refused then, the approval is `failed`, and `result` has the status and the body of the refusal. Of an approval, a rejection and the expiry at one moment one happens.

        `POST /v1/approvals/{id}/approve`
        """
        return self._call(operations.approve_approval, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def reject(self, id: str, body: RejectApprovalBody, *, dry_run: Literal[True], **options: Unpack[RejectApprovalOptions]) -> DryRun: ...

    @overload
    def reject(self, id: str, body: RejectApprovalBody, *, dry_run: Literal[False] = False, **options: Unpack[RejectApprovalOptions]) -> Approval: ...

    def reject(self, id: str, body: RejectApprovalBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Reject a request.

        Nothing of it happens. The agent reads the reason.

        `POST /v1/approvals/{id}/reject`
        """
        return self._call(operations.reject_approval, {"id": id}, body, {**options, "dry_run": dry_run or None})

    def show(self, token: str, **options: Unpack[ReadOptions]) -> str:
        """The page on which a person decides a request of an agent.

        A mailed address is its own credential; any other one needs a console session. Fetching it changes nothing.

        `GET /approve/{token}`
        """
        return self._call(operations.show_approval, {"token": token}, None, options)

    def decide(self, token: str, body: DecideApprovalBody, **options: Unpack[ReadOptions]) -> str:
        """The form that decides a request of an agent.

        Once. The answer shows the outcome.

        `POST /approve/{token}`
        """
        return self._call(operations.decide_approval, {"token": token}, body, options)

    def sign_in_to_approve(self, token: str, body: SignInToApproveBody, **options: Unpack[ReadOptions]) -> Redirect:
        """The form that signs in on the page of an approval.

        Leads back to that page.

        `POST /approve/{token}/signin`
        """
        return self._call(operations.sign_in_to_approve, {"token": token}, body, options)
