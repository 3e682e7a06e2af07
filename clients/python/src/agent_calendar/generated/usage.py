# Made from the API document by `npm run reference`. Do not edit.
from __future__ import annotations

from typing import Unpack
from ..group import Group
from ..operation import ReadOptions
from . import operations
from .schemas import Usage


class UsageGroup(Group):
    def get(self, **options: Unpack[ReadOptions]) -> Usage:
        """Read the usage of the plan.

        A null `limit` means unlimited. `events`, `api_calls`, `webhooks` (deliveries), `availability_queries` and `proposals` count what this period has used, this call included; the others count what exists now. A period is 30 days, counted from the organization's creation.

        `GET /v1/usage`
        """
        return self._call(operations.get_usage, {}, None, options)
