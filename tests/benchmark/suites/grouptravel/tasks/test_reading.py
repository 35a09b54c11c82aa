"""Reading task files: everything, or nothing and the list of what is wrong."""

from __future__ import annotations

import gzip
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.taskfiles import LONGEST_TASK, TaskFileError
from benchmark.inputs import InputTooLarge, LineProblem
from benchmark.suites.grouptravel.tasks import TASK_FILES

TABLE: dict[str, Any] = {"global_constraints": {"avg_budget": 900}, "city_specific_preferences": {}}
GOOD: dict[str, Any] = {
    "task_id": "one",
    "query": "苏州市，两天一夜，2人的旅行计划",
    "time": "2025-11-02",
    "context": "出发城市：上海市",
    "metadata": {"departure_city": "上海市", "cities": ["苏州市"], "date": "两天一夜"},
    "user_preferences": {
        "User2": {"role": "女友", "preference": deepcopy(TABLE), "compromisable": False},
        "User1": {"role": "男友", "preference": TABLE, "compromisable": True},
    },
    "initial_messages": [{"role": "User1", "content": "拙政园一定要去。"}],
    "difficulty_score": 1.0,
    "difficulty_type": "easy",
}


def changed_task(path: str, value: Any) -> dict[str, Any]:
    """A good task with one field replaced."""
    task = deepcopy(GOOD)
    *way, last = path.split(".")
    node: Any = task
    for key in way:
        node = node[int(key)] if isinstance(node, list) else node[key]
    node[last] = value
    return task


def task_without(path: str) -> dict[str, Any]:
    task = deepcopy(GOOD)
    *way, last = path.split(".")
    node: Any = task
    for key in way:
        node = node[key]
    del node[last]
    return task


def line(task: Any) -> bytes:
    return json.dumps(task, ensure_ascii=False).encode() + b"\n"


def refusals_of(*lines: bytes) -> list[tuple[int, str, str]]:
    with pytest.raises(TaskFileError) as caught:
        TASK_FILES.lines(lines)
    return [(problem.line, problem.field, problem.message) for problem in caught.value.problems.problems]


def test_a_good_file_is_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(line(GOOD) + b"\n" + line(changed_task("task_id", "two")))
    read = TASK_FILES.whole(path)
    assert [(item.line, item.task.task_id) for item in read] == [(1, "one"), (3, "two")]
    assert read[0].task.users == ["User2", "User1"]
    assert list(read[0].raw["user_preferences"]) == ["User2", "User1"]


def test_raw_keeps_keys_that_we_do_not_know() -> None:
    task = changed_task("metadata.season", "秋") | {"trace_id": 7}
    (read,) = TASK_FILES.lines([line(task)])
    assert read.raw == task
    assert list(read.raw) == list(task)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    (read,) = TASK_FILES.lines([b"\xef\xbb\xbf" + line(GOOD).rstrip() + b"\r\n"])
    assert read.task.task_id == "one"


def test_every_bad_line_is_listed_with_its_number_and_field() -> None:
    found = refusals_of(
        line(GOOD),
        line(task_without("query")),
        b"not json\n",
        line(changed_task("metadata.cities", "苏州市")),
    )
    assert [(number, field) for number, field, _ in found] == [(2, "query"), (3, ""), (4, "metadata.cities")]


def test_a_problem_reads_as_one_line() -> None:
    with pytest.raises(TaskFileError, match=r"^line 2, difficulty_type: .*'extreme'$"):
        TASK_FILES.lines([line(GOOD), line(changed_task("difficulty_type", "extreme"))])


def test_a_truncated_last_line_refuses_the_file() -> None:
    ((number, field, message),) = refusals_of(line(GOOD), line(changed_task("task_id", "two"))[:-40])
    assert (number, field) == (2, "")
    assert "cut off" in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{'task_id': 1}", "not valid JSON at character 2"),
        (b"[1, 2]", "expected an object, found [1, 2]"),
        (b'"text"', "expected an object"),
        (b"[" + line(GOOD) + b"," + line(GOOD) + b"]", " …; write one task a line, not a list of them"),
        ('{"task_id": "武汉"}'.encode("gbk"), "not UTF-8 at byte 14"),
        (line(GOOD).decode().encode("utf-16"), "not UTF-8"),
        (b'{"difficulty_score": NaN}', "NaN is not a number"),
        (b'{"difficulty_score": 1e999}', "1e999 is not a number"),
        (b'{"difficulty_score": ' + b"9" * 5000 + b"}", "5000 digits"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": [{"task_id": "x", "task_id": "y"}]}', "the key 'task_id' stands twice in one object"),
        (line(GOOD).replace(b"\xe5\x87\xba", b"\\u0000"), "can't be stored"),
    ],
)
def test_a_line_that_is_no_object_is_refused_as_a_whole(text: bytes, said: str) -> None:
    ((number, field, message),) = refusals_of(text)
    assert (number, field) == (1, "")
    assert said in message


