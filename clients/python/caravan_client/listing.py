"""Lists whose pages are fetched while one goes through them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .connection import Connection
from .items import Item
from .progress import bar

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T", bound=Item)
MOST = 1000
"""Items of a page."""
SPREAD_FIELDS = ("values", "counts", "fields")
"""Objects that become columns of their own in a table."""


class Listing(Generic[T]):
    """A list of the server; nothing is fetched before one looks into it. filters: as the page has them."""

    def __init__(self, connection: Connection, path: str, item: type[T], filters: Mapping[str, Any]) -> None:
        self._connection, self._path, self._item, self._filters = connection, path, item, dict(filters)

    def __iter__(self) -> Iterator[T]:
        cursor = ""
        while True:
            page = self._page(cursor, MOST)
            yield from map(self._item.of, page["items"])
            if not page["next"]:
                return
            cursor = page["next"]

    def first(self) -> T | None:
        """The first item, None without any."""
        items = self._page("", 1)["items"]
        return self._item.of(items[0]) if items else None

    def total(self) -> int | None:
        """How many items there are; None where nobody counts them."""
        total: int | None = self._page("", 1)["total"]
        return total

    def to_pandas(self, *, progress: bool = False) -> pd.DataFrame:
        """All of it as a table; figures and fields of tasks are columns of their own. progress: show a bar."""
        import pandas as pd

        total = self.total() if progress else None
        with bar(total, "read", shown=progress) as shown:
            rows = []
            for item in self._connection.lines(self._path, self._filters):
                rows.append(_flat(item))
                shown(len(rows))
        names = [name for name in self._item.__dataclass_fields__ if name not in ("more", *SPREAD_FIELDS)]
        return pd.DataFrame(rows) if rows else pd.DataFrame(columns=names)

    def _page(self, cursor: str, limit: int) -> Any:
        return self._connection.get(self._path, {**self._filters, "cursor": cursor, "limit": limit})


def _flat(item: Mapping[str, Any]) -> dict[str, Any]:
    row = {name: value for name, value in item.items() if name not in SPREAD_FIELDS}
    for name in SPREAD_FIELDS:
        row |= {
            key if key not in row else f"{name}.{key}": value for key, value in item.get(name, {}).items()
        }
    return row
