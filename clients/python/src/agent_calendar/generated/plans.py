# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import TypedDict, Unpack
from ..group import Group
from ..operation import ReadOptions
from . import operations
from .schemas import Plan


class ListPlansAnswer(TypedDict):
    plans: list[Plan]


class PlansGroup(Group):
    def list(self, **options: Unpack[ReadOptions]) -> ListPlansAnswer:
        """List the plans.

        May be cached; `If-None-Match` with the current ETag gets 304. A limit that is null is unlimited; `limits` that are null are negotiated. Prices are per month, in the currency's smallest unit.

        `GET /v1/plans`
        """
        return self._call(operations.list_plans, {}, None, options)
