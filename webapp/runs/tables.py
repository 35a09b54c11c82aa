"""Runs as tables for other programs (CSV): English column names, plain numbers, shares between 0 and 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmark.core import model_use
from benchmark.core.model_use import ModelUse
from benchmark.core.tool_use import ToolUse, total
from benchmark.judging import Pair
from benchmark.metrics import OF_CACHES, of_rules
from benchmark.reports.conditions import option_condition
from benchmark.suites import DEFAULT_SUITE, metrics_of, suite_named
from webapp.runs.cast import cast_of, programs_by_session, seats_in_words
from webapp.runs.comparison import Row
from webapp.runs.figures import compared_metrics
from webapp.runs.verdicts import Judging
from webapp.sessions.models import Mode, Run, Session
from webapp.sessions.selectors import listed_values
from webapp.spreadsheets import csv_text
from webapp.wording.options import usual_options

ROLES = ("agent", "travellers", "simulator")
_TOKENS = ("prompt", "completion", "cached", "reasoning")
USE_COLUMNS = (
    *("requests", "answered", "retries", "failed"),
    *(f"{name}_tokens" for name in _TOKENS),
    *("unknown", "cost", "uncosted", "currency", "median_ms", "withdrawn"),
)
"""Of a role's model. unknown, uncosted: requests that no figure of tokens, or no cost, holds."""
JUDGE_COLUMNS = ("judge_name", "judge_model", "meta_name", "meta_model", "judge_input", "prompts")
"""Whose verdicts `judge` is of, empty where there is none; keys as in the files of reports."""


def session_columns(suite: str) -> list[str]:
    """The columns of a file of sessions of a benchmark."""
    metrics = metrics_of(suite)
    return [
        *("run", "session", "task", "difficulty", "travellers", "trial", "seed", "status"),
        *("completion_reason", "plan_generated", "rounds"),
        *(metric.key for metric in of_rules(metrics)),
        *(metric.key for metric in metrics if metric.source == "rater"),
        *JUDGE_COLUMNS,
        *("calls", "hits", "misses", "simulated", "live", "errors", "hit_rate", "latency_ms"),
        *("started_at", "finished_at", "agent", "agent_model", "users", "user_model", "seats"),
        *(f"{role}_{name}" for role in ROLES for name in USE_COLUMNS),
    ]


def compared_columns(suite: str) -> list[str]:
    """The columns of a file of runs of a benchmark side by side."""
    metrics = [metric.key for metric in compared_metrics(suite)]
    return [
        *("run", "name", "agent", "agent_model", "users", "user_model", "seats"),
        *(option_condition(option.key) for option in usual_options(suite)),
        *("world", "mode", "cache"),
        *("sessions", "crashed", "judged"),
        *metrics,
        *JUDGE_COLUMNS,
        *(f"model_{name}" for name in USE_COLUMNS),
        "common_tasks",
        *(f"{key}_change" for key in metrics),
    ]


def sessions_csv(run: Run, sessions: Iterable[Session], judging: Judging) -> str:
    """A line a session; figures of tools and models are empty until it has ended, and where nobody knows them; so is
    the share of hits where there is no cache, and all of tools where a benchmark has none.

    judge: S, the mean over the verdicts of the pair that counts for the run.
    """
    who = _judges(judging.counting)
    judged = {pk: {**scores, **who} for pk, scores in judging.scores.items()}
    programs = {name: programs_by_session(run, name) for name in ("agent", "users")}
    rows = (_session(run, session, programs) | judged.get(session.pk, {}) for session in sessions)
    return csv_text(session_columns(run.suite), rows)


def _judges(pairs: Sequence[Pair]) -> dict[str, str]:
    """Where pairs by several rubrics differ in something, all of it."""
    told = [
        (pair.judge, pair.judge_model, pair.meta_judge, pair.meta_model, pair.form, ", ".join(pair.prompts))
        for pair in pairs
    ]
    values = ["; ".join(dict.fromkeys(column)) for column in zip(*told, strict=True)]
    return dict(zip(JUDGE_COLUMNS, values, strict=True)) if values else {}


