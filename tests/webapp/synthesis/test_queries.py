"""Sets of TravelEval's queries on the pages: sizes by difficulty, days, budgets, words by rule or by a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from benchmark.suites.traveleval.tasks.tags import english_city
from tests.chat_server import chat_server, says
from tests.markup import text
from tests.seating import endpoint_at
from webapp.catalogue.models import TaskCollection, World
from webapp.synthesis.models import TaskSynthesis
from worker import task_making
from worker.steppers.task_sets import task_preview, task_set

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]
ADDRESS = "/tasks/synthesis/"
FORM_FIELDS = {
    "suite": "traveleval",
    "collection": "journeys",
    "world": "starter",
    "seed": "5",
    "easy": "1",
    "medium": "1",
    "hard": "1",
    "groups": "1",
    "length": "3",
    "budget": "economy",
    "english": "0",
    "prefix": "mine-",
}


@pytest.fixture(autouse=True)
def own_data(
    starter_world: World, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A data folder of this test's own, with the world in it; queries are made in this process."""
    monkeypatch.setattr(task_making, "processors", lambda: 1)
    pack = starter_world.path
    settings.CARAVAN_DATA = tmp_path
    starter_world.path.hardlink_to(pack)


def ask_for_queries(client: Client, **other: str) -> TaskSynthesis:
    answer = client.post(ADDRESS, {**FORM_FIELDS, "do": "preview", **other})
    assert answer.status_code == 302, answer.context["form"].errors
    return TaskSynthesis.objects.get(pk=answer["Location"].rstrip("/").rpartition("/")[2])


def make(row: TaskSynthesis) -> dict[str, Mapping[str, Any]]:
    assert task_set(row.pk)
    row.refresh_from_db()
    assert row.status == "done", row.problem
    tasks = TaskCollection.objects.get(name=row.collection).tasks.all()
    return {task.task_id: task.definition for task in tasks}


def test_the_form_asks_for_what_queries_have_alone(as_researcher: Client) -> None:
    assert (
        f'href="{ADDRESS}?suite=traveleval"' in as_researcher.get("/tasks/?suite=traveleval").content.decode()
    )
    html = as_researcher.get(f"{ADDRESS}?suite=traveleval").content.decode()
    names = ("easy", "medium", "hard", "groups", "length", "budget", "english", "prefix", "seed", "model")
    assert all(f'name="{name}"' in html for name in names)
    assert not any(f'name="{name}"' in html for name in ("count", "prove", "travellers", "first_id"))
    assert "Words written by" in html and f'href="{ADDRESS}?suite=grouptravel"' in html


def test_a_set_goes_from_a_preview_over_its_making_into_the_catalogue(as_researcher: Client) -> None:
    row = ask_for_queries(as_researcher)
    assert task_preview(row.pk)
    page = text(as_researcher.get(row.get_absolute_url()))
    assert "6 can be made over this world: 2 easy, 2 medium, 2 hard" in page and "mine-T0001" in page
    assert "--option easy=1" in page and "Numbers" not in page and "Proofs" not in page
    as_researcher.post(reverse("synthesis_make", args=[row.pk]))
    made = make(row)
    assert sorted(made) == [
        "mine-G01-1",
        "mine-G01-2",
        "mine-G01-3",
        "mine-T0001",
        "mine-T0002",
        "mine-T0003",
    ]
    assert {query["days"] for query in made.values()} == {3}
    page = text(as_researcher.get(row.get_absolute_url()))
    assert "6 (2 easy, 2 medium, 2 hard)" in page and "3 days: 6" in page and "economy: 6" in page
    lines = b"".join(as_researcher.get(reverse("synthesis_file", args=[row.pk, "tasks"])).streaming_content)  # type: ignore[attr-defined]
    assert [json.loads(line)["uid"] for line in lines.splitlines()] == [
        "mine-T0001", "mine-T0002", "mine-T0003", "mine-G01-1", "mine-G01-2", "mine-G01-3",
    ]  # fmt: skip
    statistics = text(as_researcher.get(reverse("task_statistics"), {"collection": row.collection}))
    assert "Broken rules" in statistics


def test_the_command_writes_the_same_file(as_researcher: Client, tmp_path: Path) -> None:
    row = ask_for_queries(as_researcher, do="make")
    make(row)
    pairs = [f"{key}={FORM_FIELDS[key]}" for key in ("easy", "medium", "hard", "groups", "length", "budget")]
    given = {"suite": "traveleval", "world": "starter", "seed": 5, "out": tmp_path / "again.jsonl"}
    options = [*pairs, "english=0", "prefix=mine-"]
    call_command("synthesize", option=options, stdout=StringIO(), **given)
    assert (tmp_path / "again.jsonl").read_bytes() == row.output_file.read_bytes()
    with pytest.raises(CommandError, match="option length can't be “9”"):
        call_command("synthesize", option=["length=9"], **given)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"easy": "0", "medium": "0", "hard": "0", "groups": "0"},
            "0 tasks can't be made; ask for 1 to 20,000.",
        ),
        ({"hard": "many"}, "write a whole number"),
        ({"length": "9"}, "choose one of"),
        (
            {"prefix": "taken-"},
            "Some ids begin with “taken-” already; choose another beginning, such as made-.",
        ),
    ],
)
def test_an_order_that_can_not_be_is_refused(as_researcher: Client, wrong: dict[str, str], said: str) -> None:
    ask_for_queries(as_researcher, do="make", collection="other", prefix="taken-")
    answer = as_researcher.post(ADDRESS, {**FORM_FIELDS, **wrong})
    assert answer.status_code == 200 and said in text(answer)
    assert TaskSynthesis.objects.get().collection == "other"


@pytest.mark.parametrize(
    ("wrong", "said"), [({"easy": "-1"}, "write 0 or more"), ({"prefix": "a b"}, "letters")]
)
def test_what_only_the_generator_finds_is_told_on_the_page(
    as_researcher: Client, wrong: dict[str, str], said: str
) -> None:
    row = ask_for_queries(as_researcher, do="make", **wrong)
    task_set(row.pk)
    row.refresh_from_db()
    assert row.status == "failed" and said in row.problem


def test_a_model_writes_the_words_and_bad_ones_are_told(as_researcher: Client) -> None:
    """The first query's words are fine; those of the others name another city."""

    def answer(query: Mapping[str, Any]) -> str:
        start, target, days, budget = (query[key] for key in ("start_city", "target_city", "days", "budget"))
        target = target if query["uid"] == "mine-T0001" else "拉萨"
        words = (
            f"从{start}去{target}，{days}天，{budget}元",
            (f"From {english_city(start)} to {english_city(target)}, {days} days, {budget}"),
        )
        return json.dumps(dict(zip(("nature_language", "nature_language_en"), words, strict=True)))

    with chat_server() as server:

        def reply(handler: Any) -> None:
            asked = server.requests[-1]["messages"][-1]["content"]
            says(answer(json.loads(asked[asked.index("{") : asked.rindex("}") + 1])))(handler)

        server.replies.append(reply)
        endpoint_at(server.url, "m", name="writer", concurrency=1)
        made = make(ask_for_queries(as_researcher, do="make", groups="0", model="writer"))
        row = TaskSynthesis.objects.get()
    assert made["mine-T0001"]["nature_language"].startswith("从") and row.use is not None
    assert row.use.calls == 1 + 3 + 3
    page = text(as_researcher.get(row.get_absolute_url()))
    assert "mine-T0002 keeps its words by rule" in page and "Words that could not be used" in page
