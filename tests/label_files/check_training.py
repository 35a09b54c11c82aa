"""Sets of training from a run, written by our command and read by the programs that they are for."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmark.advantages.grpo import advantages
from tests.model_server import model_server
from tests.training import talks_run, token_run, training_run
from webapp.catalogue.models import World
from webapp.exchange.training import TRAINING_ENDINGS
from webapp.sessions.models import Run

READER = Path(__file__).parent / "training_reader.py"
REWARDS = [3.0, 2.5, 0.0, -3.0, 2.5, 3.1, 0.0, 2.0]
pytestmark = pytest.mark.django_db


def read_sets(run: Run, folder: Path) -> tuple[dict[str, Any], dict[str, Path]]:
    """What TRL and verl take the sets of a run for, and the files of the sets."""
    python = os.environ.get("CARAVAN_TRAINING_PYTHON")
    if not python:
        pytest.skip("the programs are not here: make test-training")
    paths = {format_: folder / f"set{ending}" for format_, ending in TRAINING_ENDINGS.items()}
    for format_, path in paths.items():
        call_command("export_run", run.pk, "--format", format_, "--out", path)
    command = [python, str(READER), json.dumps(REWARDS), *map(str, paths.values())]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    told = subprocess.run(command, capture_output=True, text=True, check=False, env=offline)
    assert told.returncode == 0, told.stderr[-3000:]
    return json.loads(told.stdout.splitlines()[-1]), paths


def lines_of(paths: dict[str, Path], format_: str) -> list[Any]:
    """The rows of a set as we have written them."""
    written = paths[format_.removesuffix("-parquet")].read_text("utf-8")
    return [json.loads(line) for line in written.splitlines()]


def without_none(value: Any) -> Any:
    """Rows of one table have the same fields: what a message lacks comes back as None."""
    if isinstance(value, dict):
        return {key: without_none(each) for key, each in value.items() if each is not None}
    return [without_none(each) for each in value] if isinstance(value, list) else value


def test_trl_and_verl_read_every_set(
    tmp_path: Path, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = training_run(tmp_path, starter_world, monkeypatch)
    found, paths = read_sets(run, tmp_path)
    for format_, path in paths.items():
        lines = lines_of(paths, format_)
        read = found["trl"][str(path)]
        assert read["rows"] == lines and lines
        assert read["conversational"] == [True] * len(lines)
        assert ("completion" in read["columns"]) is not format_.startswith("grpo")
        if format_.startswith("grpo"):
            taken = found["verl"][str(path)]
            assert taken["raw_prompt"] == [line["prompt"] for line in lines]
            assert taken["reward_model"] == [line["reward_model"] for line in lines]
            assert taken["extra_info"] == [line["extra_info"] for line in lines]
            assert taken["data_source"] == ["tripscore"] * 2 and taken["index"] == [0, 1]

    both = found["advantages"]
    assert both["trl"] == pytest.approx(advantages(REWARDS, ddof=1, eps=1e-4), abs=1e-6)
    assert both["verl"] == pytest.approx(advantages(REWARDS, ddof=1, eps=1e-6), abs=1e-6)
    assert both["verl"] != pytest.approx(advantages(REWARDS), abs=1e-3), "both take the sample deviation"


def test_trl_and_verl_read_conversations(
    tmp_path: Path, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = talks_run(tmp_path, starter_world, monkeypatch)
    found, paths = read_sets(run, tmp_path)
    for format_, path in paths.items():
        lines, read = lines_of(paths, format_), found["trl"][str(path)]
        assert without_none(read["rows"]) == without_none(lines) and lines
        assert read["conversational"] == [True] * len(lines)
        if format_.startswith("grpo"):
            assert found["verl"][str(path)]["raw_prompt"] == [line["prompt"] for line in lines]
        else:
            assert "tool_calls" in str(read["rows"][0]["completion"])


def test_trl_and_verl_take_tokens_with_masks_and_log_probabilities(
    tmp_path: Path, starter_world: World
) -> None:
    with model_server() as server:
        run = token_run(tmp_path, starter_world, server.url)
    found, paths = read_sets(run, tmp_path)
    for format_, path in paths.items():
        if not format_.startswith("rollouts"):
            continue
        lines, read = lines_of(paths, format_), found["tokens"][str(path)]
        rows = found["trl"][str(path)]["rows"]
        for row, line in zip(rows, lines, strict=True):  # the reader of JSON rounds the last digit of some
            assert row.pop("token_logprob") == pytest.approx(line["token_logprob"], rel=1e-15)
        others = [{name: line[name] for name in line if name != "token_logprob"} for line in lines]
        assert without_none(rows) == without_none(others)
        names = ("token_mask", "token_logprob", "token_advantage")
        tokens = [token for line in lines for token in zip(*(line[name] for name in names), strict=True)]
        counted = [token for token in tokens if token[0] and None not in token]
        assert read["shape"] == [len(lines), max(len(line["token_mask"]) for line in lines)]
        assert read["counted"] == len(counted) > 0
        assert read["logprobs"] == pytest.approx(sum(token[1] for token in counted))
        assert read["objective"] == pytest.approx(sum(token[2] for token in counted) / len(counted), abs=1e-6)
