"""The pages on which sets of tasks are made: from the form over a preview to a collection and its files."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from benchmark.remarks import Remark
from benchmark.suites.grouptravel.synthesis.validation import Fault
from benchmark.synthesis import Order
from tests.markup import text
from tests.seating import endpoint_at
from tests.webapp import test_languages as languages
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.catalogue.versions import make_task
from webapp.jobs.models import Job, Lane
from webapp.synthesis.forms import SynthesisForm
from webapp.synthesis.models import TaskSynthesis
from webapp.synthesis.services import next_number
from worker import task_making
from worker.steppers.task_sets import task_preview, task_set

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]
ADDRESS = "/tasks/synthesis/"
FAILURE = Remark(
    "slot %(slot)s (%(group)s, %(departure)s to %(cities)s, %(start)s, %(days)s days): %(why)s",
    {
        "slot": 7,
        "group": "2-1",
        "departure": "北京市",
        "cities": "成都市",
        "start": "2026-03-01",
        "days": 2,
        "why": Fault(
            "unknown",
            "User1",
            "city_specific_preferences.成都市.attractions.must_visit",
            Remark("%(item)s is not a sight of %(city)s", {"item": "天府", "city": "成都市"}),
        ).remark(),
    },
)
FORM_FIELDS = {
    "collection": "made",
    "world": "starter",
    "count": "6",
    "seed": "4",
    "language": "zh",
    "first_id": "1",
    "do": "preview",
}


@pytest.fixture(autouse=True)
def own_data(
    starter_world: World, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A data folder of this test's own, with the world in it; tasks are made in this process."""
    monkeypatch.setattr(task_making, "processors", lambda: 1)
    pack = starter_world.path
    settings.CARAVAN_DATA = tmp_path
    starter_world.path.hardlink_to(pack)


def ask(client: Client, **other: Any) -> Any:
    return client.post(ADDRESS, {**FORM_FIELDS, **other})


def ask_for_tasks(client: Client, **other: Any) -> TaskSynthesis:
    answer = ask(client, **other)
    assert answer.status_code == 302, answer.context["form"].errors
    return TaskSynthesis.objects.get(pk=answer["Location"].rstrip("/").rpartition("/")[2])


def page_text(client: Client, row: TaskSynthesis, language: str = "en") -> str:
    return text(client.get(row.get_absolute_url(), headers={"Accept-Language": language}))


def test_the_way_there_leads_from_the_tasks(as_researcher: Client) -> None:
    assert f'href="{ADDRESS}"' in as_researcher.get("/tasks/").content.decode()
    page = as_researcher.get(ADDRESS).content.decode()
    assert 'name="do" value="preview"' in page and "starter" in page


def test_a_preview_shows_tasks_whole_and_stores_none(as_researcher: Client) -> None:
    row = ask_for_tasks(as_researcher)
    assert (row.status, Job.objects.get().lane) == ("looking", Lane.SHORT)
    assert "Preview is being made" in page_text(as_researcher, row)
    assert task_preview(row.pk)
    row.refresh_from_db()
    page = page_text(as_researcher, row)
    assert "Nothing is in the catalogue yet" in page and "6 can be made" in page
    for place in row.sample["places"]:
        task = place["task"]
        assert task["task_id"] in page and task["query"] in page and task["context"] in page
        assert all(message["content"] in page for message in task["initial_messages"])
    assert page.count("Passed.") == 3 and "Difficulty score" in page and "Order of polling" in page
    assert not Task.staged_too.exists() and not TaskCollection.objects.exists()


def test_what_was_previewed_is_what_is_made(as_researcher: Client) -> None:
    row = ask_for_tasks(as_researcher)
    assert task_preview(row.pk)
    as_researcher.post(reverse("synthesis_make", args=[row.pk]))
    assert task_set(row.pk)
    row.refresh_from_db()
    made = {task.task_id: task.definition for task in TaskCollection.objects.get(name="made").tasks.all()}
    assert len(made) == 6
    for place in row.sample["places"]:
        assert made[place["task"]["task_id"]] == place["task"]


