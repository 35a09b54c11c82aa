"""Reading the tables of sessions and of runs: filters, any order, pages that begin after a row."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from math import isfinite
from typing import Any, Generic, TypeVar

from django.db.models import Count, ExpressionWrapper, F, FloatField, Q, QuerySet, Value, Window
from django.utils.dateparse import parse_date, parse_datetime

from benchmark.suites import DEFAULT_SUITE, SUITES
from webapp.catalogue.models import Task
from webapp.catalogue.selectors import MOST_WORDS
from webapp.fields import NUL
from webapp.sessions.models import Session
from webapp.tables.columns import Column
from webapp.tables.expressions import MatchedText
from webapp.tables.fields import filters_of
from webapp.tables.finding import MOST_COUNTED, Saying, joined_at_once
from webapp.tables.models import Entry, RunEntry
from webapp.tables.search import AmongValues
from webapp.tables.session_columns import session_fields

PAGE = 50
MOST_WALKED = 800
"""Rows of which it is looked up whether they say what very many say."""
EXPRESSION_COLUMNS = {"task": "words", "run": "run_name", "model": "model", "city": "cities"}
RUN_EXPRESSION_COLUMNS = {"find": "name", "model": "model", "world": "world"}
"""The columns whose values expressions in filters are held against."""
NEWEST = "created"
Row = TypeVar("Row", Entry, RunEntry, Task)
"""Of one of the tables."""


@dataclass(frozen=True, slots=True)
class Order:
    """A column, by which the table stands with the best, the most or the newest first, or the other way round."""

    column: Column
    reverse: bool = False

    @property
    def down(self) -> bool:
        """Whether the largest comes first."""
        return self.column.low_first == self.reverse


@dataclass(frozen=True, slots=True)
class Slice(Generic[Row]):
    """A page. after: where the next one begins, "" on the last. total: rows in all, None above COUNTED."""

    entries: Sequence[Row]
    after: str
    total: int | None


def entries(wanted: Mapping[str, Any], known: Mapping[str, Column]) -> QuerySet[Entry]:
    """The rows that filters leave.

    wanted: of `suite`, `status`, `reason`, `origin`, `agent`, `model`, `users`, `user_model`, `run`, `world`,
    `cache`, `mode` the value; `city`, `issue` a whole name; `task` words; `note` a part of a tag or a comment; `of`,
    `low`, `high` a number's column and its range, both ends in; of fields of tasks what their filters have.
    """
    rows = Entry.objects.all()
    if wanted.get("note"):
        noted = Session.objects.filter(notes__text__icontains=wanted["note"]).order_by()
        rows = rows.filter(session__in=noted.values("pk"))
    if wanted.get("set"):
        rows = rows.filter(session__sets=wanted["set"])
    if wanted.get("origin"):
        rows = rows.filter(origin="" if wanted["origin"] == "own" else wanted["origin"])
    expressions = {key: value for key, value in wanted.items() if isinstance(value, MatchedText)}
    for key, matched in expressions.items():
        rows = rows.filter(AmongValues(EXPRESSION_COLUMNS[key], matched.values))
    wanted = {key: value for key, value in wanted.items() if key not in expressions}
    for key in (
        "suite",
        "status",
        "reason",
        "agent",
        "model",
        "users",
        "user_model",
        "world",
        "cache",
        "mode",
    ):
        if wanted.get(key):
            rows = rows.filter(**{key: wanted[key]})
    if wanted.get("run"):
        rows = rows.filter(Q(run=wanted["run"]) | Q(run_name=wanted["run"]))
    for key, field in (("city", "cities"), ("issue", "issues")):
        if wanted.get(key):
            rows = rows.filter(**{f"{field}__contains": wanted[key]})
    for one in filters_of(session_fields()):
        if (value := one.value_in(wanted)) is not None:
            rows = rows.filter(one.field.condition(value))
    for word in str(wanted.get("task") or "").lower().split()[:MOST_WORDS]:
        rows = rows.filter(words__contains=word)
    return _with_figure(rows, wanted, known)


def suites() -> list[str]:
    """The benchmarks of the runs here, the first one without any."""
    here = set(RunEntry.objects.order_by().values_list("suite", flat=True).distinct())
    return [suite for suite in SUITES if suite in here] or [DEFAULT_SUITE]


def run_entries(wanted: Mapping[str, Any], known: Mapping[str, Column]) -> QuerySet[RunEntry]:
    """The rows of runs that filters leave.

    wanted: of `suite`, `agent`, `model`, `world`, `mode` the value; `find` words of the name, or an id; `state`,
    "going" or "ended"; `of`, `low`, `high` as for sessions.
    """
    rows = RunEntry.objects.all()
    expressions = {key: value for key, value in wanted.items() if isinstance(value, MatchedText)}
    for key, matched in expressions.items():
        rows = rows.filter(AmongValues(RUN_EXPRESSION_COLUMNS[key], matched.values))
    wanted = {key: value for key, value in wanted.items() if key not in expressions}
    for key in ("suite", "agent", "model", "world", "mode"):
        if wanted.get(key):
            rows = rows.filter(**{key: wanted[key]})
    if wanted.get("state"):
        rows = rows.filter(going=wanted["state"] == "going")
    for word in str(wanted.get("find") or "").split()[:MOST_WORDS]:
        rows = rows.filter(Q(name__icontains=word) | Q(pk=word))
    return _with_figure(rows, wanted, known)


def _with_figure(
    rows: QuerySet[Row], wanted: Mapping[str, Any], known: Mapping[str, Column]
) -> QuerySet[Row]:
    """Those whose number `of` is shown as one from `low` to `high`."""
    column, low, high = known.get(wanted.get("of") or ""), wanted.get("low"), wanted.get("high")
    if column is None or not column.number:
        return rows
    # as a float, or bounds between two whole numbers would be cut to the lower one
    rows = rows.annotate(figure=ExpressionWrapper(column.expression, output_field=FloatField()))
    if low is not None and high is not None:
        return rows.filter(figure__range=(column.least(low), column.most(high)))
    if low is not None:
        rows = rows.filter(figure__gte=column.least(low))
    return rows if high is None else rows.filter(figure__lte=column.most(high))


def order_rows(rows: QuerySet[Row], order: Order) -> QuerySet[Row]:
    """In an order; rows without a value come last, equal ones by their ids."""
    rows = rows.annotate(ordered_by=order.column.expression)
    key = F("ordered_by")
    by = key.desc(nulls_last=True) if order.down else key.asc(nulls_last=True)
    return rows.order_by(by, "pk")


def page(
    matching_rows: QuerySet[Row],
    order: Order,
    after: str = "",
    whole: QuerySet[Row] | None = None,
    said: Saying | None = None,
    *,
    size: int | None = None,
) -> Slice[Row]:
    """A page of `size` rows, `PAGE` by default, after the one that `after` of another page names.

    What names no row begins anew.

    whole: where the rows of the page are taken from, by their ids: to sort all rows with all their fields takes a
    database three times as long. said: what must have been said in them.
    """
    size = PAGE if size is None else size
    rows = order_rows(matching_rows, order)
    if (last := _read(after, order.column)) is not None:
        rows = rows.filter(_rows_after(*last, down=order.down))
    with joined_at_once(said):
        keys = _keys(rows, said, size, counted=last is None)
        more = len(keys) > size
        ids = [pk for _value, pk, _number in keys[:size]]
        count = len(ids)
        if last is not None or more:
            count = keys[0][2] if keys and keys[0][2] else _count(matching_rows, said)
    by_id = (matching_rows.model._default_manager.all() if whole is None else whole).in_bulk(ids)
    shown = [by_id[pk] for pk in ids if pk in by_id]
    after = _write_cursor(*keys[size - 1][:2]) if more else ""
    return Slice(shown, after, count if count <= MOST_COUNTED else None)


def _keys(
    rows: QuerySet[Row], said: Saying | None, size: int, *, counted: bool
) -> list[tuple[Any, Any, int]]:
    """What rows are ordered by, their ids, and how many there are in all where that is told too, of one page and one.

    counted: whether it is told of a range of figures, where every row's figure is read for the filter: to count in
    the same breath spares reading them again.
    """
    ranged = "figure" in rows.query.annotations
    keys = rows.values_list(F("ordered_by"), "pk", Window(Count("*")) if counted and ranged else Value(0))
    if said is None:
        return list(keys[: size + 1])
    if said.hit_count > MOST_COUNTED and not ranged:
        # at least every tenth session says it where there are 100,000: enough of the first ones do
        first = list(keys[:MOST_WALKED])
        those = said.among_ids([pk for _value, pk, _number in first])
        kept = [key for key in first if key[1] in those]
        if len(kept) > size or len(first) < MOST_WALKED:
            return kept[: size + 1]
    return list(keys.filter(said.filter())[: size + 1])


def _count(rows: QuerySet[Row], said: Saying | None) -> int:
    """The rows, to one above COUNTED."""
    if said is not None:
        if not rows.query.has_filters():
            return said.hit_count
        rows = rows.filter(said.filter())
    return rows.order_by().values("pk")[: MOST_COUNTED + 1].count()


def is_cursor(after: str, column: Column) -> bool:
    """Whether a page of rows by this column can begin there."""
    return _read(after, column) is not None


def _rows_after(value: Any, pk: str | int, *, down: bool) -> Q:
    """What comes after a row."""
    if value is None:
        return Q(ordered_by=None, pk__gt=pk)
    further = Q(ordered_by__lt=value) if down else Q(ordered_by__gt=value)
    return further | Q(ordered_by=value, pk__gt=pk) | Q(ordered_by=None)


def _write_cursor(value: Any, pk: str | int) -> str:
    told = value.isoformat() if isinstance(value, date) else value
    return urlsafe_b64encode(json.dumps([told, pk]).encode()).decode()


def _read(after: str, column: Column) -> tuple[Any, str | int] | None:
    try:
        value, pk = json.loads(urlsafe_b64decode(after.encode()))
    except (Base64Error, ValueError, TypeError):
        return None
    if not ((isinstance(pk, str) and NUL not in pk) or (isinstance(pk, int) and abs(pk) < 2**63)):
        return None
    if value is None:
        return None, pk
    try:
        known = _read_value(value, column)
    except (ValueError, OverflowError):
        return None
    return None if known is None else (known, pk)


def _read_value(value: Any, column: Column) -> Any:
    """What a column has, None where it can't. Raises ValueError and OverflowError for what no database takes."""
    if column.kind == "number":
        return float(value) if isinstance(value, int | float) and isfinite(value) else None
    if not isinstance(value, str) or NUL in value:
        return None
    match column.kind:
        case "time":
            at = parse_datetime(value)
            return None if at is None or at.tzinfo is None else at.astimezone(UTC)
        case "date":
            return parse_date(value)
    return value
