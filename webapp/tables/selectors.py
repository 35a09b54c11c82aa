"""Reading the table of sessions: filters, any order, pages that begin after a row."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils.dateparse import parse_datetime

from webapp.catalogue.selectors import MOST_WORDS
from webapp.tables.columns import Column
from webapp.tables.models import Entry

PAGE = 50
COUNTED = 10_000
"""Rows that are counted; of more it is said that there are more."""
NEWEST = "created"


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
class Slice:
    """A page. after: where the next one begins, "" on the last. found: rows in all, None above COUNTED."""

    entries: Sequence[Entry]
    after: str
    found: int | None


def entries(wanted: Mapping[str, Any], known: Mapping[str, Column]) -> QuerySet[Entry]:
    """The rows that filters leave.

    wanted: of `status`, `reason`, `origin`, `agent`, `model`, `run`, `difficulty`, `size`, `world`, `mode` the value;
    `city`, `issue` a whole name; `task` words; `of`, `low`, `high` a number's column and its range, both ends in.
    """
    found = Entry.objects.all()
    for key in ("status", "reason", "agent", "model", "difficulty", "size", "world", "mode"):
        if wanted.get(key):
            found = found.filter(**{key: wanted[key]})
    if wanted.get("origin"):
        found = found.filter(origin="" if wanted["origin"] == "own" else wanted["origin"])
    if wanted.get("run"):
        found = found.filter(Q(run=wanted["run"]) | Q(run_name=wanted["run"]))
    for key, field in (("city", "cities"), ("issue", "issues")):
        if wanted.get(key):
            found = found.filter(**{f"{field}__contains": wanted[key]})
    for word in str(wanted.get("task") or "").lower().split()[:MOST_WORDS]:
        found = found.filter(words__contains=word)
    column = known.get(wanted.get("of") or "")
    if column is not None and column.number:
        found = _between(found, column, wanted.get("low"), wanted.get("high"))
    return found


def _between(
    found: QuerySet[Entry], column: Column, low: float | None, high: float | None
) -> QuerySet[Entry]:
    found = found.annotate(figure=column.expression)
    if low is not None:
        found = found.filter(figure__gte=low)
    return found if high is None else found.filter(figure__lte=high)


def ordered(found: QuerySet[Entry], order: Order) -> QuerySet[Entry]:
    """In an order; rows without a value come last, equal ones by their ids."""
    found = found.annotate(ordered_by=order.column.expression)
    key = F("ordered_by")
    by = key.desc(nulls_last=True) if order.down else key.asc(nulls_last=True)
    return found.order_by(by, "session_id")


def page(found: QuerySet[Entry], order: Order, after: str = "") -> Slice:
    """A page of the rows, after the one that `after` of another page names; what is no such begins anew."""
    rows = ordered(found, order)
    if (last := _read(after, order.column)) is not None:
        rows = rows.filter(_beyond(*last, down=order.down))
    shown = list(rows[: PAGE + 1])
    more = len(shown) > PAGE
    after = _written(shown[PAGE - 1]) if more else ""
    if last is None and not more:
        return Slice(shown, after, len(shown))
    count = found.order_by().values("pk")[: COUNTED + 1].count()
    return Slice(shown[:PAGE], after, count if count <= COUNTED else None)


def _beyond(value: Any, pk: str, *, down: bool) -> Q:
    """What comes after a row."""
    if value is None:
        return Q(ordered_by=None, pk__gt=pk)
    further = Q(ordered_by__lt=value) if down else Q(ordered_by__gt=value)
    return further | Q(ordered_by=value, pk__gt=pk) | Q(ordered_by=None)


def _written(entry: Any) -> str:
    value = entry.ordered_by
    told = value.isoformat() if isinstance(value, datetime) else value
    return urlsafe_b64encode(json.dumps([told, entry.pk]).encode()).decode()


def _read(after: str, column: Column) -> tuple[Any, str] | None:
    try:
        value, pk = json.loads(urlsafe_b64decode(after.encode()))
    except (Base64Error, ValueError, TypeError):
        return None
    if value is None or not isinstance(pk, str):
        return (None, pk) if isinstance(pk, str) else None
    match column.kind:
        case "time":
            value = parse_datetime(value) if isinstance(value, str) else None
            return None if value is None else (value, pk)
        case "number":
            return (float(value), pk) if isinstance(value, int | float) else None
    return (value, pk) if isinstance(value, str) else None
