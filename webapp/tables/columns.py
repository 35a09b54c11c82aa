"""The columns of the table of sessions, each declared once: how it is shown, ordered, filtered and exported."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Literal

from django.db.models import F, FloatField, Func
from django.template.defaultfilters import date
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.metrics import Metric
from benchmark.suites import SUITES, metrics_of
from webapp.catalogue.wording import difficulty_words
from webapp.endpoints.choice import agents
from webapp.sessions.models import Mode, Status
from webapp.sessions.selectors import Order, orders
from webapp.tables.models import Entry
from webapp.wording.endings import ending_words
from webapp.wording.metrics import listed_together, mean_digits, session_head, shown
from webapp.wording.numbers import number_words

Kind = Literal["text", "number", "time"]
ORIGINS = {
    "": gettext_lazy("from its beginning"),
    "re-run": gettext_lazy("re-run"),
    "fork": gettext_lazy("fork"),
    "imported": gettext_lazy("imported"),
}


class NumberAt(Func):
    """A number of an entry's values: its JSON is read once, where Django's own transform reads it twice in SQLite."""

    output_field = FloatField()

    def __init__(self, key: str, **extra: Any) -> None:
        super().__init__(F("values"), **extra)
        self.key = key

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """By its path."""
        column, params = compiler.compile(self.source_expressions[0])
        return f"CAST(JSON_EXTRACT({column}, %s) AS REAL)", (*params, f"$.{json.dumps(self.key)}")

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, tuple[Any, ...]]:
        """By its key."""
        column, params = compiler.compile(self.source_expressions[0])
        return f"({column} ->> %s)::double precision", (*params, self.key)


@dataclass(frozen=True, slots=True)
class Column:
    """One column. key: in addresses and files. kind: numbers and times are ordered with the most first.

    low_first: the other way round, since less is better, or for texts. read: its value of an entry, for files;
    words: the same for a reader. field: of `Entry`, "" for the one of its values that `value` names.
    """

    key: str
    label: str | Promise
    kind: Kind
    read: Callable[[Entry], Any]
    words: Callable[[Entry], str]
    field: str = ""
    value: str = ""
    low_first: bool = False

    @property
    def number(self) -> bool:
        """Whether it stands to the right."""
        return self.kind == "number"

    @property
    def expression(self) -> Any:
        """What the database orders and filters by."""
        if self.field:
            return F(self.field)
        return NumberAt(self.value)


def _column(
    key: str,
    label: str | Promise,
    kind: Kind = "text",
    words: Callable[[Any], str] | None = None,
    field: str = "",
) -> Column:
    name = field or key

    def read(entry: Entry) -> Any:
        return getattr(entry, name)

    def shown(entry: Entry) -> str:
        value = read(entry)
        return "–" if value is None or value == "" else words(value) if words else str(value)

    return Column(key, label, kind, read, shown, name, low_first=kind == "text")


def _whole(value: float) -> str:
    return number_words(value, 0)


def _time(at: datetime) -> str:
    return date(at, _("M j, H:i"))


def _names(joined: str) -> str:
    return ", ".join(joined.strip("|").split("|"))


def _money(cost: float) -> str:
    return number_words(cost, 4)


def _where(entry: Entry) -> str:
    if entry.mode == Mode.WORLD:
        return entry.world
    return " ".join(filter(None, (entry.world, "·", str(Mode(entry.mode).label), entry.cache)))


PLAIN = (
    _column("started", gettext_lazy("started"), "time", _time, field="started_at"),
    _column("created", gettext_lazy("created"), "time", _time, field="created_at"),
    _column("status", gettext_lazy("status"), words=lambda value: str(Status(value).label)),
    Column(
        "reason",
        gettext_lazy("ended"),
        "text",
        lambda entry: entry.reason,
        lambda entry: ending_words(entry.reason, entry.suite) if entry.reason else "–",
        "reason",
        low_first=True,
    ),
    _column("origin", gettext_lazy("origin"), words=lambda value: str(ORIGINS.get(value, value))),
    _column("run", gettext_lazy("run"), field="run_name"),
    _column("agent", gettext_lazy("agent")),
    _column("model", gettext_lazy("agent's model")),
    _column("users", gettext_lazy("travellers")),
    _column("user_model", gettext_lazy("travellers' model")),
    Column(
        "world",
        gettext_lazy("world, sandbox"),
        "text",
        lambda entry: entry.world,
        lambda entry: _where(entry) or "–",
        "world",
        low_first=True,
    ),
    _column("cache", gettext_lazy("cache")),
    _column("mode", gettext_lazy("sandbox"), words=lambda value: str(Mode(value).label)),
    _column("task", gettext_lazy("task")),
    _column("cities", gettext_lazy("cities"), words=_names),
    _column("difficulty", gettext_lazy("difficulty"), words=difficulty_words),
    _column("archetype", gettext_lazy("archetype")),
    _column("size", gettext_lazy("group size"), "number", _whole),
    _column("rounds", gettext_lazy("rounds"), "number", _whole),
    _column("events", gettext_lazy("events"), "number", _whole),
    _column("seconds", gettext_lazy("seconds"), "number", _whole),
    _column("tool_calls", gettext_lazy("tool calls"), "number", _whole),
    _column("tool_errors", gettext_lazy("tool errors"), "number", _whole),
    _column("requests", gettext_lazy("model calls"), "number", _whole),
    _column("tokens", gettext_lazy("tokens"), "number", _whole),
    _column("cost", gettext_lazy("cost"), "number", _money),
    _column("issue_types", gettext_lazy("issue types"), words=_names, field="issues"),
)
"""Those that sessions of every benchmark have."""
USUAL = ("difficulty", "agent", "users", "world", "status")
"""Shown until somebody chooses, before the metrics and the time of the start."""


def columns() -> dict[str, Column]:
    """All columns by key: the plain ones, then a metric each, those of raters by rater."""
    found = {column.key: column for column in PLAIN}
    for key, order in orders().items():
        if key not in found:
            found[key] = _of_metric(key, order)
    return found


def _of_metric(key: str, order: Order) -> Column:
    metric, rater = order.metric, order.rater
    head = session_head(metric)
    label = _("%(metric)s by %(rater)s") % {"metric": head.label, "rater": rater} if rater else head.label

    def words(entry: Entry) -> str:
        if rater:
            return mean_digits(metric, _value(key, entry))
        return _value_words(metric, order.suite, entry)

    return Column(
        key,
        label,
        "number",
        partial(_value, key),
        words,
        value=key,
        low_first=metric.better == "low",
    )


def _value(key: str, entry: Entry) -> float | None:
    value = entry.values.get(key)
    return None if value is None else float(value)


def _value_words(metric: Metric, suite: str, entry: Entry) -> str:
    """As pages show it: of a flag that is not so, by how much it is missed."""
    own = [metric, *(other for other in metrics_of(suite) if other.detail_of == metric.key)]
    return next((one.value for one in shown(own, entry.values)), "–")


def usual(known: dict[str, Column]) -> list[str]:
    """The keys of the columns that are shown until somebody chooses."""
    listed = {metric.key for metric in listed_together(SUITES)}
    return [*USUAL, *(key for key in known if key in listed), "started"]


def agent_names() -> list[str]:
    """The agents of every benchmark here."""
    return list(dict.fromkeys(name for suite in SUITES for name in agents(suite)))
