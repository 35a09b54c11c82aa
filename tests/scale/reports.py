"""Ended and judged sessions in the database, as many as a benchmark has, without playing any.

Runs of agents of unequal skill; each session has scores with evidence of a usual size, a judgement, and the figures
that are folded of it, but no log beyond its compromises.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from benchmark.core.tool_use import ToolUse
from benchmark.metrics import values_of
from benchmark.suites import DEFAULT_SUITE, metrics_of
from benchmark.suites.grouptravel.judging.rubric import DIMENSIONS, judge_score
from benchmark.suites.grouptravel.scoring import CODE_VERSION
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.endpoints.models import ModelEndpoint
from webapp.judging.models import JudgeBatch, Judgement
from webapp.judging.raters import rater_of
from webapp.judging.verdicts import pair_of
from webapp.reports.folding import fold
from webapp.sessions.models import Event, MetricValue, Run, Score, Session, Status

ISSUES = (
    "missing_intracity_transport",
    "intracity_transport_origin_mismatch",
    "time_overlap",
    "missing_hotel",
)
ISSUE_FREQUENCIES = (20.0, 6.0, 0.8, 0.1)
FAILURES = ("max_turn_reached", "multiple_repeated_tool_calls", "consecutive_repeated_tool_calls")
DIFFICULTIES = ("easy", "medium", "hard")
TOOLS = ("search_poi", "get_poi_detail", "plan_route", "travel_search_trains", "maps_weather")
WHEN = datetime(2026, 3, 1, tzinfo=UTC)
BATCH = 1000


def make_runs(runs: int, tasks: int, trials: int, seed: int = 0) -> list[Run]:
    """Store so many runs over the same synthetic tasks."""
    world, _ = World.objects.get_or_create(name="synthetic", defaults={"pack": "none", "pack_hash": "0"})
    chosen = _tasks(tasks)
    return [_run(number, chosen, trials, world, random.Random(seed + number)) for number in range(runs)]


def _tasks(count: int) -> list[Task]:
    collection, new = TaskCollection.objects.get_or_create(name=f"synthetic {count}")
    if new:
        Task.objects.bulk_create(_task(collection, number) for number in range(count))
    return list(collection.tasks.all())


def _task(collection: TaskCollection, number: int) -> Task:
    return Task(
        task_id=f"{collection.name} {number}",
        collection=collection,
        position=number,
        definition={},
        query="",
        departure_date=date(2026, 3, 1),
        difficulty=DIFFICULTIES[number % 3],
        size=2 + number % 5,
        city_count=1,
        cities=[],
    )


def _run(number: int, tasks: list[Task], trials: int, world: World, chance: random.Random) -> Run:
    mode = "online" if number == 1 else "isolated"
    setup = {
        "agent": "react",
        "users": "llm",
        "agent_model": {"name": f"model {number // 2}"},
        "sandbox": {"mode": mode},
    }
    run = Run.objects.create(name=f"agent {number}", setup=setup, trials=trials)
    skill = chance.uniform(0.3, 0.9)
    batch = _batch(run)
    drafts = [_session(run, task, trial, world, skill, chance) for task in tasks for trial in range(trials)]
    for begin in range(0, len(drafts), BATCH):
        stored = drafts[begin : begin + BATCH]
        Session.objects.bulk_create(stored)
        scores = [_score(session, skill, chance) for session in stored]
        Score.objects.bulk_create(scores)
        MetricValue.objects.bulk_create([value for score in scores for value in _values(score)])
        Event.objects.bulk_create(_compromises(stored, skill, chance))
        fold([session.pk for session in stored])
        judged = Judgement.objects.bulk_create(_judge(stored, batch, skill, chance))
        rater = rater_of(pair_of(batch), "")
        MetricValue.objects.bulk_create(
            MetricValue(session=one.session, profile="", rater=rater, key="judge", value=one.score)
            for one in judged
        )
    return run


def _batch(run: Run) -> JudgeBatch:
    judge, _ = ModelEndpoint.objects.get_or_create(name="synthetic-judge", defaults={"model": "none"})
    return JudgeBatch.objects.create(run=run, judge=judge, meta_judge=judge, judge_setup={}, meta_setup={})


def _session(run: Run, task: Task, trial: int, world: World, skill: float, chance: random.Random) -> Session:
    planned = chance.random() < 0.7 + skill / 3
    return Session(
        task=task,
        world=world,
        run=run,
        trial_id=trial,
        agent="react",
        users="llm",
        status=Status.FINISHED,
        completion_reason="plan_generated" if planned else chance.choice(FAILURES),
        plan_generated=planned,
        round=chance.randint(2, 15),
        tool_use={tool: _use(skill, chance) for tool in TOOLS},
        finished_at=WHEN,
    )


def _use(skill: float, chance: random.Random) -> dict[str, Any]:
    hits, misses = max(0, round(chance.gauss(1 + 4 * skill, 2))), chance.randint(0, 2)
    return ToolUse(hits + misses, hits, misses, latencies=[1.5] * (hits + misses)).as_json()


def _score(session: Session, skill: float, chance: random.Random) -> Score:
    counts = {
        issue: _times(often * (1.2 - skill), chance)
        for issue, often in zip(ISSUES, ISSUE_FREQUENCIES, strict=True)
    }
    counts = {issue: count for issue, count in counts.items() if count}
    planned = session.plan_generated
    return Score(
        session=session,
        profile="published",
        code_version=CODE_VERSION,
        figures={
            "pc": min(1.0, max(0.0, chance.gauss(skill, 0.1))),
            "gu": round(chance.gauss(4 + 8 * skill, 2), 2) if planned else None,
            "gf": round(min(100.0, max(0.0, chance.gauss(90 - 8 * session.task.size, 12))), 2)
            if planned
            else None,
            "pv": not counts if planned else None,
            "pv_issue_counts": counts if planned else None,
            "evidence": {"utility": ["…" * 4000]},
        },
    )


def _values(score: Score) -> list[MetricValue]:
    return [
        MetricValue(session=score.session, profile=score.profile, key=key, value=value)
        for key, value in values_of(metrics_of(DEFAULT_SUITE), score.figures).items()
    ]


def _times(often: float, chance: random.Random) -> int:
    return max(0, round(chance.expovariate(1 / often) - 0.5))


def _compromises(sessions: list[Session], skill: float, chance: random.Random) -> Iterator[Event]:
    for session in sessions:
        for number in range(min(4, _times(0.5 * skill, chance))):
            yield Event(
                session=session, seq=1 + number, type="compromise_applied", actor="User1", payload={}, at=WHEN
            )


def _judge(
    sessions: list[Session], batch: JudgeBatch, skill: float, chance: random.Random
) -> Iterator[Judgement]:
    for session in sessions:
        scores = {name: min(5, max(1, round(chance.gauss(1.5 + 4 * skill, 0.9)))) for name in DIMENSIONS}
        meta = 5 if chance.random() < 0.95 else 4
        score = judge_score(scores, meta)
        yield Judgement(
            batch=batch,
            session=session,
            status="judged",
            rated=True,
            scores=scores,
            meta_score=meta,
            score=score,
        )
