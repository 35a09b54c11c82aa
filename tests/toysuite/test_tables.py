"""A benchmark's sessions and runs stand in lists, comparisons and files with its own metrics."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from tests.markup import tight
from webapp.catalogue.models import Task, World
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance

pytestmark = pytest.mark.django_db


def run_of(session: Session, name: str) -> Run:
    """Two trials of the game, played to their ends."""
    players = Setup(agent="asker", users="knower")
    run = create_run(
        name=name, tasks=[session.task], world=session.world, setup=players, trials=2, start=False
    )
    for game in run.sessions.all():
        advance(game.pk, budget_s=None, paced=False)
    return run


def rows_of(client: Client, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(client.get(address).content.decode())))


def test_a_run_shows_its_metrics_and_its_files_hold_them(client: Client, session: Session) -> None:
    run = run_of(session, "games")
    assert run.suite == "toy"
    page = tight(client.get(run.get_absolute_url()).content.decode())
    assert 'title="questions asked">Questions</th>' in page and 'title="fewest questions">Best</th>' in page
    assert 'title="manners">Manners</th>' in page and ">GU</th>" not in page
    rows = rows_of(client, f"/runs/{run.pk}/sessions.csv")
    assert [row["questions"] for row in rows] == ["3", "3"] and "gu" not in rows[0]


def test_runs_are_compared_by_their_own_metrics(client: Client, session: Session) -> None:
    ids = ",".join(run_of(session, name).pk for name in ("one", "two"))
    page = tight(client.get(f"/runs/compare/?runs={ids}").content.decode())
    assert ">Best</th>" in page and ">GU</th>" not in page and "Left out" not in page
    rows = rows_of(client, f"/runs/compare.csv?runs={ids}")
    assert [(row["questions"], row["best"]) for row in rows] == [("3.0", "3.0")] * 2
    assert (rows[1]["common_tasks"], rows[1]["best_change"]) == ("1", "0.0")


@pytest.mark.usefixtures("starter_tasks")
def test_lists_that_mix_benchmarks_have_the_columns_of_each(
    client: Client, session: Session, starter_world: World
) -> None:
    game = run_of(session, "games")
    trip = create_run(
        name="trips",
        tasks=[Task.objects.get(task_id="starter_01")],
        world=starter_world,
        setup=Setup(),
        start=False,
    )
    page = tight(client.get("/runs/").content.decode())
    assert ">Questions</a></th>" in page and ">GU</a></th>" in page
    compared = tight(client.get(f"/runs/compare/?runs={game.pk},{trip.pk}").content.decode())
    assert "Left out" in compared and f">{trip.name}</a>" in compared and ">GU</th>" not in compared
    create_session(task=trip.sessions.get().task, world=starter_world, setup=Setup(), start=False)
    listed = tight(client.get("/sessions/").content.decode())
    assert ">Questions</a></th>" in listed and ">GU</a></th>" in listed
    best = tight(client.get("/sessions/?order=questions").content.decode())
    assert best.index(session.pk) < best.index(trip.sessions.get().pk)


@pytest.mark.django_db(transaction=True)
def test_the_command_tells_its_figures(session: Session) -> None:
    said = StringIO()
    players = ("--agent", "asker", "--users", "knower")
    call_command("run", "games", "--tasks", "toy-3", "--world", "starter", *players, stdout=said)
    assert "Questions" in said.getvalue() and "Best" in said.getvalue() and "GU" not in said.getvalue()
