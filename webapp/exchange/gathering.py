"""Everything that exporters need of stored sessions and runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from benchmark.core.model_use import ModelUse
from benchmark.core.model_use import total as model_total
from benchmark.core.tool_use import ToolUse
from benchmark.core.tool_use import total as tool_total
from benchmark.exports.session import RunExport, ScoreLine, SessionExport, without_secrets
from benchmark.metrics import Metric
from benchmark.reports.conditions import option_condition
from benchmark.suites import DEFAULT_SUITE, first_profile, metrics_of, suite_named
from benchmark.suites.base import fill_options
from webapp.cassettes.selectors import cassette_of
from webapp.judging.models import Judgement
from webapp.notes.selectors import as_rows, notes
from webapp.people.exports import Naming, met_in, personal_content
from webapp.runs.figures import figures_of
from webapp.runs.selectors import outcomes
from webapp.runs.verdicts import judging_of, with_judge
from webapp.sessions.log import read_log
from webapp.sessions.models import ENDED_STATUSES, Run, Session
from webapp.sessions.scoring import record_line

MOST_LINES = 200
"""Lines of evidence for one score; the others are counted."""
AT_ONCE = 50
"""Sessions whose rows are read together."""


def session_export(session: Session, naming: Naming) -> SessionExport:
    """A session with its log, its record, what was recorded of its models, its scores, its notes and its people."""
    people = personal_content(session, met_in([session], naming).get(session.pk, ()), naming)
    recorded = () if session.imported or session.replay_of_id else cassette_of(session).exchanges
    whole = SessionExport(
        id=session.pk,
        task=session.task.task_id,
        trial=session.trial_id,
        status=session.status,
        reason=session.completion_reason,
        about=about(session),
        events=list(read_log(session)),
        exchanges=recorded,
        scores=list(_scores(session)),
        record=record_line(session).decode().rstrip("\n"),
        notes=list(as_rows(notes(sessions=[session.pk]))),
        evidence=_evidence(session).get(first_profile(session.suite), {}),
        **people,
    )
    return naming.session(whole)


def sessions_of(run: Run, naming: Naming) -> Iterator[SessionExport]:
    """The sessions of a run that have ended, as `exports_of` gives them."""
    return exports_of(run.sessions.all(), naming)


def exports_of(sessions_chosen: QuerySet[Session], naming: Naming) -> Iterator[SessionExport]:
    """Those of some sessions that have ended, task by task, trial by trial; they are read one by one."""
    ended = sessions_chosen.filter(status__in=ENDED_STATUSES).order_by(
        "task__position", "task__task_id", "trial_id", "pk"
    )
    ids = list(ended.values_list("pk", flat=True))
    for begin in range(0, len(ids), AT_ONCE):
        sessions = whole(Session.objects.filter(pk__in=ids[begin : begin + AT_ONCE])).in_bulk()
        yield from (
            session_export(sessions[pk], naming) for pk in ids[begin : begin + AT_ONCE] if pk in sessions
        )


def whole(sessions: Any) -> Any:
    """Sessions with the rows that an export reads of each."""
    joined = sessions.select_related(
        "task", "world", "agent_model", "user_model", "run", "prompt_set__prompt_set"
    )
    return joined.prefetch_related("scores", "values")


def run_export(run: Run) -> RunExport:
    """A run without its sessions."""
    ended = run.sessions.filter(status__in=ENDED_STATUSES)
    run_outcomes = outcomes([run])
    figures = figures_of(with_judge(run_outcomes, judging_of([run], run_outcomes))[run.pk], run.suite)
    return RunExport(
        id=run.pk,
        name=run.name,
        suite=run.suite,
        created=run.created_at.isoformat(),
        setup=_public(run),
        trials=run.trials,
        tasks=list(ended.order_by("task__task_id").values_list("task__task_id", flat=True).distinct()),
        averages={key: value for key, value in figures.values.items() if value is not None},
        sessions=ended.count(),
    )


def run_of_session(session: Session) -> RunExport:
    """A run of one session, for formats that know no session by itself."""
    return RunExport(
        id=session.run_id or session.pk,
        name=session.run.name if session.run else session.task.task_id,
        suite=session.suite,
        created=session.created_at.isoformat(),
        setup=_public(session.run) if session.run else {"agent": session.agent},
        trials=1,
        tasks=[session.task.task_id],
        sessions=1,
    )


def _public(run: Run) -> dict[str, Any]:
    """A run's setup without the addresses of its models; it names the benchmark if that is not the first.

    Options stand among the rest, as they did when all benchmarks had the same ones.
    """
    suite = {"suite": run.suite} if run.suite != DEFAULT_SUITE else {}
    plain: dict[str, Any] = {}
    for name, value in run.setup.items():
        plain |= _options(value) if name == "options" else {name: _without_empty_fields(value)}
    return suite | plain


def _options(chosen: Mapping[str, Any]) -> dict[str, Any]:
    return {option_condition(key): value for key, value in chosen.items()}


def _without_empty_fields(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: _without_empty_fields(field) for name, field in without_secrets(value).items()}


def about(session: Session) -> dict[str, Any]:
    """A session in plain columns: what it was, how it ended, what it used; an option hides no column or figure."""
    course, declared = _course(session), suite_named(session.suite).options
    options = fill_options(declared, session.options)
    chosen = {option_condition(each.key): options[each.key] for each in declared if not each.of_users}
    taken = {*course, *(metric.key for metric in metrics_of(session.suite))}
    named = {f"option_{key}" if key in taken else key: value for key, value in chosen.items()}
    return {**_origin(session), **named, **course}


def _origin(session: Session) -> dict[str, Any]:
    """Where it comes from and who took part."""
    return {
        "session": session.pk,
        "run": session.run_id,
        "run_name": session.run.name if session.run else None,
        "suite": session.suite,
        "task": session.task.task_id,
        "trial": session.trial_id,
        "seed": None if session.imported else session.seed,
        "imported": session.imported,
        "replay_of": session.replay_of_id,
        "fork_of": session.fork_of_id,
        "fork_event": session.fork_seq,
        "agent": session.agent,
        "agent_model": session.agent_model.model if session.agent_model else None,
        "users": session.users,
        "user_model": session.user_model.model if session.user_model else None,
        "world": session.world.name if session.world else None,
        "mode": session.mode,
        **_choices(session),
    }


def _choices(session: Session) -> dict[str, Any]:
    """By whose words its models were told what to do, and how they were asked, where that was chosen."""
    named, asked = session.set_named, session.sampling
    return {
        "prompt_set": f"{named['name']}@{named['version']}" if named else None,
        "prompt_set_digest": named["digest"] if named else None,
        "sampling": json.dumps(asked) if asked else None,
    }


def _course(session: Session) -> dict[str, Any]:
    """What was asked, how it went and what it used."""
    tools = tool_total(map(ToolUse.of, session.tool_use.values()))
    has_tools = suite_named(session.suite).play.has_tools
    models = model_total([ModelUse.of(use) for use in session.model_use])
    begun, ended = session.started_at, session.finished_at
    return {
        "query": session.task.query,
        "language": session.task.language,
        "difficulty": session.task.difficulty,
        "travellers": session.task.size,
        "cities": [str(city) for city in session.task.cities],
        "status": session.status,
        "completion_reason": session.completion_reason,
        "plan_generated": session.plan_generated,
        "rounds": session.round,
        "started_at": begun.isoformat() if begun else None,
        "finished_at": ended.isoformat() if ended else None,
        "seconds": (ended - begun).total_seconds() if begun and ended else None,
        "tool_calls": tools.calls if has_tools else None,
        "tool_errors": tools.error_count if has_tools else None,
        "model_requests": models.calls,
        # a total that lacks some requests would read as a small one
        "prompt_tokens": models.prompt if models.tokens_known else None,
        "completion_tokens": models.completion if models.tokens_known else None,
        # amounts in several currencies have no sum
        "cost": sum(models.costs.values()) if len(models.costs) == 1 else None,
        "currency": next(iter(models.costs), None) if len(models.costs) == 1 else None,
    }


# Scores.


def _scores(session: Session) -> Iterator[ScoreLine]:
    metrics = {metric.key: metric for metric in metrics_of(session.suite)}
    first = first_profile(session.suite)
    evidence = _evidence(session)
    said = _rationales(session)
    order = {key: at for at, key in enumerate(metrics)}
    rows = [row for row in session.values.all() if row.key in metrics]
    for row in sorted(
        rows, key=lambda row: (row.profile not in ("", first), row.profile, order[row.key], row.rater)
    ):
        metric = metrics[row.key]
        if row.rater:
            yield ScoreLine(f"{row.key}@{row.rater}", metric, row.value, said)
            continue
        name = row.key if row.profile == first else f"{row.profile}/{row.key}"
        yield ScoreLine(name, metric, row.value, list(_lines(metric, evidence.get(row.profile, {}))))


def _evidence(session: Session) -> dict[str, Mapping[str, Any]]:
    """What stands behind the scores, by profile."""
    return {score.profile: score.figures.get("evidence", {}) for score in session.scores.all()}


def _lines(metric: Metric, evidence: Mapping[str, Any]) -> Iterator[str]:
    """What stands behind a value: a line for each point, issue or wish."""
    for part in metric.evidence:
        listed = list(_describe_value(part, _part_of(evidence, part)))
        yield from listed[:MOST_LINES]
        if len(listed) > MOST_LINES:
            yield f"{part}: … and {len(listed) - MOST_LINES} more"


def _part_of(evidence: Mapping[str, Any], part: str) -> Any:
    """A part by its key, or by keys with points between them."""
    found: Any = evidence
    for key in part.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _describe_value(name: str, content: Any) -> Iterator[str]:
    """name: how one comes to it. An object without further ones is one line, without what is empty in it."""
    if isinstance(content, list) and any(isinstance(item, dict) for item in content):
        for item in content:
            yield from _describe_value(name, item)
    elif isinstance(content, dict) and any(_has_objects(value) for value in content.values()):
        for key, value in content.items():
            yield from _describe_value(f"{name} {key}", value)
    elif isinstance(content, dict):
        yield f"{name}: " + ", ".join(
            f"{key} {_plain(value)}" for key, value in content.items() if not _empty(value)
        )
    elif not _empty(content):
        yield f"{name}: {_plain(content)}"


def _has_objects(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _rationales(session: Session) -> list[str]:
    """What judges gave as their reasons, judgement by judgement."""
    lines: list[str] = []
    rows = Judgement.objects.filter(session=session, score__isnull=False).select_related("batch__judge")
    for row in rows.order_by("batch", "repeat"):
        reused = f", re-used from session {row.source_session}" if row.source_session else ""
        lines.append(f"{row.batch.judge.name}, #{row.repeat}: {row.score}{reused}")
        lines += [
            f"  {name}: {rating.get('score')} {rating.get('rationale', '')}"
            for name, rating in row.ratings.items()
        ]
        if row.meta_reasoning:
            lines.append(f"  meta-judge: {row.meta_score} {row.meta_reasoning}")
    return lines
