"""A list and its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from .errors import UnexpectedAnswerError
from .operation import Operation

Item = TypeVar("Item")
Page = TypeVar("Page")


class Paged(Generic[Item, Page]):
    """A list: `page` is its first page; in a loop it is everything."""

    def __init__(self, operation: Operation, read: Callable[[Mapping[str, object]], Any]) -> None:
        self._operation = operation
        self._read = read
        self.page: Page = read({})

    def pages(self) -> Iterator[Page]:
        page: Any = self.page
        while True:
            following = _next_query(self._operation, page)
            yield page
            if following is None:
                return
            page = self._read(following)

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page["data"]  # type: ignore[index]


def _next_query(operation: Operation, page: Any) -> Mapping[str, object] | None:
    """The query of the next page; None if the page was the last one."""
    data = page.get("data") if isinstance(page, dict) else None
    if not isinstance(data, list):
        raise UnexpectedAnswerError(f"{operation.place} answered no list.")
    if operation.paging == "cursor":
        pagination = page.get("pagination")
        cursor = pagination.get("next_cursor") if isinstance(pagination, dict) else None
        return {"cursor": cursor} if cursor else None
    total, offset = page.get("total"), page.get("offset")
    if not isinstance(total, int) or not isinstance(offset, int):
        raise UnexpectedAnswerError(f"{operation.place} answered a list without its total.")
    reached = offset + len(data)
    return {"offset": reached} if data and reached < total else None
