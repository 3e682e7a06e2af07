"""What the generated groups of operations have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from .operation import Answer, Operation
from .paging import Paged

Send: TypeAlias = Callable[[Operation, Mapping[str, str], object, Mapping[str, Any]], Answer]


class Group:
    def __init__(self, send: Send) -> None:
        self._send = send

    def _call(self, operation: Operation, path: Mapping[str, str], body: object, options: Mapping[str, Any]) -> Any:
        return self._send(operation, path, body, options).data

    def _paged(self, operation: Operation, path: Mapping[str, str], options: Mapping[str, Any]) -> Paged[Any, Any]:
        return Paged(operation, lambda query: self._call(operation, path, None, {**options, **query}))
