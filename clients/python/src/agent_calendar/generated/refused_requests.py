# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import TypedDict, Unpack
from ..local_time import Moment
from ..group import Group
from ..operation import ReadOptions
from ..paging import Paged
from . import operations
from .schemas import RefusedRequest


class ListRefusedRequestsOptions(ReadOptions, total=False):
    #: Only this request.
    request_id: str
    #: Only this status.
    status: int
    #: Only this code.
    code: str
    #: The first 20 characters of the key.
    key_prefix: str
    #: Inclusive.
    from_: Moment
    #: Inclusive. Default: now.
    to: Moment
    #: The `next_cursor` of the previous page.
    cursor: str
    limit: int


class ListRefusedRequestsPagePagination(TypedDict):
    #: Null on the last page.
    next_cursor: str | None


class ListRefusedRequestsPage(TypedDict):
    data: list[RefusedRequest]
    pagination: ListRefusedRequestsPagePagination
    retention_hours: int


class RefusedRequestsGroup(Group):
    def list(self, **options: Unpack[ListRefusedRequestsOptions]) -> Paged[RefusedRequest, ListRefusedRequestsPage]:
        """List refused requests.

        The requests and tool calls of keys and sessions of the organization that were answered with a status from 400 to 499, newest first, page by page: pass `pagination.next_cursor` as `cursor` until it is null. They appear within 5 seconds. Failed authentication (401) and throttling (429) are in the audit log instead. A burst is not kept whole: of each key or session 20 in 10 seconds, 200 in an hour. Kept for `retention_hours`; without query, body or message.

        `GET /v1/requests`
        """
        return self._paged(operations.list_refused_requests, {}, options)