@pytest.mark.parametrize(
    "path",
    [
        "task_id", "query", "time", "metadata", "metadata.departure_city", "metadata.cities", "metadata.date",
        "user_preferences", "user_preferences.User1.preference", "difficulty_type",
    ],
)  # fmt: skip
def test_a_missing_field_is_named(path: str) -> None:
    assert refusals_of(line(task_without(path))) == [(1, path, "Field required")]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("task_id", 7),
        ("task_id", "x" * 201),
        ("query", ""),
        ("time", "2025/11/02"),
        ("time", "2025-02-30"),
        ("metadata", []),
        ("metadata.cities", []),
        ("metadata.cities", "苏州市"),
        ("metadata.child_members", [3]),
        ("user_preferences", {}),
        ("user_preferences.User1.preference", []),
        ("user_preferences.User1.preference", {}),
        ("user_preferences.User1.preference.global_constraints", "高铁"),
        ("user_preferences.User1.preference.city_specific_preferences", [{"city": "苏州市"}]),
        ("user_preferences.User1.compromisable", "yes"),
        ("initial_messages", [{"role": "User1", "content": None}]),
        ("difficulty_score", "3.5"),
        ("difficulty_score", None),
        ("difficulty_type", "extreme"),
        ("language", "fr"),
    ],
)
def test_a_wrong_value_is_named_with_what_was_found(path: str, value: Any) -> None:
    found = refusals_of(line(changed_task(path, value)))
    assert found
    for number, field, message in found:
        assert number == 1
        assert field.startswith(path)
        assert "found" in message
        assert "Value error" not in message


def test_a_huge_wrong_value_is_shown_shortened() -> None:
    ((_, _, message),) = refusals_of(line(changed_task("query", ["苏州市"] * 10_000)))
    assert len(message) < 200


def test_a_whole_number_is_a_score() -> None:
    (read,) = TASK_FILES.lines([line(changed_task("difficulty_score", 3))])
    assert read.task.difficulty_score == 3


@pytest.mark.parametrize("task_id", ["..", ".", "a/../b", "/a", "a/", "a//b"])
def test_an_id_that_no_address_can_hold_is_refused(task_id: str) -> None:
    ((number, field, message),) = refusals_of(line(GOOD), line(changed_task("task_id", task_id)))
    assert (number, field) == (2, "task_id") and f"'{task_id}' can't be part of an address" in message
    assert TASK_FILES.lines([line(changed_task("task_id", "a/b..c"))])


def test_an_id_stands_once_in_a_file() -> None:
    ((number, field, message),) = refusals_of(line(GOOD), line(changed_task("task_id", "two")), line(GOOD))
    assert (number, field) == (3, "task_id")
    assert "line 1" in message


def test_openings_come_from_users_with_a_table() -> None:
    openings = [*GOOD["initial_messages"], {"role": "User3", "content": "我也去。"}]
    ((number, field, message),) = refusals_of(line(changed_task("initial_messages", openings)))
    assert (number, field) == (1, "initial_messages.1.role")
    assert "'User3'" in message
    assert "User2, User1" in message


@pytest.mark.parametrize("name", ["Agent", "All"])
def test_names_with_a_meaning_of_their_own_are_refused(name: str) -> None:
    users = {name: GOOD["user_preferences"]["User1"], **GOOD["user_preferences"]}
    ((_, field, _),) = refusals_of(line(changed_task("user_preferences", users)))
    assert field == f"user_preferences.{name}"


@pytest.mark.parametrize("lines", [[], [b"\n"], [b"  \n", b"\r\n"]])
def test_a_file_without_tasks_is_refused(lines: list[bytes]) -> None:
    ((_, field, message),) = refusals_of(*lines)
    assert field == ""
    assert "no task" in message


