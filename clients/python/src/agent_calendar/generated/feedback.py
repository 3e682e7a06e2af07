# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, Unpack, overload
from ..group import Group
from ..operation import WriteOptions
from . import operations
from .schemas import DryRun


class GiveFeedbackBody(TypedDict):
    type: Literal["bug", "feature", "friction"]
    message: str
    #: Usual keys: sdk_name, sdk_version, endpoint, request_id, error_type, http_status.
    context: NotRequired[Mapping[str, Any]]


class GiveFeedbackAnswer(TypedDict):
    status: Literal["accepted"]


class FeedbackGroup(Group):
    @overload
    def give(self, body: GiveFeedbackBody, *, dry_run: Literal[True], **options: Unpack[WriteOptions]) -> DryRun: ...

    @overload
    def give(self, body: GiveFeedbackBody, *, dry_run: Literal[False] = False, **options: Unpack[WriteOptions]) -> GiveFeedbackAnswer: ...

    def give(self, body: GiveFeedbackBody, *, dry_run: bool = False, **options: Any) -> Any:
        """Report what is wrong or missing.

        An organization may send 25 messages per day (UTC), shared by all its keys. A message is stored only as a line in the service's log, without keys and secrets.

        `POST /v1/feedback`
        """
        return self._call(operations.give_feedback, {}, body, {**options, "dry_run": dry_run or None})
