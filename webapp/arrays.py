"""How arrays are sent to PostgreSQL."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.types.array import ListDumper


class QuickListDumper(ListDumper):
    """Escapes each element in one go.

    Django stores many rows as arrays, an array a column. psycopg's own dumper calls a function for every quote in
    them, which for the JSON of a session's events took two thirds of the time that storing them did.
    """

    def dump(self, obj: list[Any]) -> Buffer | None:
        """The array as text, every element within quotes."""
        if self.sub_dumper is None or not obj or any(isinstance(item, list) for item in obj):
            return super().dump(obj)
        items = (None if item is None else self.sub_dumper.dump(item) for item in obj)
        return (
            b"{"
            + self.delimiter.join(b"NULL" if item is None else _quote_element(bytes(item)) for item in items)
            + b"}"
        )


def _quote_element(element: bytes) -> bytes:
    return b'"' + element.replace(b"\\", rb"\\").replace(b'"', rb"\"") + b'"'


def send_arrays_quickly() -> None:
    """Have all connections that are opened later use it."""
    psycopg.adapters.register_dumper(list, QuickListDumper)
