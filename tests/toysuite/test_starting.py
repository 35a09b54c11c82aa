"""Forms and commands start a benchmark's sessions with those who can play it."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.suites import DEFAULT_SUITE
from tests.markup import tight
from webapp.catalogue.models import Task, World
from webapp.forms import ChoiceRefused
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup

pytestmark = pytest.mark.django_db
GAME = {"task": "toy-3", "world": "starter", "seed": "0", "protocol": "published", "mode": "world"}


def test_the_form_offers_its_players_and_starts_a_game(client: Client) -> None:
    page = tight(client.post("/sessions/new/", {**GAME, "look": "1"}).content.decode())
    assert 'value="asker"' in page and 'value="knower"' in page and 'id="id_seat_0"' in page
    assert 'value="reference"' not in page and 'value="scripted"' not in page
    client.post("/sessions/new/", {**GAME, "agent": "asker", "users": "knower"})
    started = Session.objects.latest("created_at")
    assert (started.suite, started.agent, started.users) == ("toy", "asker", "knower")


def test_a_command_plays_a_game(session: Session) -> None:
    told = StringIO()
    given = ("run_session", "toy-3", "--world", "starter", "--users", "knower")
    call_command(*given, "--agent", "asker", stdout=told)
    assert "number_found" in told.getvalue() and "Questions 3" in told.getvalue()
    with pytest.raises(
        CommandError, match="--agent: There is no agent “reference” for this task; there are: asker"
    ):
        call_command(*given, "--agent", "reference")


def test_commands_and_services_begin_with_its_first_players(session: Session, starter_world: World) -> None:
    call_command("run_session", "toy-3", "--world", "starter", stdout=StringIO())
    call_command("run", "games", "--tasks", "toy-3", "--world", "starter", "--enqueue", stdout=StringIO())
    create_run(name="more", tasks=[session.task], world=starter_world, setup=Setup(), start=False)
    played = Session.objects.exclude(pk=session.pk).values_list("agent", "users")
    assert list(played) == [("asker", "knower")] * 3
    assert {(run.setup["agent"], run.setup["users"]) for run in Run.objects.all()} == {("asker", "knower")}
    given = ("run_session", "toy-3", "--world", "starter")
    with pytest.raises(
        CommandError, match=r"--users: there is no traveller .*; there are: knower, person, inbox"
    ):
        call_command(*given, "--users", "scripted")
    with pytest.raises(CommandError, match=r"--agent: There is no agent .*: asker, .*, person, inbox"):
        call_command(*given, "--agent", "reference")


@pytest.mark.usefixtures("starter_tasks")
def test_a_run_has_tasks_of_one_benchmark(session: Session, starter_world: World) -> None:
    players = Setup(agent="asker", users="knower")
    both = [session.task, *Task.objects.filter(task_id="starter_01")]
    with pytest.raises(ChoiceRefused, match="several benchmarks"):
        create_run(name="both", tasks=both, world=starter_world, setup=players)
    run = create_run(name="games", tasks=[session.task], world=starter_world, setup=players, trials=2)
    assert {game.suite for game in run.sessions.all()} == {"toy"}


def test_its_task_is_listed(client: Client) -> None:
    page = tight(client.get("/tasks/?find=TOY").content.decode())
    assert "toy-3" in page and "None" not in page and "starter_01" not in page


@pytest.mark.usefixtures("starter_tasks")
def test_lists_filter_by_benchmark_and_by_its_own_facets(client: Client) -> None:
    Task.objects.exclude(suite__in=["toy", DEFAULT_SUITE]).delete()  # so that one page holds all

    def shown_tasks(query: str) -> tuple[bool, bool]:
        page = tight(client.get(f"/tasks/?{query}").content.decode())
        offered = "Length" in page and "up to five questions" in page
        assert offered == (query != "suite=grouptravel") and "GroupTravelBench" in page
        return "toy-3<" in page, "starter_01<" in page

    assert shown_tasks("") == (True, True)
    assert shown_tasks("suite=toy") == (True, False) and shown_tasks("suite=grouptravel") == (False, True)
    assert shown_tasks("toy-length=short") == (True, False) and shown_tasks("toy-length=long") == (
        False,
        False,
    )
    assert shown_tasks("suite=grouptravel&toy-length=short") == (False, False)
    assert shown_tasks("suite=chess&toy-length=odd") == (True, True)
