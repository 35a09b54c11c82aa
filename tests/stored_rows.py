"""Rows that many tests begin with, stored again as they were stored first."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import AutoField, Model

Row = TypeVar("Row", bound=Model)


class StoredRows(Generic[Row]):
    """Objects of one model as they were read from the database, which are put in again by one statement.

    Django would make the statement and each of its values anew, for ten times as long.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self._copy_source = pickle.dumps(list(rows))
        own: list[Row] = pickle.loads(self._copy_source)
        self._meta = own[0]._meta
        self._fields = [field for field in self._meta.concrete_fields if not isinstance(field, AutoField)]
        self._values = [
            {field.attname: self._column_value(field, getattr(row, field.attname)) for field in self._fields}
            for row in own
        ]
        quote = connection.ops.quote_name
        columns = ", ".join(quote(field.column) for field in self._fields)
        places = ", ".join([f"({', '.join(['%s'] * len(self._fields))})"] * len(own))
        assert self._meta.pk is not None
        self._statement = (
            f"INSERT INTO {quote(self._meta.db_table)} ({columns}) VALUES {places} "
            f"RETURNING {quote(self._meta.pk.column)}"
        )

    @staticmethod
    def _column_value(field: Any, value: Any) -> Any:
        return field.get_db_prep_save(value, connection)

    def store(self, **changed: Any) -> list[Any]:
        """Put them in; gives their new ids. changed: what is of this time alone, by attributes."""
        new = {
            field.attname: self._column_value(field, changed[field.attname])
            for field in self._fields
            if field.attname in changed
        }
        values = [value for row in self._values for value in {**row, **new}.values()]
        with connection.cursor() as cursor:
            cursor.execute(self._statement, values)
            return [pk for (pk,) in cursor.fetchall()]

    def insert(self, **changed: Any) -> list[Row]:
        """The same; gives objects that no other test has."""
        ids = self.store(**changed)
        rows: list[Row] = pickle.loads(self._copy_source)
        for row, pk in zip(rows, ids, strict=True):
            row.pk = pk
            for name, value in changed.items():
                setattr(row, name, value)
        return rows
