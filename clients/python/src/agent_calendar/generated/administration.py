# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Any, Literal, TypedDict, Unpack, overload
from ..group import Group
from ..operation import ReadOptions, WriteOptions
from . import operations
from .schemas import DryRun, Queue


class ResetFactorBody(TypedDict):
    email: str


class OpenAdminSessionBody(TypedDict):
    token: str


class ListQueuesAnswer(TypedDict):
    queues: list[Queue]


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

    def open_admin_session(self, body: OpenAdminSessionBody, **options: Unpack[ReadOptions]) -> None:
        """Sign in to the console as the administrator.

        Sets the cookie `svc_admin` for one hour. `/v1/admin` and `/admin/queues` take it from our own pages. Programs send the token itself instead. Another `ADMIN_TOKEN` ends every session.

        `POST /v1/admin/session`
        """
        return self._call(operations.open_admin_session, {}, body, options)

    def close_admin_session(self, **options: Unpack[ReadOptions]) -> None:
        """Leave the console as the administrator.

        The browser deletes its cookie.

        `DELETE /v1/admin/session`
        """
        return self._call(operations.close_admin_session, {}, None, options)

    def list_queues(self, **options: Unpack[ReadOptions]) -> ListQueuesAnswer:
        """List the queues of the workers.

        They hold wake-ups. Everything that is due is a row in Postgres, so a lost wake-up is only late. 503 while Redis is away.

        `GET /v1/admin/queues`
        """
        return self._call(operations.list_queues, {}, None, options)