def test_tasks_come_one_by_one_before_the_file_is_read_whole(tmp_path: Path) -> None:
    """What follows an endless line is read too, and nothing of that line is kept."""
    path = tmp_path / "tasks.jsonl"
    long = changed_task("context", "x" * LONGEST_TASK)
    path.write_bytes(
        line(GOOD) + line(long) + line(changed_task("task_id", "two")) + line(changed_task("language", "fr"))
    )
    first, second, third, fourth = TASK_FILES.stream(path)
    assert not isinstance(first, LineProblem) and not isinstance(third, LineProblem)
    assert (first.line, first.task.task_id, first.size) == (1, "one", len(line(GOOD)))
    assert (third.line, third.task.task_id) == (3, "two")
    assert isinstance(second, LineProblem) and str(second).startswith("line 2: longer than 1 MB")
    assert isinstance(fourth, LineProblem) and (fourth.line, fourth.field) == (4, "language")


def test_one_line_of_a_file_is_read_alone(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(b"{}\n" + line(GOOD) + b"\n{}\n")
    read = TASK_FILES.line(path, 2)
    assert read is not None and (read.line, read.task.task_id) == (2, "one")
    assert TASK_FILES.line(path, 3) is None and TASK_FILES.line(path, 9) is None
    with pytest.raises(TaskFileError, match=r"^line 4, task_id: "):
        TASK_FILES.line(path, 4)


def test_packed_tasks_are_read_and_a_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl.gz"
    path.write_bytes(gzip.compress(line(GOOD)))
    assert [item.task.task_id for item in TASK_FILES.whole(path)] == ["one"]
    path.write_bytes(gzip.compress(b" " * 2**20) * 300)  # parts of one file, each packed alike
    with pytest.raises(InputTooLarge, match=r"tasks\.jsonl\.gz: unpacks to more than 256 MB"):
        list(TASK_FILES.stream(path))


@pytest.mark.parametrize("path", ["initial_messages", "metadata.cities", "metadata.child_members"])
def test_a_list_without_end_is_one_problem(path: str) -> None:
    """Half a million bad entries are not told one by one."""
    found = refusals_of(line(changed_task(path, [0] * 400_000)))
    assert [field for _, field, _ in found] == [path]


def test_problems_are_listed_so_far_and_counted() -> None:
    with pytest.raises(TaskFileError) as caught:
        TASK_FILES.lines([b"5"] * 300)
    assert caught.value.problems.count == 300 and len(caught.value.problems.problems) == 200
    assert str(caught.value).endswith("… and 100 more")


def test_broken_characters_of_the_source_are_replaced_not_refused() -> None:
    text = json.dumps(changed_task("context", "出发\ud83d城市 \\u0000")).encode()
    (read,) = TASK_FILES.lines([text])
    assert read.raw["context"] == read.task.context == "出发\ufffd城市 \\u0000"
    assert json.dumps(read.raw, ensure_ascii=False).encode()


def test_escaped_characters_beyond_the_basic_plane_stay_whole() -> None:
    (read,) = TASK_FILES.lines([json.dumps(changed_task("context", "🚄出发")).encode()])
    assert read.task.context == "🚄出发"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
paths = st.sampled_from(
    [
        "task_id", "time", "metadata", "metadata.cities", "metadata.child_members", "user_preferences",
        "user_preferences.User1", "user_preferences.User1.preference",
        "user_preferences.User1.preference.global_constraints", "initial_messages", "initial_messages.0",
        "difficulty_score", "language",
    ]
)  # fmt: skip


def read_or_refuse(lines: list[bytes]) -> None:
    """Whatever is read can be stored as UTF-8; whatever is refused says where."""
    try:
        read = TASK_FILES.lines(lines)
    except TaskFileError as error:
        assert error.problems
        assert all(
            1 <= problem.line <= max(len(lines), 1) and problem.message for problem in error.problems.problems
        )
        assert str(error).encode()
    else:
        assert json.dumps([item.raw for item in read], ensure_ascii=False, allow_nan=False).encode()


@given(st.lists(json_values, max_size=3))
def test_arbitrary_json_lines_raise_nothing_else(values: list[Any]) -> None:
    read_or_refuse([json.dumps(value).encode() for value in values])


@given(paths, json_values)
def test_a_good_task_with_anything_in_one_place_raises_nothing_else(path: str, value: Any) -> None:
    if path == "initial_messages.0":
        path, value = "initial_messages", [value]
    read_or_refuse([json.dumps(changed_task(path, value)).encode()])


@given(st.lists(st.binary(max_size=60), max_size=3))
def test_arbitrary_bytes_raise_nothing_else(lines: list[bytes]) -> None:
    read_or_refuse(lines)
