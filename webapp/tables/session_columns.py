"""The columns of the table of sessions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from benchmark.suites import SUITES, metrics_of, suite_named
from webapp.catalogue.fields import ListedField, listed_fields
from webapp.endpoints.choice import agents
from webapp.pages import pages_of
from webapp.sessions.models import Mode, Status
from webapp.sessions.selectors import Order, orders
from webapp.tables.columns import Column, column, time, whole
from webapp.tables.fields import field_column
from webapp.tables.models import Entry
from webapp.wording.endings import ending_words
from webapp.wording.metrics import listed_together, session_head, shown_values, value_digits
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


TASK = "session__task__"
"""The way from a row to the task."""
COPIES = {name: name for name in ("cities", "difficulty", "archetype")} | {"size+children": "size"}
"""What rows hold of the columns of tasks themselves, so that no other table is read for it."""


def _of_tools(name: str, label: Promise) -> Column:
    """A count of sessions whose benchmark has tools."""

    own = column(name, label, "number", whole)

    def has_tools(entry: Entry) -> bool:
        return suite_named(entry.suite).play.has_tools

    return replace(
        own,
        read=lambda entry: own.read(entry) if has_tools(entry) else None,
        words=lambda entry: own.words(entry) if has_tools(entry) else "–",
    )


_BEFORE_FIELDS = (
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
)
_AFTER_FIELDS = (
    column("rounds", gettext_lazy("rounds"), "number", whole),
    column("events", gettext_lazy("events"), "number", whole),
    column("seconds", gettext_lazy("seconds"), "number", whole),
    _of_tools("tool_calls", gettext_lazy("tool calls")),
    _of_tools("tool_errors", gettext_lazy("tool errors")),
    column("requests", gettext_lazy("model calls"), "number", whole),
    column("tokens", gettext_lazy("tokens"), "number", whole),
    replace(column("cost", gettext_lazy("cost"), "number", _money), digits=COST_DIGITS),
    column("issue_types", gettext_lazy("issue types"), words=_issues, field="issues"),
)
"""Those that sessions of every benchmark have, before and after those of the fields of their tasks."""
USUAL = ("agent", "users", "world", "status")
"""Shown until somebody chooses, between fields of tasks and metrics."""


def columns() -> dict[str, Column]:
    """All columns by key: the plain ones with those of tasks, then a metric each, those of raters by rater."""
    language = get_language() or ""
    by_key = dict(_without_metrics(tuple(SUITES), language))
    for key, order in orders().items():
        if key not in by_key:
            by_key[key] = _of_metric(key, order, language)
    return by_key


@lru_cache(maxsize=20)
def _without_metrics(_suites: tuple[str, ...], _language: str) -> Mapping[str, Column]:
    fields = [_of_task(listed) for listed in session_fields().values()]
    return {column.key: column for column in (*_BEFORE_FIELDS, *fields, *_AFTER_FIELDS)}


def session_fields() -> Mapping[str, ListedField]:
    """The fields of tasks that the table has, by name."""
    return _session_fields(tuple(SUITES))


@lru_cache(maxsize=20)
def _session_fields(_suites: tuple[str, ...]) -> Mapping[str, ListedField]:
    return listed_fields("sessions", at=TASK, copies=COPIES)


def reads_tasks(shown: Iterable[Column]) -> bool:
    """Whether these columns show what stands with the tasks alone."""
    fields = session_fields()
    return any(fields[column.key].is_joined for column in shown if column.key in fields)


def _of_task(listed: ListedField) -> Column:
    if listed.is_joined:
        return field_column(listed, lambda entry: listed.cell(entry.session.task))
    copy = listed.columns[0]
    match listed.own.kind:
        case "choice":
            return column(listed.name, listed.label, words=listed.words, field=copy)
        case "names":
            return column(listed.name, listed.label, words=_names, field=copy)
        case "text":
            return column(listed.name, listed.label, field=copy)
    return column(listed.name, listed.label, "number", whole, field=copy)


@lru_cache(maxsize=1000)
def _of_metric(key: str, order: Order, _language: str) -> Column:
    metric, rater = order.metric, order.rater
    head = session_head(metric)
    label = _("%(metric)s by %(rater)s") % {"metric": head.label, "rater": rater} if rater else head.label

    yes_or_no = metric.unit == "flag" and not rater
    own = [metric, *(other for other in metrics_of(order.suite) if other.detail_of == metric.key)]

    def words(entry: Entry) -> str:
        if rater:
            return value_digits(metric, _value(key, entry))
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
    own = [name for name, field in session_fields().items() if field.is_usual_in(suites)]
    return [*own, *USUAL, *(key for key in known if key in listed), "started"]


def agent_names() -> list[str]:
    """The agents of every benchmark here."""
    return list(dict.fromkeys(name for suite in SUITES for name in agents(suite)))
