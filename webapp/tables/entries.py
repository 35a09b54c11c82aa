"""From sessions and runs to the rows of their tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connections, transaction
from django.db.models import Q

from benchmark.suites import SUITES, first_profile
from webapp.reports.models import SessionFigures
from webapp.runs import selectors as run_selectors
from webapp.runs.figures import Outcome, figures_of
from webapp.runs.selectors import Progress
from webapp.sessions.models import MetricValue, Run, Session
from webapp.tables.models import Entry, RunEntry
from webapp.wording.metrics import columns_together

BATCH = 500
SOURCE = (
    *("pk", "created_at", "started_at", "finished_at", "suite", "status", "completion_reason"),
    *("replay_of", "fork_seq", "brought_by", "agent", "agent_model__name", "users", "user_model__name"),
    *(
        "world__name",
        "mode",
        "cache__name",
        "run",
        "run__name",
        "task__task_id",
        "task__found_by",
        "task__cities",
    ),
    *("task__difficulty", "task__archetype", "task__size", "task__children", "plan_generated", "round"),
    *("last_seq", "tool_use", "model_use"),
)


def refresh_sent(
    sender: Any, *, session_id: str = "", session_ids: Collection[str] = (), **told: Any
) -> None:
    """Refresh what a signal names, and have its runs read anew when somebody looks at them."""
    ids = session_ids or [session_id]
    refresh(ids)
    RunEntry.objects.filter(run__sessions__in=ids, stale=False).update(stale=True)


def fill_after_migration(sender: Any, *, using: str, **told: Any) -> None:
    """Write the rows that are missing: those of sessions from before there was a table, or of bulk loads.

    After migrations, not in one, so that it is always this version's code over this version's tables.
    """
    if Entry._meta.db_table in connections[using].introspection.table_names():
        refresh(Session.objects.filter(entry=None).values_list("pk", flat=True))


def refresh(session_ids: Iterable[str]) -> None:
    """Write the rows of some sessions anew."""
    wanted = list(session_ids)
    for begin in range(0, len(wanted), BATCH):
        _refresh(wanted[begin : begin + BATCH])


def _refresh(ids: list[str]) -> None:
    names = [field.name for field in Entry._meta.get_fields() if field.name != "session"]
    with transaction.atomic():
        rows = list(Session.objects.filter(pk__in=ids).order_by().values(*SOURCE))
        values, issues = _values(ids), _issues(ids)
        entries = [
            Entry(**fields_of(row, values.get(row["pk"], {}), issues.get(row["pk"], ()))) for row in rows
        ]
        Entry.objects.bulk_create(
            entries, update_conflicts=True, unique_fields=["session"], update_fields=names
        )


def _values(ids: Collection[str]) -> dict[str, dict[str, float]]:
    """Values of metrics by session: those under the first profile, and every rater's that have no profile."""
    profiles = {suite: first_profile(suite) for suite in SUITES}
    rows = MetricValue.objects.filter(session__in=ids, profile__in=["", *profiles.values()]).order_by()
    values: dict[str, dict[str, float]] = {}
    for pk, suite, profile, rater, key, value in rows.values_list(
        "session", "session__suite", "profile", "rater", "key", "value"
    ):
        if profile in ("", profiles.get(suite)):
            values.setdefault(pk, {})[f"{key}@{rater}" if rater else key] = value
    return values


def _issues(ids: Collection[str]) -> dict[str, list[str]]:
    """The types of issues by session, as they are counted for reports."""
    rows = SessionFigures.objects.filter(session__in=ids).values_list("session", "session__suite", "issues")
    return {
        pk: [type_ for type_, n in counted.get(first_profile(suite), {}).items() if n]
        for pk, suite, counted in rows
    }


