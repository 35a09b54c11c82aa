"""A run whose seats programs take names them, with their versions, where others name models."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchmark.core.participant import INBOX
from tests.markup import text, words_of
from webapp.catalogue.models import Task, World
from webapp.people.invitations import invite, take
from webapp.people.templatetags.programs import programs_of_runs, programs_of_sessions
from webapp.reports.leaderboard import conditions_in_words
from webapp.runs.cast import cast_of
from webapp.runs.selectors import outcomes
from webapp.runs.services import create_run
from webapp.runs.tables import sessions_csv
from webapp.runs.verdicts import judging_of
from webapp.seats.models import Role
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup

pytestmark = pytest.mark.django_db


def run_of(tasks: Sequence[Task], world: World, role: Role, **setup: str) -> Run:
    """Each session with another version of one program in the seats of this role."""
    made = create_run(name="own", tasks=tasks, world=world, setup=Setup(**setup), trials=1, start=False)
    for number, session in enumerate(made.sessions.order_by("task__task_id")):
        for seat in session.seats.filter(role=role):
            take(seat=seat, invitation=invite(seat=seat), program="robot", version=f"1.{number}")
    return made


def lines(run: Run) -> list[dict[str, str]]:
    """Of its file, in the order of its tasks."""
    sessions = run.sessions.select_related("task").order_by("task__task_id")
    return list(
        csv.DictReader(StringIO(sessions_csv(run, sessions, judging_of([run], outcomes([run], uses=False)))))
    )


def test_the_agent_of_a_run(starter_tasks: list[Task], starter_world: World) -> None:
    run = run_of(starter_tasks[:2], starter_world, Role.AGENT, agent=INBOX)
    cast = cast_of(run)
    assert (cast["agent"], cast["agent_model"], cast["user_model"]) == (INBOX, "robot 1.0, robot 1.1", "")
    assert [(line["agent"], line["agent_model"]) for line in lines(run)] == [
        (INBOX, "robot 1.0"),
        (INBOX, "robot 1.1"),
    ]


def test_the_travellers_of_a_run(starter_tasks: list[Task], starter_world: World) -> None:
    run = run_of(starter_tasks[:1], starter_world, Role.TRAVELLER, users=INBOX)
    assert (cast_of(run)["agent_model"], cast_of(run)["user_model"]) == ("", "robot 1.0")
    assert lines(run)[0]["user_model"] == "robot 1.0"
    # runs are ranked together where travellers are alike
    assert "inbox · robot 1.0" in conditions_in_words([run])[run.pk]


def test_compared_runs_name_their_programs(
    starter_tasks: list[Task], starter_world: World, as_researcher: Client
) -> None:
    run = run_of(starter_tasks[:1], starter_world, Role.AGENT, agent=INBOX)
    other = create_run(
        name="other", tasks=starter_tasks[:1], world=starter_world, setup=Setup(), trials=1, start=False
    )
    page = text(as_researcher.get(f"/runs/compare/?runs={run.pk},{other.pk}"))
    assert page.count("inbox · robot 1.0") == 1


@pytest.mark.parametrize("role", [Role.AGENT, Role.TRAVELLER])
def test_lists_name_programs(
    starter_tasks: list[Task], starter_world: World, as_researcher: Client, role: Role
) -> None:
    field = "agent" if role == Role.AGENT else "users"
    run = run_of(starter_tasks[:2], starter_world, role, **{field: INBOX})
    create_run(
        name="other", tasks=starter_tasks[:1], world=starter_world, setup=Setup(), trials=1, start=False
    )
    sessions = words_of(text(as_researcher.get("/sessions/")))
    assert (sessions.count("inbox · robot 1.0"), sessions.count("inbox · robot 1.1")) == (1, 1)
    assert "inbox · robot 1.0, robot 1.1" in words_of(text(as_researcher.get("/runs/")))
    assert f"inbox {field} (robot 1.0, robot 1.1)" in text(as_researcher.get(run.get_absolute_url()))
    session = run.sessions.get(task=starter_tasks[1])
    assert f"inbox {field} (robot 1.1)" in text(as_researcher.get(session.get_absolute_url()))
    of_task = text(as_researcher.get(starter_tasks[0].get_absolute_url()))
    assert (of_task.count("inbox · robot 1.0"), of_task.count("robot 1.1")) == (1, 0)


def test_lists_ask_for_all_programs_at_once(
    starter_tasks: list[Task], starter_world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    run = run_of(starter_tasks[:3], starter_world, Role.AGENT, agent=INBOX)
    sessions = list(run.sessions.all())
    with django_assert_num_queries(1):
        assert len(programs_of_sessions(sessions)) == 3
    with django_assert_num_queries(1):
        assert programs_of_runs([run])[run.pk] == {"agent": "robot 1.0, robot 1.1, robot 1.2"}
    Session.objects.update(agent="reference")
    others = list(run.sessions.all())
    with django_assert_num_queries(0):
        assert programs_of_sessions(others) == {}