def test_a_set_is_a_collection_and_files(as_researcher: Client, starter_world: World) -> None:
    row = ask_for_tasks(as_researcher, do="make", prove="on", count="2")
    assert task_set(row.pk)
    row.refresh_from_db()
    collection = TaskCollection.objects.get(name="made")
    assert (row.status, row.done, collection.world) == ("done", 2, starter_world)
    page = page_text(as_researcher, row)
    assert "Solved by the reference planner" in page and "What failed validation" in page
    files = {}
    for what, name in (
        ("tasks", "made.jsonl"),
        ("proofs", "made.proofs.jsonl"),
        ("personas", "made.personas.jsonl"),
        ("report", "made.report.json"),
    ):
        answer = as_researcher.get(reverse("synthesis_file", args=[row.pk, what]))
        assert f'filename="{name}"' in answer["Content-Disposition"]
        files[what] = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    lines = [json.loads(line) for line in files["tasks"].splitlines()]
    assert lines == [task.definition for task in collection.tasks.order_by("position")]
    assert [json.loads(line)["task_id"] for line in files["proofs"].splitlines()] == [
        "task_000001",
        "task_000002",
    ]
    assert json.loads(files["report"])["tasks"] == 2
    assert as_researcher.get(reverse("synthesis_file", args=[row.pk, "other"])).status_code == 404
    assert as_researcher.get(f"/tasks/statistics?collection={collection.name}").status_code == 200


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"collection": ""}, "collection", "required"),
        ({"world": "far"}, "world", "Select a valid choice"),
        ({"count": "0"}, "count", "greater than or equal to 1"),
        ({"count": "20001"}, "count", "less than or equal to 20000"),
        ({"seed": "x"}, "seed", "Enter a whole number"),
        ({"language": "fr"}, "language", "Select a valid choice"),
        ({"model": "nobody"}, "model", "Select a valid choice"),
        ({"first": "2026-02-01", "last": "2026-01-01"}, "last", "comes before the first, Feb. 1, 2026"),
        ({"first": "2026-05-02"}, "last", "The last day, May 1, 2026, comes before the first"),
        ({"last": "2025-08-31"}, "last", "comes before the first, Sept. 1, 2025"),
        ({"first": "soon"}, "first", "Enter a valid date"),
        ({"first": "9999-12-31", "last": "9999-12-31"}, "first", "less than or equal to"),
        ({"last": "0001-01-01"}, "last", "greater than or equal to"),
        ({"collection": "there"}, "collection", "choose another name"),
        ({"first_id": "3"}, "first_id", "the next free number is 6"),
    ],
)
def test_a_refused_form_names_the_field_and_stores_nothing(
    as_researcher: Client, starter_tasks: list[Task], given: dict[str, str], field: str, words: str
) -> None:
    TaskCollection.objects.create(name="there")
    definition = {**starter_tasks[0].definition, "task_id": "task_000005"}
    make_task(suite="grouptravel", definition=definition, collection="own")
    answer = ask(as_researcher, **given)
    assert answer.status_code == 200 and words in str(answer.context["form"].errors[field])
    assert not TaskSynthesis.objects.exists() and not Job.objects.exists()


def test_sets_on_their_way_have_their_name_and_numbers(as_researcher: Client) -> None:
    ask_for_tasks(as_researcher, do="make", first_id="10")
    assert next_number() == 16 and SynthesisForm("grouptravel")["first_id"].value() == 16
    assert "collection" in ask(as_researcher, first_id="16").context["form"].errors
    assert "first_id" in ask(as_researcher, collection="other", first_id="15").context["form"].errors
    ask_for_tasks(as_researcher, collection="other", first_id="16")


def test_a_draft_whose_name_was_taken_meanwhile_is_not_begun(as_researcher: Client) -> None:
    row = ask_for_tasks(as_researcher)
    assert task_preview(row.pk)
    TaskCollection.objects.create(name="made")
    page = as_researcher.post(reverse("synthesis_make", args=[row.pk]), follow=True).content.decode()
    row.refresh_from_db()
    assert row.status == "draft" and "choose another name" in page


def test_a_form_begins_like_another_set(as_researcher: Client) -> None:
    row = ask_for_tasks(as_researcher, count="7", first="2026-01-01")
    page = as_researcher.get(f"{ADDRESS}?from={row.pk}").context["form"]
    assert [page[name].value() for name in ("collection", "count", "first", "prove", "world")] == [
        *("made", 7, "2026-01-01", False, "starter"),
    ]


def test_a_form_that_is_to_be_like_no_set_is_an_empty_one(as_researcher: Client) -> None:
    for name in ("none", "%00", "a" * 3000):
        assert as_researcher.get(f"{ADDRESS}?from={name}").context["form"]["seed"].value() == 1


def test_a_file_of_travellers_that_can_not_be_used_is_refused(as_researcher: Client) -> None:
    broken = SimpleUploadedFile("own.jsonl", b'{"id": 1}\n\n[1]\nno json\n')
    page = text(ask(as_researcher, do="make", travellers=broken))
    assert "own.jsonl: these profiles can't be used" in page and "line 1, " in page
    assert "line 3: must be an object" in page and "line 4: no JSON" in page
    assert not TaskSynthesis.objects.exists() and not list(TaskSynthesis(pk="x").folder.parent.iterdir())


