"""What only groups have is not shown of requests: plans, contracts, conflicts, and figures that a task can't have."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import translation

from benchmark.core.events import TurnGranted
from benchmark.suites.travelbench.events import USER
from tests.markup import text
from tests.seating import endpoint_at
from tests.webapp.suites.travelbench.conftest import Play
from webapp.catalogue.models import Task, World
from webapp.runs.figures import compared_metrics
from webapp.runs.services import create_run
from webapp.runs.wording import of_page
from webapp.sessions.models import Session
from webapp.sessions.services import Setup
from webapp.suites.travelbench.wording.intents import intent_words
from webapp.suites.travelbench.wording.turns import section, standing, turn_words
from worker.sessions import advance

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]
SUBTASKS = ("single", "multi", "unsolved")


def test_nobody_counts_plans_that_nobody_asks_for() -> None:
    for suite, counted in (("grouptravel", True), ("travelbench", False)):
        for metrics in (compared_metrics(suite), of_page(suite)):
            assert ("plans" in [metric.key for metric in metrics]) == counted


def test_a_session_shows_the_figures_that_its_task_can_have(
    as_researcher: Client, shipped_tasks: dict[str, Task], play: Play
) -> None:
    named = {
        "unsolvable tasks recognised": ("unsolved",),
        "turns of the agent, multi-turn": ("multi",),
        "steps of the model, single-turn": ("single",),
        "tool errors, %": SUBTASKS,
        "judge (no model)": ("single", "multi"),
    }
    for subtask in SUBTASKS:
        session = play(shipped_tasks[f"travelbench-{subtask}-starter-3"])
        page = text(as_researcher.get(f"/sessions/{session.pk}/?tab=scores"))
        assert {name for name, having in named.items() if subtask in having} == {
            name for name in named if name in page
        }


def test_pages_of_a_run_say_nothing_of_contracts_groups_and_difficulties(
    as_researcher: Client, shipped_tasks: dict[str, Task], starter_world: World
) -> None:
    model = endpoint_at("http://127.0.0.1:9/v1", "nobody")
    setup = Setup(users="llm", user_model=model)
    run = create_run(
        name="r",
        tasks=[shipped_tasks["travelbench-single-starter-3"]],
        world=starter_world,
        setup=setup,
        start=False,
    )
    advance(run.sessions.get().pk, budget_s=None, paced=False)
    pages = text(as_researcher.get(f"/runs/{run.pk}/")) + text(
        as_researcher.get(f"/sessions/{run.sessions.get().pk}/")
    )
    assert "contract" not in pages and "leaves, group" not in pages and "plans %" not in pages
    assert "contract" not in text(as_researcher.get(f"/runs/compare/?runs={run.pk}"))


def test_the_table_of_tasks_shows_and_filters_by_what_they_have(
    as_researcher: Client, shipped_tasks: dict[str, Task], starter_tasks: list[Task]
) -> None:
    of_groups, of_requests = ('name="conflicts"', ">conflicts<"), ('name="travelbench-subtask"',)
    both = text(as_researcher.get("/tasks/"))
    assert all(words in both for words in (*of_groups, *of_requests))
    for chosen in ("?suite=travelbench", "?travelbench-subtask=multi", "?collection=starter-travelbench"):
        page = text(as_researcher.get(f"/tasks/{chosen}"))
        assert not any(words in page for words in of_groups) and of_requests[0] in page
    page = text(as_researcher.get("/tasks/?suite=grouptravel"))
    assert all(words in page for words in of_groups) and of_requests[0] not in page
    asked = text(as_researcher.get("/tasks/?suite=travelbench&conflicts=yes"))
    assert 'name="conflicts"' in asked, "what is set can be unset"


def test_compared_runs_begin_with_a_figure_that_tasks_have(
    as_researcher: Client, shipped_tasks: dict[str, Task], starter_world: World
) -> None:
    tasks = [shipped_tasks[f"travelbench-{name}-starter-3"] for name in SUBTASKS]
    runs = [
        create_run(name=name, tasks=tasks, world=starter_world, setup=Setup(), start=False) for name in "ab"
    ]
    for session in Session.objects.all():
        advance(session.pk, budget_s=None, paced=False)
    page = text(as_researcher.get(f"/runs/compare/?runs={runs[0].pk},{runs[1].pk}"))
    assert '<option value="unsolved" selected>' in page
    assert '<option value="subtask" selected>' in page and 'value="size"' not in page
    assert "without a plan" not in page
    assert "A session that crashed counts as one without an answer" in page
    board = text(as_researcher.get("/reports/leaderboard/?collection=starter-travelbench&figure=unsolved"))
    assert "has 3 of 45 tasks" in board


@pytest.mark.parametrize("path", ["/sessions/new/", "/runs/new/"])
def test_the_forms_that_start_something_speak_of_the_user(
    as_researcher: Client, shipped_tasks: dict[str, Task], starter_tasks: list[Task], path: str
) -> None:
    def look(task: str) -> str:
        return text(as_researcher.post(path, {"look": "1", "task": task, "tasks": task, "users": "llm"}))

    page = look("travelbench-multi-starter-3").split("<main")[1]
    assert ">User</label>" in page and "User's model</label>" in page
    assert "Choose the user's seat" in page and "as above" in page
    assert "raveller" not in page.split('id="at-world"')[0].split('id="at-agent"')[-1]
    assert ">Travellers</label>" in look("starter_01")


def test_tasks_without_a_user_say_so(as_researcher: Client, shipped_tasks: dict[str, Task]) -> None:
    sent = {"task": "travelbench-single-starter-3", "world": "starter", "agent": "reference"}
    sent |= {"users": "scripted", "seed": "1", "protocol": "published"}
    look = text(as_researcher.post("/sessions/new/", {**sent, "look": "1"}))
    assert "A user speaks in multi-turn tasks only" in look and "no traveller" not in look
    refused = text(as_researcher.post("/sessions/new/", {**sent, "seat_User": "person"}))
    assert "The task has no seat “User”: its agent works alone." in refused


def test_a_fork_speaks_of_the_user(as_researcher: Client, shipped_tasks: dict[str, Task], play: Play) -> None:
    session = play(shipped_tasks["travelbench-multi-starter-3"])
    page = text(as_researcher.get(f"/sessions/{session.pk}/fork/?at=2")).split("<main")[1]
    assert ">User</label>" in page and "raveller" not in page


def test_turns_are_numbered_as_records_number_them() -> None:
    agent, user = (TurnGranted(speaker=who, kind="x", round=1) for who in ("Agent", USER))
    assert (section(agent), section(user)) == (("2", "2"), ("1", "1"))
    assert (turn_words(agent), turn_words(user)) == ("turn 2, to Agent", "to User")
    multi = SimpleNamespace(turn=agent, opening=SimpleNamespace(subtask="multi"))
    single = SimpleNamespace(turn=agent, opening=SimpleNamespace(subtask="single"))
    assert standing(multi) == "Turn 2 of 10 · waiting for Agent"  # type: ignore[arg-type]
    assert standing(single) == "Waiting for Agent"  # type: ignore[arg-type]


def test_intents_are_told_in_words() -> None:
    assert intent_words("discovery.poi_search.unheard_of") == ["discovery", "place search", "unheard of"]
    with translation.override("zh-hans"):
        assert intent_words("discovery") == ["发现"]
