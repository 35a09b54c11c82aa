"""`manage.py score`: records of other people's code, plain and packed."""

from __future__ import annotations

import gzip
import json
import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from benchmark.scoring import CODE_VERSION
from tests.benchmark.scoring.build import CITY, hotel, one_day, place, record, ride, sight


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "poi.json").write_text(json.dumps({CITY: [place("西湖")]}), encoding="utf-8")
    crashed = {"task_id": "t", "trial_id": 1, "success": False}
    twice = record(one_day(hotel("甲", "14:00", "15:00"), ride("甲", "乙", "20:00", "20:20"), hotel("乙")))
    lines = [json.dumps(one) for one in (record(one_day(sight("西湖"))), crashed, twice | {"task_id": "u"})]
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    return tmp_path


def score(folder: Path, profile: str, name: str = "r.jsonl.gz") -> str:
    out = StringIO()
    call_command(
        *("score", folder / name, "--catalogue", folder / "poi.json"),
        *("--out", folder / "out.jsonl", "--profile", profile),
        stdout=out,
    )
    return out.getvalue()


@pytest.mark.parametrize(("profile", "pv"), [("published", 1.0), ("paper", 0.25)])
def test_each_profile_has_its_figures_and_means(folder: Path, profile: str, pv: float) -> None:
    told = score(folder, profile)
    assert f"3 record(s) scored into {folder / 'out.jsonl'} by {profile}, code version {CODE_VERSION}" in told
    assert f"PV {pv}" in told
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert {(row["profile"], row["code_version"]) for row in rows} == {(profile, CODE_VERSION)}
    assert [row["pv"] for row in rows] == [True, None, profile == "published"]


def test_a_pipe_gets_the_scores_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "out.jsonl")
    end = os.open(folder / "out.jsonl", os.O_RDWR | os.O_NONBLOCK)
    try:
        assert score(folder, "published") == ""
        assert len(os.read(end, 2**16).splitlines()) == 3
    finally:
        os.close(end)
    assert "3 record(s) scored" in capsys.readouterr().err


def test_a_bad_line_is_named_and_nothing_is_written(folder: Path) -> None:
    (folder / "bad.jsonl").write_text('{"task_id": 1}\n{"task_id": ', encoding="utf-8")
    with pytest.raises(CommandError, match="line 2: no JSON"):
        score(folder, "paper", "bad.jsonl")
    assert not (folder / "out.jsonl").exists()


def test_a_pack_of_a_world_is_a_catalogue_too(folder: Path) -> None:
    (folder / "broken.sqlite3").write_bytes(b"no pack")
    with pytest.raises(CommandError, match=r"broken\.sqlite3: no world"):
        call_command(
            *("score", folder / "r.jsonl.gz", "--catalogue", folder / "broken.sqlite3"),
            *("--out", folder / "out.jsonl"),
        )
