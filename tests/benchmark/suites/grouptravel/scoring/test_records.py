"""Reading records, scoring files."""

from __future__ import annotations

import gzip
import json
import os

import pytest

from benchmark.inputs import InputTooLarge, LineProblem
from benchmark.suites.grouptravel.conversation.record import run_record
from benchmark.suites.grouptravel.scoring import BadRecords, Tally, load_catalogue, read_records, score_file
from benchmark.suites.grouptravel.scoring.records import LONGEST_RECORD
from tests.benchmark.suites.grouptravel.conversation.play import play_scenario, scenario
from tests.benchmark.suites.grouptravel.scoring.build import (
    CITY,
    block,
    day,
    meal,
    one_day,
    place,
    plan,
    record,
    rest,
    ride,
    sight,
)


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
    assert score_file(records, catalogue, tmp_path / "out.jsonl", seen.append).records == 2
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["task_id"], row["pv"]) for row in rows] == [("t", True), ("u", True)]
    assert seen == [1, 2]


def test_every_bad_line_is_named_and_nothing_is_left(tmp_path, catalogue):
    bad = '{"task_id": "x"', [1], GOOD | {"user_names": ["a", 1]}, {}, GOOD | {"conversation_history": "x"}
    with pytest.raises(BadRecords) as raised:
        score_file(lines(tmp_path, GOOD, *bad), catalogue, tmp_path / "out.jsonl")
    found = [(error.line, error.field) for error in raised.value.problems.problems]
    assert found == [(2, ""), (3, ""), (4, "user_names"), (5, "task_id"), (6, "conversation_history")]
    assert "records.jsonl: 5 bad records\n" in str(raised.value)
    assert "line 5, task_id: is missing" in str(raised.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["poi.json", "records.jsonl"]


REQUIRED_FIELDS = ("user_names", "effective_preferences", "conversation_history")


@pytest.mark.parametrize("lacking", [*((name,) for name in REQUIRED_FIELDS), REQUIRED_FIELDS])
def test_a_record_that_did_not_crash_has_what_it_is_scored_from(tmp_path, catalogue, lacking):
    renamed = {f"my_{name}" if name in lacking else name: value for name, value in GOOD.items()}
    with pytest.raises(BadRecords, match=r"records\.jsonl: 1 bad record\n") as raised:
        score_file(lines(tmp_path, GOOD, renamed), catalogue, tmp_path / "out.jsonl")
    (found,) = raised.value.problems.problems
    assert (found.line, found.field) == (2, ", ".join(lacking))
    assert found.message.startswith("missing; rename what stands for it")


@pytest.mark.parametrize("name", REQUIRED_FIELDS)
@pytest.mark.parametrize("empty", [None, "empty"])
def test_a_field_that_is_null_or_empty_is_there(tmp_path, catalogue, name, empty):
    held = GOOD | {name: type(GOOD[name])() if empty else None}
    assert score_file(lines(tmp_path, held), catalogue, tmp_path / "out.jsonl").records == 1


@pytest.mark.parametrize("said", [None, True, 0, 1, "", "false", "yes", [], {}])
def test_only_a_success_that_is_false_is_a_crash(tmp_path, catalogue, said):
    out = tmp_path / "out.jsonl"
    assert score_file(lines(tmp_path, GOOD | {"success": said}), catalogue, out).crashed == 0
    assert json.loads(out.read_text())["pv"] is True
    assert score_file(lines(tmp_path, GOOD | {"success": False}), catalogue, out).crashed == 1


@pytest.mark.parametrize(
    ("said", "planned"), [(1, True), ("yes", True), (0, False), ("", False), (None, False)]
)
def test_a_plan_is_looked_for_where_the_record_says_so(tmp_path, catalogue, said, planned):
    out = tmp_path / "out.jsonl"
    score_file(lines(tmp_path, GOOD | {"plan_generated": said}), catalogue, out)
    assert json.loads(out.read_text())["pv"] is (True if planned else None)


@pytest.mark.parametrize("believed", [None, [], "x", 3, [{"User1": {}}]])
def test_an_agents_table_that_is_none_is_scored_with_a_warning(tmp_path, catalogue, believed):
    out = tmp_path / "out.jsonl"
    records = lines(tmp_path, GOOD | {"agent_preference_table": believed}, GOOD)
    tally = score_file(records, catalogue, out)
    assert (tally.records, tally.warned, tally.warnings[0].faults[0]["field"]) == (
        2,
        1,
        "agent_preference_table",
    )
    assert "warnings" in json.loads(out.read_text().splitlines()[0])


@pytest.mark.parametrize("events", [1, 4, None])
def test_the_record_of_any_session_can_be_scored(tmp_path, catalogue, events):
    log = play_scenario(scenario(say={"User1": ["好"], "User2": ["好"]})).events
    records = lines(tmp_path, run_record(log[:events]))
    assert score_file(records, catalogue, tmp_path / "out.jsonl").records == 1


def test_what_has_no_figures_is_counted_by_its_reason(tmp_path, catalogue):
    known = {"agent_preference_table": {"User1": {}}}
    records = (
        GOOD,
        GOOD | known,
        GOOD | known | {"plan_generated": False},
        GOOD | known | {"conversation_history": []},
        GOOD | known | {"effective_preferences": {}},
        {"task_id": "t", "success": False},
    )
    tally = score_file(lines(tmp_path, *records), catalogue, tmp_path / "out.jsonl")
    assert tally == Tally(records=6, crashed=1, without_table=1, without_plan=2, without_belief=1)


def test_cities_of_plans_that_the_catalogue_lacks_are_counted_by_records(tmp_path):
    catalogue = tmp_path / "poi.json"
    catalogue.write_text(json.dumps({CITY: [place("西湖")], "空市": []}), encoding="utf-8")
    wide = plan(day(block(sight("甲"), meal("乙"), city="空市"), block(sight("丙"), city="远市")))
    rides = plan(day(block(ride("甲", "乙"), rest(), city="无市"), block(sight("甲"), city="")))
    records = lines(
        tmp_path, GOOD, record(wide), record(wide), record(rides), {"task_id": 1, "success": False}
    )
    assert score_file(records, catalogue, tmp_path / "out.jsonl").unknown_cities == {"空市": 2, "远市": 2}


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
@pytest.mark.parametrize("text", ["", " \n\n"])
def test_a_file_without_records_is_refused(tmp_path, catalogue, text, name):
    with pytest.raises(ValueError, match=rf"{name}: 1 bad record\nline 1: the file holds no record"):
        score_file(lines(tmp_path, text, name=name), catalogue, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_an_older_result_survives_a_failure(tmp_path, catalogue):
    out = tmp_path / "out.jsonl"
    out.write_text("old")
    with pytest.raises(BadRecords):
        score_file(lines(tmp_path, "x"), catalogue, out)
    assert out.read_text() == "old"


@pytest.mark.parametrize("held", ["old", None])
def test_a_link_stays_and_its_file_is_written(tmp_path, catalogue, held):
    (tmp_path / "elsewhere").mkdir()
    real, link = tmp_path / "elsewhere" / "real.jsonl", tmp_path / "out.jsonl"
    if held:
        real.write_text(held)
    link.symlink_to(real)
    assert score_file(lines(tmp_path, GOOD), catalogue, link).records == 1
    assert link.is_symlink() and json.loads(real.read_text())["task_id"] == "t"
    assert [path.name for path in real.parent.iterdir()] == ["real.jsonl"]


def test_a_pipe_is_written_to(tmp_path, catalogue):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        assert score_file(lines(tmp_path, GOOD), catalogue, pipe).records == 1
        assert json.loads(os.read(end, 2**16))["task_id"] == "t"
    finally:
        os.close(end)
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", ["records.jsonl", "poi.json", "link", "hard link"])
def test_what_is_read_is_never_written_over(tmp_path, catalogue, name):
    records = lines(tmp_path, GOOD)
    (tmp_path / "link").symlink_to(records)
    (tmp_path / "hard link").hardlink_to(catalogue)
    before = records.read_bytes(), catalogue.read_bytes()
    with pytest.raises(ValueError, match=f"{name}: would be written over the file that is read"):
        score_file(records, catalogue, tmp_path / name)
    assert (records.read_bytes(), catalogue.read_bytes()) == before


def test_broken_encoding_is_an_error_of_its_line(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"task_id": 1, "success": false}\n{"task_id": "\xff"}\n')
    (_, first), (number, second) = read_records(path)
    assert first == {"task_id": 1, "success": False}
    assert number == 2 and isinstance(second, LineProblem)
    assert str(second) == "line 2: not UTF-8 at byte 14; save the file as UTF-8"


def test_gzip_is_unpacked_whatever_its_name(tmp_path, catalogue):
    path = tmp_path / "r.jsonl"
    path.write_bytes(gzip.compress(json.dumps(GOOD).encode()))
    assert [record for _, record in read_records(path)] == [GOOD]
    packed = tmp_path / "poi.packed"
    packed.write_bytes(gzip.compress(catalogue.read_bytes()))
    assert score_file(path, packed, tmp_path / "out.jsonl").records == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_another_encoding_is_told_once(tmp_path, encoding):
    path = tmp_path / "r.jsonl"
    path.write_bytes("\n".join([json.dumps(GOOD)] * 3).encode(encoding))
    ((number, error),) = read_records(path)
    assert (number, error.field) == (1, "")
    assert error.message.startswith("not UTF-8: it is UTF-16") and "iconv" in error.message


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_list_is_told_once_with_its_remedy(tmp_path, indent):
    path = tmp_path / "r.json"
    path.write_text("\n" + json.dumps([GOOD, GOOD], indent=indent))
    assert list(read_records(path)) == [
        (2, LineProblem(2, "", "is a JSON list, not one record a line; jq -c '.[]' makes lines of it"))
    ]


def test_what_only_a_lenient_reader_takes_comes_out_again(tmp_path, catalogue):
    own = '{"global_constraints": {"avg_budget": NaN}}'
    rest = '"user_names": null, "conversation_history": null'
    odd = '{"task_id": "\\ud800", ' + rest + ', "effective_preferences": {"a": {"preference": ' + own + "}}}"
    assert score_file(lines(tmp_path, odd), catalogue, tmp_path / "out.jsonl").records == 1
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

    monkeypatch.setattr("benchmark.suites.grouptravel.scoring.files.score_with_trip", fail)
    with pytest.raises(BadRecords, match="line 1: is nested too deeply"):
        score_file(lines(tmp_path, GOOD), catalogue, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def damaged_archive(packed):
    return packed[:40] + bytes(byte ^ 0x55 for byte in packed[40:-8]) + packed[-8:]


@pytest.mark.parametrize("damage", [lambda packed: packed[:-20], damaged_archive, lambda packed: b"{}"])
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


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, catalogue):
    """Blank lines, a thousand to one: nothing of it is bad, but for its size."""
    path = tmp_path / "r.jsonl.gz"
    packed = gzip.compress((b" " * 1000 + b"\n") * 1000)
    path.write_bytes(packed * 400)  # parts of one file, each packed alike
    with pytest.raises(InputTooLarge, match=r"r\.jsonl\.gz: unpacks to more than 256 MB.*unpack it yourself"):
        score_file(path, catalogue, tmp_path / "out.jsonl")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["poi.json", "r.jsonl.gz"]


def test_an_endless_line_is_a_problem_of_its_line(tmp_path, catalogue):
    endless = '{"task_id": "' + "x" * LONGEST_RECORD + '"}'
    with pytest.raises(BadRecords, match="line 2: longer than 8 MB") as raised:
        score_file(lines(tmp_path, GOOD, endless, GOOD, []), catalogue, tmp_path / "out.jsonl")
    assert [problem.line for problem in raised.value.problems.problems] == [2, 4]


def test_many_bad_lines_are_listed_so_far_and_counted(tmp_path, catalogue):
    with pytest.raises(BadRecords, match=r"250 bad records\nline 1: ") as raised:
        score_file(lines(tmp_path, *(["5"] * 250)), catalogue, tmp_path / "out.jsonl")
    assert str(raised.value).endswith("line 200: must be an object\n… and 50 more")


def test_a_file_of_more_lines_than_fit_the_memory_is_refused(tmp_path, catalogue, monkeypatch):
    monkeypatch.setattr("benchmark.inputs.MOST_LINES", 3)
    assert score_file(lines(tmp_path, GOOD, GOOD, GOOD), catalogue, tmp_path / "out.jsonl").records == 3
    with pytest.raises(InputTooLarge, match=r"records\.jsonl: more than 3 lines; split the file"):
        score_file(lines(tmp_path, GOOD, GOOD, GOOD, GOOD), catalogue, tmp_path / "out.jsonl")


def test_a_catalogue_has_a_bound(tmp_path, catalogue, monkeypatch):
    monkeypatch.setattr("benchmark.suites.grouptravel.scoring.records.LARGEST_CATALOGUE", 10)
    with pytest.raises(InputTooLarge, match=r"poi\.json: larger than"):
        load_catalogue(catalogue)
