"""Starting a run."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from webapp.catalogue.models import Task, TaskCollection, World
from webapp.endpoints.services import create_endpoint
from webapp.sessions.models import Run, Session

pytestmark = pytest.mark.django_db

FORM_FIELDS = {
    "name": "offline",
    "collection": "starter",
    "difficulty": "easy",
    "tasks": "",
    "trials": "3",
    "seed": "5",
    "world": "starter",
    "agent": "reference",
    "users": "scripted",
    "protocol": "published",
}


@pytest.fixture(autouse=True)
def ready(starter_world: World, starter_tasks: list[Task]) -> None:
    """The starter world and tasks are there."""


def post(client: Client, **changed: str) -> str:
    return unescape(client.post("/runs/new/", {**FORM_FIELDS, **changed}).content.decode())


def test_a_form_filled_in_starts_a_run(as_researcher: Client) -> None:
    response = as_researcher.post("/runs/new/", FORM_FIELDS)
    run = Run.objects.get()
    assert response["Location"] == f"/runs/{run.pk}/"
    assert (run.name, run.seed, run.trials) == ("offline", 5, 3)
    assert run.created_by is not None and run.created_by.username == "researcher"
    easy = Task.objects.filter(difficulty="easy")
    assert {s.task_id for s in Session.objects.all()} == {task.pk for task in easy}
    assert Session.objects.filter(run=run).count() == 3 * easy.count()


def test_pasted_ids_are_a_run_of_their_own_each_once(as_researcher: Client) -> None:
    post(as_researcher, collection="", difficulty="", tasks=" starter_09\r\n\r\nstarter_02\nstarter_09 ")
    sessions = Session.objects.filter(trial_id=0).order_by("created_at")
    assert [s.task.task_id for s in sessions] == ["starter_09", "starter_02"]


def test_ids_may_stand_on_one_line_and_hold_blanks_themselves(as_researcher: Client) -> None:
    Task.objects.filter(task_id="starter_03").update(task_id="my task, 3")
    post(as_researcher, collection="", difficulty="", tasks="starter_01, starter_02 starter_01\nmy task, 3")
    assert set(Session.objects.values_list("task__task_id", flat=True)) == {
        *("starter_01", "starter_02", "my task, 3")
    }
    mixed = post(as_researcher, collection="", difficulty="", tasks="starter_01 nope_1")
    assert "1 id belongs to no task here: nope_1" in mixed


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"tasks": "starter_01"}, "not both"),
        ({"collection": "", "difficulty": ""}, "Choose a collection or a difficulty, or paste ids."),
        (
            {"collection": "", "difficulty": "", "tasks": "starter_01\nnone\nnil"},
            "2 ids belong to no task here: none, nil",
        ),
        (
            {"collection": "", "difficulty": "", "tasks": "x" * 900},
            f"1 id belongs to no task here: {'x' * 60}…<",
        ),
        ({"collection": "elsewhere"}, "not one of the available choices"),
        ({"name": ""}, "This field is required"),
        ({"trials": "0"}, "greater than or equal to 1"),
        ({"trials": "101"}, "less than or equal to 100"),
        ({"seed": "2147483647"}, "seeds of all trials"),
        ({"seed": "-1"}, "greater than or equal to 0"),
        ({"world": "nowhere"}, "not one of the available choices"),
        ({"mode": "isolated"}, "This mode needs a cache"),
        ({"tasks": "a\x00b"}, "Null characters are not allowed"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_starts(
    as_researcher: Client, changed: dict[str, str], words: str
) -> None:
    assert words in post(as_researcher, **changed)
    assert not Run.objects.exists() and not Session.objects.exists()


def test_a_task_that_the_world_cannot_serve_is_said_at_the_world(as_researcher: Client) -> None:
    World.objects.update(pack="gone.sqlite3")
    assert "Import it again" in post(as_researcher)
    assert not Run.objects.exists()


def test_travellers_whom_all_tasks_have_may_be_chosen_apart(as_researcher: Client) -> None:
    create_endpoint(name="gpt", base_url="http://localhost:1/v1", model="gpt-x")
    sizes = {task.task_id: task.parsed_definition.users for task in Task.objects.all()}
    small, large = min(sizes, key=lambda t: len(sizes[t])), max(sizes, key=lambda t: len(sizes[t]))
    assert "Choose a task to list its travellers here." in as_researcher.get("/runs/new/").content.decode()
    asked = {"collection": "", "difficulty": "", "tasks": f"{large} {small}", "trials": "1"}
    page = post(as_researcher, look="1", **asked)
    assert re.findall(r'name="seat_(\w+)"', page) == sizes[small]
    last = sizes[large][-1]
    assert f"The task has no seat “{last}”" in post(as_researcher, **asked, **{f"seat_{last}": "llm:gpt"})
    assert not Run.objects.exists()
    post(as_researcher, **asked, seat_User1="llm:gpt")
    assert list(Run.objects.get().setup["seats"]) == ["User1"]


def test_before_it_starts_it_says_how_many_sessions_that_is(as_researcher: Client) -> None:
    assert "No task is chosen yet." in as_researcher.get("/runs/new/").content.decode()
    assert "15 tasks × 1 = 15 sessions" in as_researcher.get("/runs/new/?collection=starter").content.decode()
    looked = post(
        as_researcher, look="1", collection="", difficulty="", tasks="starter_01\nnone", name="kept"
    )
    assert "1 task × 3 = 3 sessions" in looked
    assert "1 id belongs to no task here: none" in looked
    assert 'value="kept"' in looked and "starter_01\nnone</textarea>" in looked
    assert not Run.objects.exists()


def test_looking_at_nonsense_breaks_nothing(as_researcher: Client) -> None:
    for changed in (
        {"trials": "x"},
        {"tasks": "\x00"},
        {"collection": "\x00"},
        {"difficulty": "x"},
        {"trials": "9" * 40},
    ):
        assert as_researcher.post("/runs/new/", {**FORM_FIELDS, **changed, "look": "1"}).status_code == 200, (
            changed
        )


def test_a_run_takes_the_world_its_tasks_were_made_for(as_researcher: Client) -> None:
    as_researcher.post("/runs/new/", {**FORM_FIELDS, "world": ""})
    assert Run.objects.get().setup["world"] == "starter"
    TaskCollection.objects.update(world=None)
    page = post(as_researcher, world="")
    assert "The tasks of “starter” name no world: choose one." in page and "Choose a world." in page
    assert Run.objects.count() == 1


def test_too_many_tasks_are_refused_before_they_are_read(
    as_researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.runs.services.MAX_SESSIONS", 2)
    monkeypatch.setattr(
        "webapp.runs.choosing.ChosenTasks.in_order", lambda self: pytest.fail("they were read")
    )
    assert "2 are allowed. Split the run." in post(as_researcher, tasks="", collection="starter")
