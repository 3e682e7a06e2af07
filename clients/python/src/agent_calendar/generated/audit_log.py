# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import TypedDict, Unpack
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions
from ..paging import Paged
from . import operations
from .schemas import AuditEntry


class ReadAuditLogOptions(ReadOptions, total=False):
    #: Inclusive.
    from_: Moment
    #: Inclusive. Default: now.
    to: Moment
    #: Only this action.
    action: str
    #: The first 20 characters of the acting key.
    actor_key_prefix: str
    #: Only what the sessions of this member did.
    actor_member: str
    #: Shows `actor_member` and `actor_role` as well.
    include_member: bool
    #: Only what this request did.
    request_id: str
    #: Only what the keys of this agent did.
    agent_id: str
    #: Only what happened to this record.
    resource: str
    #: The `next_cursor` of the previous page.
    cursor: str
    limit: int


class ReadAuditLogPagePagination(TypedDict):
    #: Null on the last page.
    next_cursor: str | None


class ReadAuditLogPage(TypedDict):
    data: list[AuditEntry]
    pagination: ReadAuditLogPagePagination
    #: Null is unlimited.
    retention_days: int | None
    #: True if `from` was before the retention of the plan.
    range_clamped: bool


class AuditLogGroup(Group):
    def list(self, **options: Unpack[ReadAuditLogOptions]) -> Paged[AuditEntry, ReadAuditLogPage]:
        """Read the audit log.

        Newest first, page by page: pass `pagination.next_cursor` as `cursor` until it is null. `from` and `to` are inclusive. A `from` older than the plan keeps is moved, and `range_clamped` is true. `action` is one exact name, such as `event.create`; `actor_key_prefix` is the first 20 characters of a key. Proposals leave no entries.

        `GET /v1/audit-log`
        """
        return self._paged(operations.read_audit_log, {}, options)
