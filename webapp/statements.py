"""Statements that every step of a session makes, their text written once a process.

A query set writes its SQL anew for each call, which takes several times what the database then does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import Field, Model, QuerySet

_MOST_ROWS = 100
"""Rows of one INSERT: SQLite takes at most 999 values where it is old."""
_SUBJECT = "@subject"
Fields = tuple[str, ...]


def update_rows(model: type[Model], values: Mapping[str, Any], where: Mapping[str, Any]) -> int:
    """Set fields of the rows whose fields equal those of `where` (None: that are NULL); how many there were."""
    given = {name: value for name, value in where.items() if value is not None}
    sql = _update_text(model, tuple(values), tuple(given), tuple(where.keys() - given.keys()))
    with connection.cursor() as cursor:
        cursor.execute(sql, [*_prepare_values(model, values), *_prepare_values(model, given)])
        return int(cursor.rowcount)


def update_by_text(model: type[Model], text: str, values: Iterable[tuple[str, Any]]) -> int:
    """Execute an UPDATE of one model's rows whose text is written by hand; how many rows it has set.

    text: `{table}` stands for the table. values: of the placeholders in their order, each with the field it is for.
    """
    sql = text.format(table=_quote(model._meta.db_table))
    with connection.cursor() as cursor:
        cursor.execute(sql, [_prepare_value(_field(model, name), value) for name, value in values])
        return int(cursor.rowcount)


def add_to_rows(model: type[Model], values: Mapping[str, Any], where: Mapping[str, Any]) -> int:
    """Add numbers to fields of the rows whose fields equal those of `where`; how many there were."""
    sql = _add_text(model, tuple(values), tuple(where))
    with connection.cursor() as cursor:
        cursor.execute(sql, [*_prepare_values(model, values), *_prepare_values(model, where)])
        return int(cursor.rowcount)


def delete_rows(model: type[Model], where: Mapping[str, Any]) -> None:
    """Delete the rows whose fields equal those of `where`. Nothing may point to rows of this model."""
    with connection.cursor() as cursor:
        cursor.execute(_delete_text(model, tuple(where)), [*_prepare_values(model, where)])


def insert_rows(rows: Sequence[Model]) -> None:
    """Store new rows of one model, whose keys the database gives; the objects do not learn theirs."""
    with connection.cursor() as cursor:
        for start in range(0, len(rows), _MOST_ROWS):
            some = rows[start : start + _MOST_ROWS]
            fields = _stored_fields(type(some[0]))
            values = [_prepare_value(field, getattr(row, field.attname)) for row in some for field in fields]
            cursor.execute(_insert_text(type(some[0]), len(some)), values)


def row_about(subject: str, rows: Callable[[str], QuerySet[Any, Any]]) -> tuple[Any, ...] | None:
    """The first row of a query set about `subject`, a text that may stand in it more than once; None for none.

    rows: a function of a module, which is called once a process. Values are as the driver gives them.
    """
    sql, params = _select_text(rows)
    with connection.cursor() as cursor:
        cursor.execute(sql, [subject if value == _SUBJECT else value for value in params])
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row


@lru_cache(maxsize=64)
def _update_text(model: type[Model], values: Fields, equal: Fields, null: Fields) -> str:
    settings = ", ".join(f"{_column(model, name)} = %s" for name in values)
    tests = [*(f"{_column(model, name)} = %s" for name in equal)]
    tests += [f"{_column(model, name)} IS NULL" for name in sorted(null)]
    return f"UPDATE {_quote(model._meta.db_table)} SET {settings} WHERE {' AND '.join(tests)}"


@lru_cache(maxsize=64)
def _add_text(model: type[Model], values: Fields, equal: Fields) -> str:
    columns = [_column(model, name) for name in values]
    settings = ", ".join(f"{column} = {column} + %s" for column in columns)
    tests = " AND ".join(f"{_column(model, name)} = %s" for name in equal)
    return f"UPDATE {_quote(model._meta.db_table)} SET {settings} WHERE {tests}"


@lru_cache(maxsize=64)
def _delete_text(model: type[Model], equal: Fields) -> str:
    tests = " AND ".join(f"{_column(model, name)} = %s" for name in equal)
    return f"DELETE FROM {_quote(model._meta.db_table)} WHERE {tests}"


@lru_cache(maxsize=_MOST_ROWS)
def _insert_text(model: type[Model], rows: int) -> str:
    columns = [_quote(field.column) for field in _stored_fields(model)]
    placeholders = f"({', '.join(['%s'] * len(columns))})"
    table = _quote(model._meta.db_table)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {', '.join([placeholders] * rows)}"


@lru_cache(maxsize=64)
def _select_text(rows: Callable[[str], QuerySet[Any, Any]]) -> tuple[str, tuple[Any, ...]]:
    sql, params = rows(_SUBJECT)[:1].query.sql_with_params()
    return sql, tuple(params)


@lru_cache(maxsize=64)
def _stored_fields(model: type[Model]) -> tuple[Field[Any, Any], ...]:
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)


def _column(model: type[Model], name: str) -> str:
    return _quote(_field(model, name).column)


@lru_cache(maxsize=256)
def _field(model: type[Model], name: str) -> Field[Any, Any]:
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)
    assert isinstance(field, Field)
    return field


def _quote(name: str | None) -> str:
    assert name is not None
    return connection.ops.quote_name(name)


def _prepare_values(model: type[Model], values: Mapping[str, Any]) -> Iterable[Any]:
    return (_prepare_value(_field(model, name), value) for name, value in values.items())


def _prepare_value(field: Field[Any, Any], value: Any) -> Any:
    return field.get_db_prep_save(value, connection)
