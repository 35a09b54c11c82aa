"""The columns of the table of sessions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.suites import SUITES, metrics_of
from webapp.catalogue.wording import difficulty_words
from webapp.endpoints.choice import agents
from webapp.pages import pages_of
from webapp.sessions.models import Mode, Status
from webapp.sessions.selectors import Order, orders
from webapp.tables.columns import Column, column, time, whole
from webapp.tables.models import Entry
from webapp.wording.endings import ending_words
from webapp.wording.metrics import listed_together, mean_digits, session_head, shown_values
from webapp.wording.numbers import number_words

ORIGINS = {
    "": gettext_lazy("from its beginning"),
    "re-run": gettext_lazy("re-run"),
    "fork": gettext_lazy("fork"),
    "imported": gettext_lazy("imported"),
}

COST_DIGITS = 4


def _names(joined: str) -> str:
    return ", ".join(joined.strip("|").split("|"))


def _issues(joined: str) -> str:
    known = issue_types()
    return ", ".join(known.get(name, name) for name in joined.strip("|").split("|"))


def issue_types() -> dict[str, str]:
    """What may be wrong with a plan of any benchmark, in words by type."""
    types = {key: str(words) for suite in SUITES for key, words in pages_of(suite).figures.issues.items()}
    return dict(sorted(types.items(), key=lambda pair: pair[1]))


def _money(cost: float) -> str:
    return number_words(cost, COST_DIGITS)


def _where(entry: Entry) -> str:
    if entry.mode == Mode.WORLD:
        return entry.world
    return " ".join(filter(None, (entry.world, "·", str(Mode(entry.mode).label), entry.cache)))


PLAIN = (
    column("started", gettext_lazy("started"), "time", time, field="started_at"),
    column("created", gettext_lazy("created"), "time", time, field="created_at"),
    column("status", gettext_lazy("status"), words=lambda value: str(Status(value).label)),
    Column(
        "reason",
        gettext_lazy("ended"),
        "text",
        lambda entry: entry.reason,
        lambda entry: ending_words(entry.reason, entry.suite) if entry.reason else "–",
        "reason",
        low_first=True,
    ),
    column("origin", gettext_lazy("origin"), words=lambda value: str(ORIGINS.get(value, value))),
    column("run", gettext_lazy("run"), field="run_name"),
    column("agent", gettext_lazy("agent")),
    column("model", gettext_lazy("agent's model")),
    column("users", gettext_lazy("travellers")),
    column("user_model", gettext_lazy("travellers' model")),
    Column(
        "world",
        gettext_lazy("world, sandbox"),
        "text",
        lambda entry: entry.world,
        lambda entry: _where(entry) or "–",
        "world",
        low_first=True,
    ),
    column("cache", gettext_lazy("cache")),
    column("mode", gettext_lazy("sandbox"), words=lambda value: str(Mode(value).label)),
    column("task", gettext_lazy("task")),
    column("cities", gettext_lazy("cities"), words=_names),
    column("difficulty", gettext_lazy("difficulty"), words=difficulty_words),
    column("archetype", gettext_lazy("archetype")),
    column("size", gettext_lazy("group size"), "number", whole),
    column("rounds", gettext_lazy("rounds"), "number", whole),
    column("events", gettext_lazy("events"), "number", whole),
    column("seconds", gettext_lazy("seconds"), "number", whole),
    column("tool_calls", gettext_lazy("tool calls"), "number", whole),
    column("tool_errors", gettext_lazy("tool errors"), "number", whole),
    column("requests", gettext_lazy("model calls"), "number", whole),
    column("tokens", gettext_lazy("tokens"), "number", whole),
    replace(column("cost", gettext_lazy("cost"), "number", _money), digits=COST_DIGITS),
    column("issue_types", gettext_lazy("issue types"), words=_issues, field="issues"),
)
"""Those that sessions of every benchmark have."""
USUAL = ("difficulty", "agent", "users", "world", "status")
"""Shown until somebody chooses, before the metrics and the time of the start."""


def columns() -> dict[str, Column]:
    """All columns by key: the plain ones, then a metric each, those of raters by rater."""
    by_key = {column.key: column for column in PLAIN}
    for key, order in orders().items():
        if key not in by_key:
            by_key[key] = _of_metric(key, order)
    return by_key


def _of_metric(key: str, order: Order) -> Column:
    metric, rater = order.metric, order.rater
    head = session_head(metric)
    label = _("%(metric)s by %(rater)s") % {"metric": head.label, "rater": rater} if rater else head.label

    yes_or_no = metric.unit == "flag" and not rater
    own = [metric, *(other for other in metrics_of(order.suite) if other.detail_of == metric.key)]

    def words(entry: Entry) -> str:
        if rater:
            return mean_digits(metric, _value(key, entry))
        # as pages show it: of a flag that is not so, by how much it is missed
        return next((shown.value for shown in shown_values(own, entry.values)), "–")

    return Column(
        key,
        label,
        "number",
        partial(_value, key),
        words,
        value=key,
        low_first=metric.better == "low",
        **({"unit": _("1 yes, 0 no")} if yes_or_no else {"scale": metric.scale, "digits": metric.digits}),
    )


def _value(key: str, entry: Entry) -> float | None:
    value = entry.values.get(key)
    return None if value is None else float(value)


def usual(known: Mapping[str, Column], suites: Collection[str] = SUITES) -> list[str]:
    """The keys of the columns that are shown until somebody chooses, of sessions of these benchmarks."""
    listed = {metric.key for metric in listed_together(suite for suite in SUITES if suite in suites)}
    return [*USUAL, *(key for key in known if key in listed), "started"]


def agent_names() -> list[str]:
    """The agents of every benchmark here."""
    return list(dict.fromkeys(name for suite in SUITES for name in agents(suite)))