def _session(
    run: Run, session: Session, programs: Mapping[str, Mapping[str, Sequence[str]]]
) -> dict[str, Any]:
    outside = {name: ", ".join(program.get(session.pk, ())) for name, program in programs.items()}
    given = {
        "run": run.pk,
        "session": session.pk,
        "task": session.task.task_id,
        "difficulty": session.task.difficulty,
        "travellers": session.task.size,
        "trial": session.trial_id,
        "rounds": session.round,
        "agent_model": session.agent_model.name if session.agent_model else outside["agent"],
        "user_model": session.user_model.name if session.user_model else outside["users"],
        "seats": seats_in_words(
            (seat.name, seat.kind, seat.model.name if seat.model else None) for seat in session.seat_overrides
        ),
        "started_at": session.started_at and session.started_at.isoformat(),
        "finished_at": session.finished_at and session.finished_at.isoformat(),
    }
    named = ("seed", "status", "completion_reason", "plan_generated", "agent", "users")
    given |= {name: getattr(session, name) for name in named}
    values = listed_values(session)
    given |= {metric.key: metric.plain(values.get(metric.key)) for metric in of_rules(metrics_of(run.suite))}
    if not session.ended:
        return given
    has_tools = suite_named(run.suite).play.has_tools
    tools = _tools(session.tool_use, session.mode != Mode.WORLD) if has_tools else {}
    return given | tools | _models(session.model_use)


def _tools(stored: Mapping[str, Any], cached: bool) -> dict[str, Any]:
    use = total(map(ToolUse.of, stored.values()))
    named = ("calls", "latency_ms", "hits", "misses", "simulated", "live", *(["hit_rate"] if cached else []))
    return {name: getattr(use, name) for name in named} | {"errors": use.error_count}


def _models(stored: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    uses = [ModelUse.of(use) for use in stored]
    given: dict[str, Any] = {}
    for role in ROLES:
        if own := [use for use in uses if use.role == role]:
            given |= {f"{role}_{name}": value for name, value in _use_columns(model_use.total(own)).items()}
    return given


def _use_columns(use: ModelUse) -> dict[str, Any]:
    tokens = {f"{name}_tokens": getattr(use, name) for name in _TOKENS} if use.tokens_known else {}
    return tokens | {
        "requests": use.calls,
        "answered": use.answered,
        "retries": use.retries,
        "failed": use.failure_count,
        "unknown": use.unknown,
        "cost": " ".join(f"{cost:.6f}" for cost in use.costs.values()),
        "uncosted": use.uncosted,
        "currency": " ".join(use.costs),
        "median_ms": use.latency_ms,
        "withdrawn": use.draft_count,
    }


def comparison_csv(rows: Sequence[Row], judging: Judging) -> str:
    """A line a run; the changes are against the first line, over the tasks that both have.

    Figures of models are sums over the run's sessions, empty where none was asked and where nobody knows them.
    """
    who = _judges(judging.counting)
    columns = compared_columns(rows[0].run.suite if rows else DEFAULT_SUITE)
    return csv_text(columns, (_comparison_columns(row) | (who if row.figures.judged else {}) for row in rows))


def _usual_options(run: Run) -> dict[str, Any]:
    options = run.options
    return {option_condition(each.key): options.get(each.key, "") for each in usual_options(run.suite)}


def _comparison_columns(row: Row) -> dict[str, Any]:
    run = row.run
    given: dict[str, Any] = {"run": run.pk, "name": run.name, **_usual_options(run)}
    keys = [metric.key for metric in compared_metrics(run.suite)]
    compared = [key for key in keys if key not in OF_CACHES or run.has_cache]
    given |= {name: getattr(row.figures, name) for name in ("sessions", "crashed", "judged")}
    given |= {key: row.figures.values[key] for key in compared}
    given |= cast_of(run) | {"world": run.setup["world"]}
    given |= {name: run.setup["sandbox"][name] for name in ("mode", "cache")}
    if row.models.calls:
        given |= {f"model_{name}": value for name, value in _use_columns(row.models).items()}
    if row.difference:
        given["common_tasks"] = row.difference.tasks
        given |= {f"{key}_change": row.difference.changes[key] for key in compared}
    return given
