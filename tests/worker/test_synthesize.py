"""`manage.py synthesize`: new tasks over a world of this installation."""

from __future__ import annotations

import json
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.chat_server import ChatServer, chat_server, refuses, says
from webapp.catalogue.models import World
from webapp.endpoints.models import ModelEndpoint

pytestmark = pytest.mark.django_db


def synthesize(out: Path, **options: Any) -> str:
    told = StringIO()
    given = {"world": "starter", "count": 4, "seed": 2, "no_proofs": True, "workers": 1, **options}
    call_command("synthesize", out=out, stdout=told, **given)
    return told.getvalue()


def test_tasks_come_with_a_report(starter_world: World, tmp_path: Path) -> None:
    out = tmp_path / "tasks.jsonl"
    words = synthesize(out)
    assert words.startswith("4 tasks: ")
    assert len(out.read_text().splitlines()) == 4
    report = json.loads((tmp_path / "tasks.report.json").read_text())
    assert (report["tasks"], report["order"]["world"], report["order"]["seed"]) == (4, "starter", 2)


def test_the_result_can_be_had_as_json(starter_world: World, tmp_path: Path) -> None:
    told = json.loads(synthesize(tmp_path / "tasks.jsonl", json=True))
    assert told["tasks"] == 4
    names = ("tasks.jsonl", "tasks.personas.jsonl", "tasks.report.json")
    assert told["files"] == [str(tmp_path / name) for name in names]


def test_what_was_made_can_be_imported(starter_world: World, tmp_path: Path) -> None:
    synthesize(tmp_path / "tasks.jsonl")
    told = StringIO()
    call_command("import_tasks", tmp_path / "tasks.jsonl", "--world", "starter", stdout=told)
    assert "4" in told.getvalue()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"world": "far"}, "there is no world “far”; there are: starter"),
        ({"count": 0}, "0 tasks can't be made"),
        ({"model": "gpt"}, "there is no model “gpt”"),
        ({"workers": 0}, "--workers: must be 1 or more"),
    ],
)
def test_bad_orders_are_told(
    starter_world: World, tmp_path: Path, options: dict[str, Any], told: str
) -> None:
    with pytest.raises(CommandError, match=told) as refused:
        synthesize(tmp_path / "tasks.jsonl", **options)
    assert refused.value.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_window_that_ends_before_it_begins_is_told(starter_world: World, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="comes before the first"):
        synthesize(tmp_path / "tasks.jsonl", first=date(2026, 2, 1), last=date(2026, 1, 1))


def test_a_folder_that_is_not_there_is_told(starter_world: World, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is no folder; make it first"):
        synthesize(tmp_path / "nowhere" / "tasks.jsonl")


def _model(server: ChatServer) -> ModelEndpoint:
    return ModelEndpoint.objects.create(name="writer", base_url=server.url, model="m", patience_s=0)


@pytest.mark.django_db(transaction=True)
def test_a_model_without_sense_makes_no_task(starter_world: World, tmp_path: Path) -> None:
    with chat_server() as server:
        server.replies.append(says("I'd rather not."))
        _model(server)
        with pytest.raises(CommandError, match="no task passed validation") as refused:
            synthesize(tmp_path / "tasks.jsonl", model="writer", count=1)
        assert "after 3 regenerations" in str(refused.value)


@pytest.mark.django_db(transaction=True)
def test_a_model_that_refuses_leaves_what_is_done(starter_world: World, tmp_path: Path) -> None:
    with chat_server() as server:
        server.replies.append(refuses(401))
        _model(server)
        with pytest.raises(CommandError, match="run the command again") as refused:
            synthesize(tmp_path / "tasks.jsonl", model="writer", count=1)
        assert refused.value.returncode == 1
