# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import DryRun, Invitation, Joined, OpenInvitation, SignedUpMember


class CreateInvitationBody(TypedDict):
    email: str
    role: Literal["owner", "admin", "developer", "viewer"]


class ListInvitationsOptions(ReadOptions, total=False):
    limit: int
    offset: int
    status: Literal["pending", "accepted", "revoked", "expired"]


class ListInvitationsPage(TypedDict):
    data: list[Invitation]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class LookUpInvitationBody(TypedDict):
    #: The 43 characters of the mailed link.
    token: str


class AcceptInvitationBody(TypedDict):
    #: The 43 characters of the mailed link.
    token: str
    #: Makes an account, without a session.
    password: NotRequired[str]
    tos_version: NotRequired[str]


class InvitationsGroup(Group):
    @overload
    def create(self, body: CreateInvitationBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def create(self, body: CreateInvitationBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Invitation: ...

    def create(self, body: CreateInvitationBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Invite a person to the organization.

        Mails a link that works once, for 7 days, and only for the account of this address: an existing one, or one that is made with the link. A member invites with a role up to their own (`role`). The address of the organization must be proven (`address_unproven`). Members and pending invitations together count towards the limit `members` of the plan. An address gets at most 5 mails an hour; an organization makes at most 100 invitations a day.

        `POST /v1/auth/invitations`
        """
        return self._call(operations.create_invitation, {}, body, {**options, "dry_run": dry_run or None})

    def list(self, **options: Unpack[ListInvitationsOptions]) -> Paged[Invitation, ListInvitationsPage]:
        """List invitations.

        Newest first. Those that were accepted, were revoked or have expired are listed for 30 days more.

        `GET /v1/auth/invitations`
        """
        return self._paged(operations.list_invitations, {}, options)

    def look_up(self, body: LookUpInvitationBody, **options: Unpack[ReadOptions]) -> OpenInvitation:
        """See what a mailed link invites to.

        Changes nothing. A token that never existed, or was used, replaced or revoked, or has expired, is `validation_error` with `param` `token`. A network may look up and accept 60 times in 15 minutes.

        `POST /v1/auth/invitations/lookup`
        """
        return self._call(operations.look_up_invitation, {}, body, options)

    def accept(self, body: AcceptInvitationBody, **options: Unpack[ReadOptions]) -> Joined | SignedUpMember:
        """Accept an invitation.

        With a session of the invited address (cookie or bearer token), its account joins. The session of another address is `wrong_account`, and the invitation stays pending. Without a session, `password` and `tos_version` make an account of the invited address that joins; an address that has an account already is `email_taken`: sign in first. Accepting proves the address. A token that does not work is answered as when it is looked up. An `Idempotency-Key` is ignored.

        `POST /v1/auth/invitations/accept`
        """
        return self._call(operations.accept_invitation, {}, body, options)

    @overload
    def resend(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def resend(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Invitation: ...

    def resend(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Send another link.

        Also for an invitation that has expired. The new link works for 7 days; the one before no longer works. The member who sends it is its `invited_by` from now on. An invitation that was accepted or revoked is `conflict`.

        `POST /v1/auth/invitations/{id}/resend`
        """
        return self._call(operations.resend_invitation, {"id": id}, None, {**options, "dry_run": dry_run or None})

    @overload
    def revoke(self, id: str, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def revoke(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def revoke(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Revoke an invitation.

        Its link no longer works. Revoking it twice has the effect of revoking it once. An accepted one is `conflict`.

        `DELETE /v1/auth/invitations/{id}`
        """
        return self._call(operations.revoke_invitation, {"id": id}, None, {**options, "dry_run": dry_run or None})
