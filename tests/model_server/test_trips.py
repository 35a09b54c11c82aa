"""TripScore's agents over models of the server, and the plans that they give."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from benchmark.core.engine import Conversation, run
from benchmark.core.participant import OverModel, SeatContext
from benchmark.core.view import AGENT
from benchmark.suites.tripscore.conversation import RULES, opening_step
from benchmark.suites.tripscore.participants import AGENTS
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import Score, score_plan
from benchmark.suites.tripscore.tasks import STARTER, TASK_FILES, Task
from tests.model_server import ModelServer
from tests.model_server.playing import HttpModel


def tasks(language: str, number: int) -> list[Task]:
    with STARTER[0].open("rb") as file:
        every = (read.task for read in TASK_FILES.lines(file))
        return list(islice((task for task in every if task.language == language), number))


def played_score(server: ModelServer, task: Task, model: str, agent: str = "direct") -> Score:
    kind = AGENTS[agent]
    assert isinstance(kind, OverModel)
    context = SeatContext(seat=AGENT, task=task, language=task.language)
    conversation = Conversation(RULES)
    conversation.append(opening_step(task))
    done = run(conversation, {AGENT: kind.make(context, HttpModel(server.url, model))}, None)
    return score_plan(done.state.plan, task, DEFAULTS, {})


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_good_agent_plans_what_is_asked(server: ModelServer, language: str) -> None:
    [task] = tasks(language, 1)
    assert played_score(server, task, "good-agent", "zero_shot_cot").feasible


def test_one_that_errs_fails_at_either_gate(server: ModelServer) -> None:
    scores = [played_score(server, task, "good-agent:plan=errs") for task in tasks("en", 8)]
    found = Counter((score.delivered, score.feasible) for score in scores)
    assert found.keys() == {(False, False), (True, False), (True, True)}
