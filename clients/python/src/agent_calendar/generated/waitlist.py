# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import NotRequired, TypedDict, Unpack
from ..group import Group
from ..operation import ReadOptions
from . import operations
from .schemas import Waitlisted


class JoinWaitlistBody(TypedDict):
    email: str
    name: NotRequired[str]
    tos_version: NotRequired[str]


class WaitlistGroup(Group):
    def join(self, body: JoinWaitlistBody, **options: Unpack[ReadOptions]) -> Waitlisted:
        """Join the waitlist.

        201 for a new entry, 200 if the address is already on the waitlist. No key is created. A new entry is confirmed by mail; another mail follows when an administrator activates the organization.

        `POST /v1/waitlist`
        """
        return self._call(operations.join_waitlist, {}, body, options)
