"""Reading records, scoring files."""

from __future__ import annotations

import gzip
import json

import pytest

from benchmark.scoring import BadRecords, RecordError, load_catalogue, read_records, score_file
from tests.benchmark.scoring.build import CITY, one_day, place, record, sight


@pytest.fixture
def catalogue(tmp_path):
    path = tmp_path / "poi.json"
    path.write_text(json.dumps({CITY: [place("西湖")]}), encoding="utf-8")
    return path


def lines(tmp_path, *texts, name="records.jsonl"):
    path = tmp_path / name
    data = "\n".join(t if isinstance(t, str) else json.dumps(t) for t in texts).encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


GOOD = record(one_day(sight("西湖")))


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_a_file_is_scored_line_by_line(tmp_path, catalogue, name):
    records = lines(tmp_path, GOOD, "", GOOD | {"task_id": "u"}, name=name)
    seen = []
    assert score_file(records, catalogue, tmp_path / "out.jsonl", seen.append) == 2
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["task_id"], row["pv"]) for row in rows] == [("t", True), ("u", True)]
    assert seen == [1, 2]


def test_every_bad_line_is_named_and_nothing_is_left(tmp_path, catalogue):
    bad = '{"task_id": "x"', [1], GOOD | {"user_names": ["a", 1]}, {}, GOOD | {"success": "yes"}
    with pytest.raises(BadRecords) as raised:
        score_file(lines(tmp_path, GOOD, *bad), catalogue, tmp_path / "out.jsonl")
    found = [(error.line, error.field) for error in raised.value.errors]
    assert found == [(2, ""), (3, ""), (4, "user_names"), (5, "task_id"), (6, "success")]
    assert "line 5: task_id: is missing" in str(raised.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["poi.json", "records.jsonl"]


def test_an_older_result_survives_a_failure(tmp_path, catalogue):
    out = tmp_path / "out.jsonl"
    out.write_text("old")
    with pytest.raises(BadRecords):
        score_file(lines(tmp_path, "x"), catalogue, out)
    assert out.read_text() == "old"


def test_broken_encoding_is_an_error_of_its_line(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"task_id": 1}\n{"task_id": "\xff"}\n')
    (_, first), (number, second) = read_records(path)
    assert first == {"task_id": 1}
    assert number == 2 and isinstance(second, RecordError)


def test_what_only_a_lenient_reader_takes_comes_out_again(tmp_path, catalogue):
    own = '{"global_constraints": {"avg_budget": NaN}}'
    odd = '{"task_id": "\\ud800", "effective_preferences": {"a": {"preference": ' + own + "}}}"
    assert score_file(lines(tmp_path, odd), catalogue, tmp_path / "out.jsonl") == 1
    assert json.loads((tmp_path / "out.jsonl").read_text())["task_id"] == "\ud800"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("beside", [r'"\ud800"', "9" * 400, "[" * 400 + "]" * 400])
def test_the_output_is_json_whatever_else_is_in_it(tmp_path, catalogue, number, beside):
    """null stands for a number that JSON has no name for, whoever writes the line."""
    said = json.dumps(GOOD | {"agent_preference_table": {"User1": {"global_constraints": {"avg_budget": 0}}}})
    said = said.replace('"global_constraints": {}', '"global_constraints": {"avg_budget": 5}')
    said = said.replace('"avg_budget": 0', f'"avg_budget": [{number}, {beside}]')
    score_file(lines(tmp_path, said), catalogue, tmp_path / "out.jsonl")
    (row,) = (tmp_path / "out.jsonl").read_text().splitlines()
    found = json.loads(row, parse_constant=pytest.fail)["evidence"]["completeness"]["users"]["User1"]
    assert found[0]["invented"][0][0] is None


def test_a_value_nested_too_deeply_is_an_error_of_its_line(tmp_path, catalogue, monkeypatch):
    """How deep is too deep depends on the interpreter."""

    def fail(*_):
        raise RecursionError

    monkeypatch.setattr("benchmark.scoring.files.score_record", fail)
    with pytest.raises(BadRecords, match="line 1: is nested too deeply"):
        score_file(lines(tmp_path, GOOD), catalogue, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def damaged(packed):
    return packed[:40] + bytes(byte ^ 0x55 for byte in packed[40:-8]) + packed[-8:]


@pytest.mark.parametrize("damage", [lambda packed: packed[:-20], damaged, lambda packed: b"{}"])
def test_a_broken_archive(tmp_path, catalogue, damage):
    path = lines(tmp_path, GOOD, GOOD, name="r.jsonl.gz")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=r"r\.jsonl\.gz: can't be unpacked"):
        score_file(path, catalogue, tmp_path / "out.jsonl")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["poi.json", "r.jsonl.gz"]


def test_a_place_that_cannot_be_written_is_named(tmp_path, catalogue):
    out = tmp_path / "none" / "out.jsonl"
    with pytest.raises(FileNotFoundError) as raised:
        score_file(lines(tmp_path, GOOD), catalogue, out)
    assert raised.value.filename == str(out)


@pytest.mark.parametrize("text", ["[]", "{", "\x00", '{"x": ' + "[" * 200_000 + "]" * 200_000 + "}"])
def test_a_catalogue_that_is_none(tmp_path, text):
    path = tmp_path / "poi.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"poi\.json"):
        load_catalogue(path)


def test_a_missing_file(tmp_path, catalogue):
    with pytest.raises(FileNotFoundError):
        score_file(tmp_path / "none.jsonl", catalogue, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
