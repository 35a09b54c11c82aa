"""A run of TripScore whose answers are good, less good, impossible, and none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmark.agents.briefing import fence_plan
from benchmark.core.actions import Say
from benchmark.core.participant import BuiltIn, Cast
from benchmark.suites.tripbench import participants as tripbench
from benchmark.suites.tripscore import participants
from tests.scale.tripscore import DAYS, REFERENCE, plan, query
from tests.seating import endpoint_at
from webapp.catalogue.models import Task, World
from webapp.sessions.models import Run
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance

ANSWERS = {
    "a": (fence_plan(plan()), f"以下是行程：\n{fence_plan(plan())}", fence_plan(plan(DAYS[:3])), "I can't."),
    "b": ("No.", fence_plan(plan(DAYS[:2]))),
}
"""What is answered in each trial of each task; the first two of `a` are equally good."""


class _Speaker:
    def __init__(self, words: str) -> None:
        self._words = words

    def act(self, view: Any) -> Say:
        """The one answer."""
        return Say(self._words)


def training_run(folder: Path, world: World, patch: pytest.MonkeyPatch) -> Run:
    """Two tasks with ANSWERS, played and scored."""
    path = folder / "tasks.jsonl"
    tasks = [{"id": id_, "query": query(), "reference": REFERENCE} for id_ in ANSWERS]
    path.write_text("".join(json.dumps(task) + "\n" for task in tasks))
    call_command("import_tasks", path, "--suite", "tripscore")
    run = Run.objects.create(name="candidates", suite="tripscore", setup={"agent": "planner"}, trials=4)
    for id_, answers in ANSWERS.items():
        task = Task.objects.get(task_id=id_)
        for trial, words in enumerate(answers):
            agents = {**participants.AGENTS, "planner": BuiltIn(lambda context, words=words: _Speaker(words))}  # type: ignore[misc]
            patch.setattr(participants, "CAST", Cast(agents, {}))
            session = create_session(
                task=task, world=world, setup=Setup(agent="planner"), run=run, trial_id=trial, start=False
            )
            advance(session.pk, budget_s=None, paced=False)
    patch.undo()
    return run


TALK = {
    "id": "lake",
    "language": "en",
    "tier": "easy",
    "subset": "easy",
    "meta": {
        "origin": "上海市",
        "stays": [["杭州市", 1]],
        "start_date": "2026-05-01",
        "end_date": "2026-05-02",
        "people": 2,
    },
    "nodes": [
        {"instructions": [{"id": "s", "rubric": "hotel.star", "args": {"min": 3}}]},
        {"instructions": [{"id": "p", "rubric": "hotel.review_count", "args": {"min": 1}}]},
    ],
}
"""A task of two turns in the starter world."""


def token_run(folder: Path, world: World, url: str) -> Run:
    """TALK with an agent over a model of a server that lists its tokens, and with the reference agent."""
    path = folder / "talks.jsonl"
    path.write_text(json.dumps(TALK) + "\n")
    call_command("import_tasks", path, "--suite", "tripbench")
    model = endpoint_at(url, "good-agent", logprobs=True)
    setup = {"agent": "llm", "agent_model": model.setup(for_agent=True).model_dump()}
    run = Run.objects.create(name="tokens", suite="tripbench", setup=setup, trials=2)
    task, options = Task.objects.get(task_id="lake"), {"mode": "no issue"}
    agents: list[dict[str, Any]] = [{"agent": "llm", "agent_model": model}, {"agent": "reference"}]
    for trial, agent in enumerate(agents):
        chosen = Setup(**agent, options=options)
        session = create_session(task=task, world=world, setup=chosen, run=run, trial_id=trial, start=False)
        advance(session.pk, budget_s=None, paced=False)
    return run


def talks_run(folder: Path, world: World, patch: pytest.MonkeyPatch) -> Run:
    """TALK with the reference agent, and with one that has no plan."""
    path = folder / "talks.jsonl"
    path.write_text(json.dumps(TALK) + "\n")
    call_command("import_tasks", path, "--suite", "tripbench")
    run = Run.objects.create(name="talks", suite="tripbench", setup={"agent": "reference"}, trials=2)
    task, options = Task.objects.get(task_id="lake"), {"mode": "no issue"}
    for trial in (0, 1):
        if trial:
            silent = BuiltIn(lambda context: _Speaker("I can't."))
            cast = Cast({**tripbench.AGENTS, "reference": silent}, tripbench.USERS)
            patch.setattr(tripbench, "CAST", cast)
        setup = Setup(agent="reference", options=options)
        session = create_session(task=task, world=world, setup=setup, run=run, trial_id=trial, start=False)
        advance(session.pk, budget_s=None, paced=False)
    patch.undo()
    return run