def test_an_order_that_can_not_be_filled_is_told(
    as_researcher: Client, caplog: pytest.LogCaptureFixture
) -> None:
    row = ask_for_tasks(
        as_researcher, travellers=SimpleUploadedFile("own.jsonl", b'{"id": "a", "age": 30, "sex": "male"}\n')
    )
    row.travellers.write_text('{"id": 1}\n')  # changed since
    assert task_preview(row.pk)
    row.refresh_from_db()
    assert row.status == "draft" and "line 1" in row.problem
    assert str(row.folder.parent) not in row.problem and "travellers.jsonl: " in row.problem
    assert "line 1" in page_text(as_researcher, row) and not caplog.records


def test_own_travellers_are_taken(as_researcher: Client) -> None:
    from benchmark.suites.grouptravel.synthesis.profiles import pool

    lines = "\n".join(one.model_dump_json() for one in pool()[:600])
    row = ask_for_tasks(as_researcher, travellers=SimpleUploadedFile("own.jsonl", lines.encode()), count="2")
    order = row.make_order()
    assert order.profiles is not None and order.profiles.read_text() == lines
    assert task_preview(row.pk)
    row.refresh_from_db()
    assert row.problem == "" and "--profiles TRAVELLERS.jsonl" in page_text(as_researcher, row)


def test_the_command_that_makes_the_same_is_told(as_researcher: Client) -> None:
    row = ask_for_tasks(as_researcher, first="2026-01-01", language="en", first_id="7")
    expected = (
        "manage.py synthesize --world starter --count 6 --seed 4 --language en --first 2026-01-01 --first-id 7 "
        "--no-proofs --out TASKS.jsonl"
    )
    assert expected in page_text(as_researcher, row)
    assert row.make_order() == Order(row.world.path, 6, 4, "en", row.make_order().first, None, 7, prove=False)  # type: ignore[union-attr]


def test_a_model_is_chosen_by_name(as_researcher: Client) -> None:
    endpoint = endpoint_at("http://127.0.0.1:9/v1", "writer")
    row = ask_for_tasks(as_researcher, model="writer", do="make")
    assert (row.endpoint, row.order["model"]) == (endpoint, "writer")
    assert Job.objects.get().group == "model writer"


def test_old_previews_are_forgotten(as_researcher: Client) -> None:
    row = ask_for_tasks(as_researcher)
    folder = row.folder
    TaskSynthesis.objects.update(created_at=timezone.now() - timedelta(days=8))
    ask_for_tasks(as_researcher)
    assert not TaskSynthesis.objects.filter(pk=row.pk).exists() and not folder.exists()


def test_a_page_in_chinese_holds_no_english(as_researcher: Client) -> None:
    row = ask_for_tasks(as_researcher, prove="on", count="40")
    assert task_preview(row.pk)
    before = as_researcher.get(row.get_absolute_url(), headers={"Accept-Language": "zh-CN"})
    row.refresh_from_db()
    remarks = {"notes": row.sample["notes"], "failures": [FAILURE.as_json()]}
    task = row.sample["places"][0]["task"]
    found = Counter([task["difficulty_type"]])
    report = {
        "tasks": 1,
        "by_difficulty": found,
        "by_archetype": {},
        "not_made": [7],
        "replaced": 1,
        "made_again": 2,
    }
    report |= {
        "removed": [],
        "unreachable": {},
        "proofs": {"frugal plan": 1},
        "holidays": {"National Day": 1},
    }
    TaskSynthesis.objects.update(status="done", report={**report, "remarks": remarks})
    after = as_researcher.get(row.get_absolute_url(), headers={"Accept-Language": "zh-CN"})
    for page in (before, after, as_researcher.get(ADDRESS, headers={"Accept-Language": "zh-CN"})):
        seen = languages.visible_text(page.content.decode())
        assert [line.strip() for line in seen.splitlines() if languages.COMMON.search(line)] == []
    told = text(after)
    assert "成都市没有景点天府" in told and "国庆节" in told and "必须游览" in told


def test_it_is_for_researchers(client: Client, as_annotator: Client, as_researcher: Client) -> None:
    row = ask_for_tasks(as_researcher)
    for address in (ADDRESS, row.get_absolute_url(), reverse("synthesis_file", args=[row.pk, "tasks"])):
        assert client.get(address).status_code == 302 and as_annotator.get(address).status_code == 403