def fields_of(row: Mapping[str, Any], values: Mapping[str, float], issues: Iterable[str]) -> dict[str, Any]:
    """The columns of an entry, from those of `SOURCE`."""
    tools = list(row["tool_use"].values())
    return {
        "session_id": row["pk"],
        "created_at": row["created_at"],
        "started_at": row["started_at"],
        "suite": row["suite"],
        "status": row["status"],
        "reason": row["completion_reason"],
        "origin": _origin(row),
        "agent": row["agent"],
        "model": row["agent_model__name"] or "",
        "users": row["users"],
        "user_model": row["user_model__name"] or "",
        "world": row["world__name"] or "",
        "mode": row["mode"],
        "cache": row["cache__name"] or "",
        "run": row["run"] or "",
        "run_name": row["run__name"] or "",
        "task": row["task__task_id"],
        "words": row["task__found_by"],
        "cities": _between_bars(row["task__cities"]),
        "difficulty": row["task__difficulty"],
        "archetype": row["task__archetype"],
        "size": row["task__size"] + row["task__children"],
        "planned": row["plan_generated"],
        "rounds": row["round"],
        "events": row["last_seq"],
        "seconds": _seconds(row["started_at"], row["finished_at"]),
        "tool_calls": sum(use.get("calls", 0) for use in tools),
        "tool_errors": sum(sum(use.get("errors", {}).values()) for use in tools),
        **_of_models(row["model_use"]),
        "issues": _between_bars(issues),
        "values": dict(values),
    }


def _origin(row: Mapping[str, Any]) -> str:
    if row["brought_by"]:
        return "imported"
    if row["replay_of"]:
        return "re-run"
    return "fork" if row["fork_seq"] else ""


def _between_bars(names: Iterable[Any]) -> str:
    """`|one|two|`, so that a whole name can be looked for; "" for none. Cut at 500 characters."""
    joined = "|".join(map(str, names))
    return f"|{joined}|"[:500] if joined else ""


def _seconds(start: datetime | None, end: datetime | None) -> float | None:
    return (end - start).total_seconds() if start and end else None


def _of_models(stored: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Requests, tokens and cost over all models; several currencies have no sum."""
    uses = list(stored)
    costs = [use.get("costs", {}) for use in uses]
    currencies = {currency for cost in costs for currency in cost}
    known = not any(use.get("uncosted") for use in uses) and len(currencies) < 2
    return {
        "requests": sum(use.get("calls", 0) for use in uses),
        "tokens": None
        if any(use.get("unknown") for use in uses)
        else sum(use.get("prompt", 0) + use.get("completion", 0) for use in uses),
        "cost": sum(sum(cost.values()) for cost in costs) if known else None,
    }


def refresh_runs() -> None:
    """Write the rows of runs that are new or have changed.

    A run changes with each of its sessions, and to read it is to read them all: so it is done when somebody looks.
    """
    runs = list(Run.objects.filter(Q(entry=None) | Q(entry__stale=True)))
    if not runs:
        return
    RunEntry.objects.filter(run__in=runs).update(
        stale=False
    )  # before it is read: a change meanwhile sets it again
    counted, came_out = run_selectors.progress(runs), run_selectors.outcomes(runs, uses=False)
    fields = [field.name for field in RunEntry._meta.get_fields() if field.name not in ("run", "stale")]
    RunEntry.objects.bulk_create(
        [_run_entry(run, counted[run.pk], came_out[run.pk]) for run in runs],
        update_conflicts=True,
        unique_fields=["run"],
        update_fields=fields,
    )


def _run_entry(run: Run, counted: Progress, came_out: Sequence[Outcome]) -> RunEntry:
    setup, sandbox = run.setup, run.setup.get("sandbox", {})
    figures = figures_of(came_out, run.suite).values
    listed = {metric.key for metric in columns_together([run.suite])}
    return RunEntry(
        run=run,
        created_at=run.created_at,
        name=run.name,
        suite=run.suite,
        agent=setup.get("agent", ""),
        model=(setup.get("agent_model") or {}).get("name", ""),
        users=setup.get("users", ""),
        user_model=(setup.get("user_model") or {}).get("name", ""),
        world=setup.get("world") or "",
        mode=sandbox.get("mode", ""),
        cache=sandbox.get("cache") or "",
        sessions=counted.sessions,
        ended=counted.ended,
        going=counted.going,
        values={key: value for key, value in figures.items() if key in listed and value is not None},
    )
