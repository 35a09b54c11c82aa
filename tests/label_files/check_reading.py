"""Labels of studies of every kind, written by our command and read by the libraries that they are for."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.labelling import add_item, finished_session, label, make_study, pairs_study, vote
from webapp.catalogue.models import Task, World
from webapp.judging.models import Rater
from webapp.labelling.models import Kind, LabelStudy

FOLDER = Path(__file__).parent
ODD = '=1+1, "quoted"\n第二行 <b>&amp;</b>'
pytestmark = pytest.mark.django_db


def read(variable: str, reader: str, *paths: Path) -> dict[str, Any]:
    """What a library finds in files; it fails on any word of complaint."""
    python = os.environ.get(variable)
    if not python:
        pytest.skip("the library is not here: make test-labels")
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error"}
    command = [python, "-W", "error::UserWarning", str(FOLDER / reader), *map(str, paths)]
    told = subprocess.run(command, capture_output=True, text=True, check=False, env=offline)
    assert told.returncode == 0, told.stderr[-3000:]
    found: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return found


def export_study(study: LabelStudy, format_: str, path: Path, *options: str) -> Path:
    call_command("export_labels", study.pk, "--format", format_, "--out", path, *options)
    return path


@pytest.fixture
def pairs(starter_tasks: list[Task], starter_world: World) -> LabelStudy:
    """Two decided pairs, one undecided, one with neither plan; reasons in odd letters, and a model's answer."""
    study = pairs_study(starter_tasks, starter_world, 4, allow_tie=True)
    vote(study, {1: "LLR", 2: "RRL", 3: "LRT", 4: "NNT"})
    study.items.get(number=1).labels.update(rationale=ODD, seconds=4.5)
    model = Rater.objects.create(kind=Rater.Kind.PAIRWISE, name="m", key="m@1")
    label(study.items.get(number=1), model, "tie", source="model")
    return study


@pytest.mark.parametrize("format_", ["preferences", "conversations"])
def test_datasets_and_trl_read_preference_pairs(pairs: LabelStudy, tmp_path: Path, format_: str) -> None:
    path = export_study(pairs, format_, tmp_path / "pairs.jsonl")
    found = read("CARAVAN_TRL_PYTHON", "preferences_reader.py", path)
    written = [json.loads(line) for line in path.read_text().splitlines()]
    assert found["rows"] == written and len(written) == 2
    assert found["columns"][:5] == ["prompt", "chosen", "rejected", "score_chosen", "score_rejected"]
    assert found["explicit"] == [True, True]
    assert found["conversational"] == [format_ == "conversations"] * 2
    assert found["unpaired"] == [[True, True, False, False], ["prompt", "completion", "label"]]
    if format_ == "conversations":
        assert found["extracted"]["prompt"] == written[0]["prompt"]
        assert found["extracted"]["chosen"] == written[0]["chosen"]
    else:
        assert found["types"]["prompt"] == found["types"]["chosen"] == "Value('string')"


def tasks_of(study: LabelStudy, folder: Path, *options: str) -> dict[str, Any]:
    config = export_study(study, "label-studio-config", folder / "config.xml")
    tasks = export_study(study, "label-studio", folder / "tasks.json", *options)
    return read("CARAVAN_LABEL_STUDIO_PYTHON", "label_studio_reader.py", config, tasks)


@pytest.mark.parametrize("options", [(), ("--numbered", "--blind")])
def test_label_studio_takes_pairs(pairs: LabelStudy, tmp_path: Path, options: tuple[str, ...]) -> None:
    found = tasks_of(pairs, tmp_path, *options)
    assert found["problems"] == []
    assert (found["tasks"], found["annotations"], found["predictions"]) == (4, 12, 1)
    assert found["tags"] == {"label": "Choices", "rationale": "TextArea"}
    assert found["takes_wrong"] is False


def test_label_studio_takes_rubrics(starter_tasks: list[Task], starter_world: World, tmp_path: Path) -> None:
    dimensions = {name: {"zh": name, "en": name} for name in ("pacing", "tone")}
    study = make_study(Kind.RUBRIC, dimensions=dimensions)
    add_item(study, starter_tasks[0], finished_session(starter_tasks[0], starter_world))
    person = Rater.objects.create(name="李雷")
    label(study.items.get(), person, "", answer={"scores": {"pacing": 5, "tone": 1}}, rationale=ODD)
    found = tasks_of(study, tmp_path)
    assert found["problems"] == []
    assert found["tags"] == {"score_pacing": "Rating", "score_tone": "Rating", "rationale": "TextArea"}


def test_label_studio_takes_questions_on_tasks_alone(starter_tasks: list[Task], tmp_path: Path) -> None:
    study = make_study(Kind.BINARY, question_zh="“合理”吗？", question_en='Is it "sound" & <whole>?')
    add_item(study, starter_tasks[0])
    vote(study, {1: "YO"})
    found = tasks_of(study, tmp_path)
    assert (found["problems"], found["annotations"]) == ([], 2)
    assert found["tags"] == {"label": "Choices", "rationale": "TextArea"}
