"""Starting and controlling runs, by the rules of the form and of the page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.webapp.api.conftest import Program, check_refusal
from webapp.accounts.models import Role, User
from webapp.accounts.tokens import SCOPES, issue_token
from webapp.api import control
from webapp.api.models import RunRequest
from webapp.api.once import KEY_HEADER, REPEATED_HEADER
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.services import create_endpoint
from webapp.sessions.models import ModelSpending, Run, Session

pytestmark = pytest.mark.django_db
NEW_RUN: dict[str, Any] = {"name": "offline", "tasks": ["starter_01", "starter_en_01"], "trials": 2}


@pytest.fixture(autouse=True)
def ready(starter_world: World, starter_tasks: list[Task]) -> None:
    """The starter world and tasks are there."""


def test_a_run_starts_with_what_the_form_suggests(program: Program) -> None:
    response = program.post("runs", NEW_RUN)
    assert response.status_code == 201, response.content
    told, run = response.json(), Run.objects.get()
    assert response["Location"] == f"/api/v1/runs/{run.pk}"
    assert (told["id"], told["state"], told["sessions"], told["agent"]) == (run.pk, "going", 4, "reference")
    assert run.created_by is not None and run.created_by.username == "researcher"
    assert run.setup["world"] == "starter" and run.pause_after == 20


def test_it_is_the_run_of_the_form(program: Program, as_researcher: Client) -> None:
    fields = {
        "name": "same",
        "collection": "starter",
        "difficulty": "easy",
        "tasks": "",
        "trials": "1",
        "seed": "5",
    }
    chosen = {"world": "starter", "agent": "reference", "users": "scripted", "protocol": "paper"}
    as_researcher.post("/runs/new/", {**fields, **chosen})
    options = {"protocol": chosen.pop("protocol")}
    asked = {
        "name": "same",
        "collection": "starter",
        "difficulty": "easy",
        "seed": 5,
        **chosen,
        "options": options,
    }
    assert program.post("runs", asked).status_code == 201
    first, second = Run.objects.order_by("created_at")
    assert first.setup == second.setup and first.setup["options"]["protocol"] == "paper"
    names = ("suite", "seed", "trials", "at_once", "budget", "pause_after")
    assert [getattr(first, name) for name in names] == [getattr(second, name) for name in names]
    tasks = [list(run.sessions.order_by("task").values_list("task", flat=True)) for run in (first, second)]
    assert tasks[0] == tasks[1]


@pytest.mark.parametrize(
    ("change", "where", "words"),
    [
        ({"tasks": ["nothing"]}, "tasks", "nothing"),
        ({"tasks": []}, "tasks", "Choose"),
        ({"agent": "nobody"}, "agent", "nobody"),
        ({"agent": "llm"}, "agent_model", "model"),
        ({"agent": "llm", "agent_model": "none"}, "agent_model", "no such model"),
        ({"world": "elsewhere"}, "world", ""),
        ({"options": {"colour": "red"}}, "options.colour", "protocol"),
        ({"options": {"protocol": "red"}}, "options.protocol", ""),
        ({"seats": {"User9": "scripted"}}, "seats.User9", ""),
        ({"trials": 4000}, "trials", ""),
        ({"at_once": 0}, "at_once", ""),
        ({"budget": 5, "budget_unit": "XYZ"}, "budget_unit", ""),
        ({"mode": "nowhere"}, "mode", ""),
        ({"name": ""}, "name", ""),
        ({"speed": 3}, "speed", ""),
    ],
)
def test_what_the_form_refuses_is_refused_by_field(
    change: dict[str, Any], where: str, words: str, program: Program
) -> None:
    response = program.post("runs", NEW_RUN | change)
    told = response.json()
    assert response.status_code == 422, told
    assert where in [problem["where"] for problem in told["problems"]], told
    assert words in str(told) and not Run.objects.exists() and not Session.objects.exists()


def test_models_are_named_and_never_their_keys(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_TEST", "sk-very-secret")
    create_endpoint(name="first", base_url="http://127.0.0.1:9/v1", model="m")
    ModelEndpoint.objects.update(key_variable="SECRET_OF_TEST")
    response = program.post("runs", NEW_RUN | {"agent": "llm", "agent_model": "first"})
    assert response.status_code == 201, response.content
    told = str(
        [response.json(), program.lines("sessions"), program.get(f"sessions/{Session.objects.first().pk}")]
    )
    assert "'model': 'first'" in told
    assert not any(secret in told for secret in ("127.0.0.1:9", "SECRET_OF_TEST", "sk-very-secret"))


def test_a_run_is_paused_resumed_and_cancelled(program: Program) -> None:
    pk = program.post("runs", NEW_RUN).json()["id"]
    for act, state in (("pause", "paused"), ("pause", "paused"), ("resume", "going"), ("cancel", "stopping")):
        response = program.post(f"runs/{pk}/{act}")
        assert response.status_code == 200, response.content
        assert response.json()["state"] == state
    check_refusal(program.post("runs/none/pause"), 404, "unknown")
    assert program.post(f"runs/{pk}/explode").status_code == 422


def test_a_run_without_budget_left_is_not_resumed(program: Program) -> None:
    pk = program.post("runs", NEW_RUN | {"budget": 10}).json()["id"]
    session = Session.objects.filter(run=pk).first()
    assert session is not None
    ModelSpending.objects.create(session=session, run_id=pk, tokens=50, requests=1)
    program.post(f"runs/{pk}/pause")
    told = check_refusal(program.post(f"runs/{pk}/resume"), 409, "refused", "Raise it first")
    assert told["problems"][0]["where"] == "budget"


def test_the_same_key_starts_one_run(program: Program) -> None:
    first = program.post("runs", NEW_RUN, **{KEY_HEADER: "one"})
    run = Run.objects.get()
    run.sessions.filter(trial_id=1).update(status="running")
    again = program.post("runs", dict(reversed(NEW_RUN.items())), **{KEY_HEADER: "one"})
    assert (again.status_code, again.content, again["Location"]) == (201, first.content, first["Location"])
    assert again[REPEATED_HEADER] == "true" and REPEATED_HEADER not in first and Run.objects.count() == 1
    told = check_refusal(program.post("runs", NEW_RUN | {"seed": 7}, **{KEY_HEADER: "one"}), 422, "reused")
    assert told["problems"][0]["where"] == KEY_HEADER and Run.objects.count() == 1
    assert program.post("runs", NEW_RUN, **{KEY_HEADER: "two"}).status_code == 201
    someone = User.objects.create_user("someone", role=Role.RESEARCHER)
    other = Program(issue_token(user=someone, name="other", scopes=SCOPES)[1])
    assert REPEATED_HEADER not in other.post("runs", NEW_RUN, **{KEY_HEADER: "one"})
    assert Run.objects.count() == 3


def test_a_key_is_kept_for_a_day_and_only_of_what_was_stored(program: Program) -> None:
    check_refusal(program.post("runs", NEW_RUN | {"agent": "nobody"}, **{KEY_HEADER: "one"}), 422, "refused")
    assert program.post("runs", NEW_RUN, **{KEY_HEADER: "one"}).status_code == 201
    RunRequest.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert REPEATED_HEADER not in program.post("runs", NEW_RUN, **{KEY_HEADER: "one"})
    for unfit in ("x" * 201, "schlüssel", "a\tb"):
        check_refusal(program.post("runs", NEW_RUN, **{KEY_HEADER: unfit}), 422, "unfit", KEY_HEADER)
    assert Run.objects.count() == 2 and RunRequest.objects.count() == 1


def test_two_requests_at_once_with_one_key_start_one_run(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, answers = control.start_run, []

    def start_late(*given: Any) -> Run:
        monkeypatch.setattr(control, "start_run", start)
        answers.append(program.post("runs", NEW_RUN, **{KEY_HEADER: "one"}).content)
        return start(*given)

    monkeypatch.setattr(control, "start_run", start_late)
    late = program.post("runs", NEW_RUN, **{KEY_HEADER: "one"})
    assert (late.status_code, [late.content]) == (201, answers) and Run.objects.count() == 1


def test_who_lost_the_answer_hears_what_became_of_the_run(program: Program) -> None:
    program.post("runs", NEW_RUN, **{KEY_HEADER: "one"})
    RunRequest.objects.update(answer="")  # the server ended before it was told
    told = program.post("runs", NEW_RUN, **{KEY_HEADER: "one"}).json()
    assert (told["id"], told["sessions"]) == (Run.objects.get().pk, 4)
    RunRequest.objects.update(run=None)
    check_refusal(program.post("runs", NEW_RUN, **{KEY_HEADER: "one"}), 404, "unknown", "deleted")
