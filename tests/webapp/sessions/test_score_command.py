"""`manage.py score`: records of other people's code, plain and packed."""

from __future__ import annotations

import gzip
import json
import os
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from benchmark.suites.grouptravel.scoring import CODE_VERSION
from tests.benchmark.suites.grouptravel.scoring.build import (
    CITY,
    block,
    day,
    hotel,
    meal,
    one_day,
    place,
    plan,
    record,
    ride,
    sight,
    table,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "poi.json").write_text(json.dumps({CITY: [place("西湖")]}), encoding="utf-8")
    crashed = {"task_id": "t", "trial_id": 1, "success": False}
    twice = record(one_day(hotel("甲", "14:00", "15:00"), ride("甲", "乙", "20:00", "20:20"), hotel("乙")))
    lines = [json.dumps(one) for one in (record(one_day(sight("西湖"))), crashed, twice | {"task_id": "u"})]
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    return tmp_path


def score(
    folder: Path, profile: str, name: str = "r.jsonl.gz", catalogue: str = "poi.json", *options: str
) -> str:
    out = StringIO()
    call_command(
        *("score", folder / name, "--catalogue", folder / catalogue),
        *("--out", folder / "out.jsonl", "--profile", profile, *options),
        stdout=out,
    )
    return out.getvalue()


@pytest.mark.parametrize(("profile", "pv"), [("published", "100.0 %"), ("paper", "25.0 %")])
def test_each_profile_has_its_figures_and_means(folder: Path, profile: str, pv: str) -> None:
    told = score(folder, profile)
    assert f"3 records scored into {folder / 'out.jsonl'} by {profile}, code version {CODE_VERSION}\n" in told
    assert told.endswith(f", PV {pv}\n")
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert {(row["profile"], row["code_version"]) for row in rows} == {(profile, CODE_VERSION)}
    assert [row["pv"] for row in rows] == [True, None, profile == "published"]


def test_means_are_written_as_on_pages(folder: Path) -> None:
    liked = table(sights={"must_visit": ["西湖", "甲", "乙"]})
    one = record(one_day(sight("西湖")), {"User1": liked}, agent_preference_table={"User1": liked})
    half = record(one_day(), {"User1": table(avg_budget=1)})
    lines = [
        one | {"task_id": "a"},
        half | {"task_id": "b"},
        half | {"task_id": "c", "plan_generated": False},
    ]
    (folder / "r.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert score(folder, "published", "r.jsonl").splitlines()[1:] == [
        "  0 crashed, 1 without a plan, 0 without a reference table, 2 without a table of the agent's",
        "  PC 33.3 %, GU 0.67, GF 66.67, PV 66.7 %",
    ]


def test_one_record_is_one(folder: Path) -> None:
    (folder / "r.jsonl").write_text(json.dumps(record(one_day(sight("西湖")))), encoding="utf-8")
    assert score(folder, "published", "r.jsonl").startswith("1 record scored into ")
    told = json.loads(score(folder, "published", "r.jsonl", "poi.json", "--json"))
    assert (told["records"], told["means"]["pv"], told["profile"]) == (1, 1.0, "published")


def test_what_the_published_scorer_fails_on_is_scored_and_warned_of(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dear = record(one_day(meal("面馆", avg_cost="约100")), {"User1": table(avg_budget="x")})
    odd = [sight(name, who=[["User1"]]) for name in "abcd"]
    lines = [record(one_day(sight("西湖"))), dear | {"task_id": "u"}, record(one_day(*odd), trial_id=3)]
    (folder / "r.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    score(folder, "published", "r.jsonl")
    told = capsys.readouterr().err.splitlines()
    assert "may fail on 2 records" in told[0]
    assert told[1] == (
        "  task u, trial 0: effective_preferences.User1.preference.global_constraints.avg_budget: is not a number"
    )
    path = "plan.days[0].city_segments[0].activities[0].participants: is not a list of names; leave it out"
    assert told[2].startswith(f"  task t, trial 3: {path}") and told[2].endswith("; 1 more field")
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert [("warnings" in row, row["gu"]) for row in rows] == [(False, 0), (True, 0), (True, 0)]


def test_a_catalogue_of_other_cities_is_warned_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score(folder, "published")
    assert capsys.readouterr().err == ""
    (folder / "far.json").write_text('{"远市": []}', encoding="utf-8")
    score(folder, "published", catalogue="far.json")
    told = capsys.readouterr().err
    assert f"{folder / 'far.json'} has no place in these cities of plans: {CITY} in 2 records. " in told
    assert "score again with the right one" in told


def test_a_warning_names_the_most_frequent_cities(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [block(sight("甲"), city=f"市{number}") for number in range(12)]
    lines = [json.dumps(record(plan(day(*blocks)))), json.dumps(record(plan(day(blocks[-1]))))]
    (folder / "r.jsonl").write_text("\n".join(lines), encoding="utf-8")
    score(folder, "published", "r.jsonl")
    told = capsys.readouterr().err
    assert "of plans: 市11 in 2 records, " in told
    assert ", 2 more cities. " in told


def test_a_pipe_gets_the_scores_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "out.jsonl")
    end = os.open(folder / "out.jsonl", os.O_RDWR | os.O_NONBLOCK)
    try:
        assert score(folder, "published") == ""
        assert len(os.read(end, 2**16).splitlines()) == 3
    finally:
        os.close(end)
    told = capsys.readouterr().err
    assert "3 records scored" in told
    assert "1 crashed, 0 without a plan" in told


def test_a_bad_line_is_named_and_nothing_is_written(folder: Path) -> None:
    bad = '{"task_id": 1, "success": false}\n{"task_id": '
    (folder / "bad.jsonl").write_text(bad, encoding="utf-8")
    with pytest.raises(CommandError, match=r"bad\.jsonl: 1 bad record\nline 2: no JSON"):
        score(folder, "paper", "bad.jsonl")
    assert not (folder / "out.jsonl").exists()


def test_a_pack_of_a_world_is_a_catalogue_too(folder: Path) -> None:
    (folder / "broken.sqlite3").write_bytes(b"no pack")
    with pytest.raises(CommandError, match=r"broken\.sqlite3: no world"):
        call_command(
            *("score", folder / "r.jsonl.gz", "--catalogue", folder / "broken.sqlite3"),
            *("--out", folder / "out.jsonl"),
        )
