# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from ..paging import Paged
from . import operations
from .schemas import CurrentSession, DryRun, Member, Membership


class ListMembershipsAnswer(TypedDict):
    data: list[Membership]


class ListMembersOptions(ReadOptions, total=False):
    limit: int
    offset: int


class ListMembersPage(TypedDict):
    data: list[Member]
    #: All that match, on every page.
    total: int
    limit: int
    offset: int


class UpdateMemberBody(TypedDict):
    role: Literal["owner", "admin", "developer", "viewer"]


class RemoveMemberOptions(WriteOptions, total=False):
    #: Also revokes the keys that this member made, those of agents too. Default: they stay.
    revoke_keys: bool


class MembersGroup(Group):
    @overload
    def delete_me(self, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def delete_me(self, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> None: ...

    def delete_me(self, *, dry_run: bool = False, **options: Any) -> Any:
        """Leave every organization and erase the account.

        Irreversible. If an organization would have no owner left, nothing is done: `last_owner`, and `organizations` in the error has their ids.

        `DELETE /v1/auth/me`
        """
        return self._call(operations.delete_me, {}, None, {**options, "dry_run": dry_run or None})

    def get_session(self, **options: Unpack[ReadOptions]) -> CurrentSession:
        """Get the session.

        Its account, the organization that it acts in and the role there.

        `GET /v1/auth/session`
        """
        return self._call(operations.get_session, {}, None, options)

    def list_memberships(self, **options: Unpack[ReadOptions]) -> ListMembershipsAnswer:
        """List the organizations of the account.

        In one answer without pages; the one that it joined first comes first.

        `GET /v1/auth/memberships`
        """
        return self._call(operations.list_memberships, {}, None, options)

    def list(self, **options: Unpack[ListMembersOptions]) -> Paged[Member, ListMembersPage]:
        """List the members.

        The one who joined first comes first. Owners and admins also see who has a second factor, and when each was last seen.

        `GET /v1/auth/members`
        """
        return self._paged(operations.list_members, {}, options)

    @overload
    def update(self, id: str, body: UpdateMemberBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def update(self, id: str, body: UpdateMemberBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> Member: ...

    def update(self, id: str, body: UpdateMemberBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Change the role of a member.

        It holds with the next request of the member, who gets a mail. A role above their own they neither give nor change. The only owner stays one (`last_owner`).

        `PATCH /v1/auth/members/{id}`
        """
        return self._call(operations.update_member, {"id": id}, body, {**options, "dry_run": dry_run or None})

    @overload
    def remove(self, id: str, *, dry_run: Literal[True], **options: Unpack[RemoveMemberOptions]) -> DryRun: ...

    @overload
    def remove(self, id: str, *, dry_run: Literal[False] = False, **options: Unpack[RemoveMemberOptions]) -> None: ...

    def remove(self, id: str, *, dry_run: bool = False, **options: Any) -> Any:
        """Remove a member, or leave.

        It is in force before the answer. The member’s sessions in this organization end, the calendars that they connected are disconnected, and they get a mail. An account without another organization is erased. The keys that they made stay, unless `revoke_keys=true`. With `me` or the own id every member leaves; anybody else is removed by owners and admins, owners by owners alone. The only owner stays (`last_owner`).

        `DELETE /v1/auth/members/{id}`
        """
        return self._call(operations.remove_member, {"id": id}, None, {**options, "dry_run": dry_run or None})
