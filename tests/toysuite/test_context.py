"""What the seats and the rules of a benchmark are given of a session's setting."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmark.core.actions import Say
from benchmark.core.events import EventBody
from benchmark.core.participant import BuiltIn, Cast, SeatContext
from benchmark.core.setting import Check, Setting
from benchmark.core.view import AGENT
from benchmark.plans.view import Findings, Mark
from tests.toysuite.events import PLAYER
from tests.toysuite.players import Asker, Knower
from tests.toysuite.rules import RULES, ToyState, events_of_saying
from tests.toysuite.suite import SUITE, ToyTask
from tests.toysuite.tools import COUNTING
from webapp.catalogue.models import Task, World
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance


def check_for(setting: Setting[ToyTask, None], seat: str) -> Check | None:
    """The rules and the agent may check; the other player may not."""
    if seat == PLAYER:
        return None
    return lambda plan: Findings((Mark((), seat or "rules", {"number": setting.task.number}),))


@pytest.fixture
def contexts(tmp_path: Path, starter_world: World, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The contexts of the seats of a played session by seat, and under "" what the rules found in a plan."""
    given: dict[str, Any] = {}

    def keep(occupant: Callable[[], Any]) -> BuiltIn:
        def make(context: SeatContext) -> Any:
            given[context.seat] = context
            return occupant()

        return BuiltIn(make)

    def utterance_events(state: ToyState, action: Say, check: Check | None) -> list[EventBody]:
        given[""] = check and check({})
        return events_of_saying(state, action)

    play = replace(
        SUITE.play,
        cast=lambda: Cast(agents={"asker": keep(Asker)}, users={"knower": keep(Knower)}),
        rules=replace(RULES, utterance_events=utterance_events),
        seat_knowledge=lambda setting, seat: setting.task.number if seat == PLAYER else None,
        critic=check_for,
    )
    monkeypatch.setattr("tests.toysuite.suite.SUITE", replace(SUITE, play=play))
    file = tmp_path / "toys.jsonl"
    file.write_text(json.dumps({"task_id": "toy-2", "number": 2}))
    call_command("import_tasks", file, "--suite", "toy")
    task = Task.objects.get(task_id="toy-2")
    setup = Setup(agent="asker", users="knower", seed=7)
    session = create_session(task=task, world=starter_world, setup=setup, start=False)
    advance(session.pk, budget_s=None, paced=False)
    assert Session.objects.get(pk=session.pk).status == "finished"
    return given


@pytest.mark.django_db
def test_a_seat_knows_what_its_benchmark_lets_it_know(contexts: dict[str, Any]) -> None:
    agent, player = contexts[AGENT], contexts[PLAYER]
    assert (agent.task, player.task) == (None, 2)
    assert (agent.seed, agent.language, agent.tools) == (7, "en", COUNTING)
    assert agent.pack.name == player.pack.name


@pytest.mark.django_db
def test_only_who_may_check_a_plan_is_given_its_check(contexts: dict[str, Any]) -> None:
    assert contexts[AGENT].check({}).marks == (Mark((), AGENT, {"number": 2}),)
    assert contexts[PLAYER].check is None
    assert contexts[""].marks == (Mark((), "rules", {"number": 2}),)
