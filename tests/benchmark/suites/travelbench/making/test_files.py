"""The steps from files to files, one after the other, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rapidfuzz import fuzz

from benchmark.making import AnswerFile, FileStep, StepResult, Tools, Vectors, answers_in
from benchmark.suites.travelbench.making.duplicates import near_duplicates
from benchmark.suites.travelbench.making.rows import Request, requests_in
from benchmark.suites.travelbench.making.steps import STEPS as MAKING_STEPS
from benchmark.suites.travelbench.making.vectors import BATCH, vectors_at
from benchmark.suites.travelbench.tasks import TASK_FILES, Task

STEPS = {step.name: step for step in MAKING_STEPS.steps}
BASIC: dict[str, Any] = {"time": "2025-10-24 10:00", "context": "", "intent": "…"}
RECORD = {"mode": "multi_turn", "query": "…", "success": True, "messages": [], "tool_errors": 0}
PROFILE = "### 基本信息\n- 常驻城市：苏州市\n\n### 兴趣偏好\n- 爱吃面"


def row(id_: str, **given: Any) -> dict[str, Any]:
    return {"trace_id": id_, "query": f"query {id_}", "primary_intent": "discovery.a", **BASIC, **given}


def lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows), "utf-8")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def embed_on_circle(embedder: str, texts: Sequence[str]) -> Vectors:
    """By the square of the number at the end of a text, on a circle."""
    angles = [int(text.split()[-1]) ** 2 / 30 for text in texts]
    return np.array([[np.cos(one), np.sin(one)] for one in angles], dtype=np.float32)


def do_step(step: str, **given: Any) -> StepResult:
    found = STEPS[step]
    assert isinstance(found, FileStep)
    return found.work(given, Tools(lambda *_: None, embed_on_circle))


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    return lines(tmp_path / "requests.jsonl", [row(str(n)) for n in range(1, 6)])


def answers(path: Path, by_request: Mapping[str, Sequence[str | None]]) -> Path:
    return lines(
        path,
        (
            {"key": key, "model": f"m{n}", "executable": cause is None, "cause": cause}
            for key, causes in by_request.items()
            for n, cause in enumerate(causes)
        ),
    )


def test_requests_are_sorted_by_the_answers_of_three_models(requests: Path, tmp_path: Path) -> None:
    said = {
        "1": (None,) * 3,
        "2": ("tool",) * 3,
        "3": (None, None, "intent"),
        "4": ("tool", "context", "intent"),
        "5": ("context", "context", "tool"),
    }
    out = tmp_path / "sorted"
    told = do_step("sort", requests=requests, answers=answers(tmp_path / "a.jsonl", said), out=out)
    assert told.result == {
        "solvable": 1,
        "unsolvable": 2,
        "doubtful": 1,
        "dropped": 1,
        "causes": {"missing_tool": 1, "missing_info": 1},
    }
    tasks = [one.task for one in TASK_FILES.whole(out / "unsolvable.jsonl")]
    assert [(task.trace_id, task.causes) for task in tasks] == [
        ("2", ("missing_tool",)),
        ("5", ("missing_info",)),
    ]
    assert read(out / "solvable.jsonl")[0]["missing_tool"] is False


def test_answers_of_fewer_models_are_refused(requests: Path, tmp_path: Path) -> None:
    path = answers(tmp_path / "a.jsonl", {str(n): (None,) * (2 if n == 3 else 3) for n in range(1, 6)})
    with pytest.raises(
        ValueError, match=r"1 requests have not 3 models' answers \(3\); annotate them to the end"
    ):
        do_step("sort", requests=requests, answers=path, out=tmp_path / "sorted")
    assert not (tmp_path / "sorted").exists()


def records(path: Path, turns: Mapping[str, Sequence[int]], **given: Any) -> list[Path]:
    """A published file a run."""
    files = []
    for number in range(max(map(len, turns.values()))):
        results = [
            RECORD
            | {
                "trace_id": key,
                "query": f"query {key}",
                "turns": each[number],
                "tool_calls_count": each[number],
                **given,
            }
            for key, each in turns.items()
            if number < len(each)
        ]
        files.append(path / f"run{number}.json")
        files[-1].write_text(json.dumps({"summary": {}, "results": results}))
    return files


def test_turn_types_come_from_six_runs(requests: Path, tmp_path: Path) -> None:
    turns = {"1": [1] * 6, "2": [2] * 6, "3": [1, 1, 2, 2, 2, 2], "4": [1, 1, 1, 1, 3, 3], "5": [2] * 6}
    told = do_step("label-turns", requests=requests, records=records(tmp_path, turns), out=tmp_path / "types")
    assert told.result == {"single": 2, "multi": 2, "dropped": 1}
    assert [one["trace_id"] for one in read(tmp_path / "types" / "single.jsonl")] == ["1", "4"]


def test_a_request_with_too_few_runs_is_named(requests: Path, tmp_path: Path) -> None:
    turns = {str(n): [1] * (5 if n == 2 else 6) for n in range(1, 6)}
    with pytest.raises(ValueError, match="request 2: 5 runs that did not crash; 6 are needed; play it again"):
        do_step("label-turns", requests=requests, records=records(tmp_path, turns), out=tmp_path / "types")


def test_only_runs_of_the_multi_turn_loop_over_the_same_query_count(requests: Path, tmp_path: Path) -> None:
    for given in ({"mode": "single_turn"}, {"query": "another file's"}):
        files = records(tmp_path, {str(n): [1] * 6 for n in range(1, 6)}, **given)
        with pytest.raises(ValueError, match="request 1: 0 runs"):
            do_step("label-turns", requests=requests, records=files, out=tmp_path / "types")


def test_a_crash_is_no_run(requests: Path, tmp_path: Path) -> None:
    files = records(tmp_path, {str(n): [1] * 6 for n in range(1, 6)}, success=False)
    with pytest.raises(ValueError, match="request 1: 0 runs that did not crash"):
        do_step("label-turns", requests=requests, records=files, out=tmp_path / "types")


def test_the_difficulty_stands_after_all_other_fields(requests: Path, tmp_path: Path) -> None:
    calls = {str(n): [n] * 11 + [0] for n in range(1, 6)}
    told = do_step(
        "difficulty", requests=requests, records=records(tmp_path, calls), runs=12, out=tmp_path / "d.jsonl"
    )
    assert [one["avg_tool_calls"] for one in read(tmp_path / "d.jsonl")] == [0.92, 1.83, 2.75, 3.67, 4.58]
    assert (told.result["least"], told.result["most"]) == (0.92, 4.58)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("r.json", "{", "r.json: neither one record a line"),
        ("r.jsonl", '{"turns": 1}\n', "r.jsonl: line 1, trace_id: is missing"),
        (
            "r.json",
            json.dumps({"results": [RECORD | {"trace_id": "1"}]}),
            "r.json: line 1, turns: is missing",
        ),
    ],
)
def test_bad_records_are_refused_with_their_place(
    requests: Path, tmp_path: Path, name: str, text: str, why: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=why):
        do_step("label-turns", requests=requests, records=[tmp_path / name], out=tmp_path / "types")


def test_folders_of_records_are_read_whole_and_single_turns_lose_their_profile(tmp_path: Path) -> None:
    rows = lines(tmp_path / "r.jsonl", [row("1", user_profile=PROFILE), row("2", user_profile=PROFILE)])
    folder = tmp_path / "runs"
    folder.mkdir()
    for file in records(folder, {"1": [1] * 6, "2": [2] * 6}):
        file.rename(file.with_suffix(".jsonl"))
    (folder / "run.json").write_text("{}")
    do_step("label-turns", requests=rows, records=[folder], out=tmp_path / "types")
    found = [TASK_FILES.whole(tmp_path / "types" / f"{name}.jsonl")[0].task for name in ("single", "multi")]
    assert [(task.trace_id, task.subtask) for task in found] == [("1", "single"), ("2", "multi")]
    (tmp_path / "none").mkdir()
    with pytest.raises(ValueError, match=r"holds no \.jsonl file"):
        do_step("label-turns", requests=rows, records=[tmp_path / "none"], out=tmp_path / "types")


def choose_requests(requests: Path, tmp_path: Path, **given: Any) -> StepResult:
    usual = {"count": 3, "balance": "none", "embedder": "fields", "vectors": tmp_path / "v"}
    return do_step("choose", requests=requests, out=tmp_path / "chosen.jsonl", **{**usual, **given})


def test_the_requests_that_differ_the_most_come_in_the_order_of_the_choice(
    requests: Path, tmp_path: Path
) -> None:
    told = choose_requests(requests, tmp_path)
    assert [one["trace_id"] for one in read(tmp_path / "chosen.jsonl")] == ["5", "1", "4"]
    assert told.result == {
        "chosen": 3,
        "of": 5,
        "intents": {"discovery.a": 3},
        "intents_of": {"discovery.a": 5},
    }


def test_intents_keep_their_share_of_the_chosen(tmp_path: Path) -> None:
    rows = [row(str(n), primary_intent="discovery.b" if n > 8 else "discovery.a") for n in range(1, 11)]
    told = choose_requests(lines(tmp_path / "r.jsonl", rows), tmp_path, count=5, balance="share")
    assert told.result["intents"] == {"discovery.a": 4, "discovery.b": 1}


def test_given_vectors_need_a_row_a_request(requests: Path, tmp_path: Path) -> None:
    path = tmp_path / "v.npy"
    np.save(path, np.eye(4, dtype=np.float32))
    with pytest.raises(ValueError, match=r"shape \(4, 4\); expected 5 rows"):
        choose_requests(requests, tmp_path, vectors=path)
    np.save(path, np.eye(5))
    assert choose_requests(requests, tmp_path, vectors=path).result["chosen"] == 3


def test_profiles_take_the_place_of_those_that_they_are_made_of(tmp_path: Path) -> None:
    rows = lines(tmp_path / "r.jsonl", [row("1", user_profile="住人民路8号"), row("2")])
    said = lines(tmp_path / "p.jsonl", [{"key": "1", "model": "m", "user_profile": PROFILE}])
    do_step("with-profiles", requests=rows, answers=said, out=tmp_path / "out.jsonl")
    assert [one.get("user_profile") for one in read(tmp_path / "out.jsonl")] == [PROFILE, None]


@pytest.mark.parametrize(
    ("profiles", "why"),
    [([], r"no profile for 1 requests \(1\)"), ([f"{PROFILE}\n苏E12345"], "1: licence plate 苏E12345")],
)
def test_missing_profiles_and_those_that_give_somebody_away_are_refused(
    tmp_path: Path, profiles: list[str], why: str
) -> None:
    rows = lines(tmp_path / "r.jsonl", [row("1", user_profile="…")])
    said = lines(tmp_path / "p.jsonl", [{"key": "1", "model": "m", "user_profile": one} for one in profiles])
    with pytest.raises(ValueError, match=why):
        do_step("with-profiles", requests=rows, answers=said, out=tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_confirmed_labels_are_told_with_their_interval(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(
        "item,rater,label\n" + "".join(f"{n},r,{'yes' if n < 97 else 'no'}\n" for n in range(100))
    )
    told = do_step("confirm", labels=path)
    assert "97 of 100 confirmed by the majority: 97.0 %, 95 % interval [0.9148, 0.9938]" in told.words
    assert told.result["votes"] == [{"yes": 1, "of": 1, "items": 97}, {"yes": 0, "of": 1, "items": 3}]


def test_a_file_is_never_written_over_what_is_read(requests: Path, tmp_path: Path) -> None:
    files = records(tmp_path, {str(n): [1] for n in range(1, 6)})
    with pytest.raises(ValueError, match="written over the file that is read"):
        do_step("difficulty", requests=requests, records=files, runs=1, out=requests)


# Vectors, and answers, that are kept while they grow.


class Embedder:
    """Fails after so many batches."""

    def __init__(self, batches: int = 1_000) -> None:
        self.batches_left, self.texts = batches, list[str]()

    def __call__(self, texts: Sequence[str]) -> Vectors:
        if not self.batches_left:
            raise ConnectionError("gone")
        self.batches_left -= 1
        self.texts += texts
        return embed_on_circle("", texts)


def test_a_build_of_vectors_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    texts, path = [f"query {n}" for n in range(3 * BATCH + 5)], tmp_path / "v"
    with pytest.raises(ConnectionError):
        vectors_at(path, texts, Embedder(2), lambda *_: None, "e")
    path.write_bytes(path.read_bytes()[:-3])  # killed while it wrote
    second = Embedder()
    found = vectors_at(path, texts, second, lambda *_: None, "e")
    assert second.texts == texts[2 * BATCH - 1 :]
    assert np.array_equal(found, embed_on_circle("", texts))
    third = Embedder()
    assert np.array_equal(vectors_at(path, texts, third, lambda *_: None, "e"), found) and not third.texts


def test_vectors_of_other_texts_are_not_taken(tmp_path: Path) -> None:
    vectors_at(tmp_path / "v", ["query 1"], Embedder(), lambda *_: None, "e")
    for texts, embedder in ((["query 2"], "e"), (["query 1"], "f")):
        with pytest.raises(ValueError, match="of other texts or another embedder"):
            vectors_at(tmp_path / "v", texts, Embedder(), lambda *_: None, embedder)


def some(id_: str) -> Request:
    return Request(Task.model_validate(row(id_)), row(id_))


def test_answers_go_on_after_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    AnswerFile.at(path).add(some("1"), "m", {"executable": True})
    with path.open("ab") as file:
        file.write(b'{"key": "2", "mod')
    again = AnswerFile.at(path)
    assert again.open_questions([some("1"), some("2")], ["m", "n"]) == [
        (some("1"), "n"),
        (some("2"), "m"),
        (some("2"), "n"),
    ]
    again.add(some("2"), "m", {"executable": False})
    assert [one["key"] for one in answers_in(path)] == ["1", "2"]


def test_a_file_of_something_else_is_refused(requests: Path) -> None:
    with pytest.raises(ValueError, match="line 1 is no answer"):
        AnswerFile.at(requests)


def test_rows_with_one_id_twice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="line 2, task_id: '1' stands on line 1 already"):
        requests_in(lines(tmp_path / "r.jsonl", [row("1"), row("1", user_profile=PROFILE)]))


# Near duplicates.


def test_near_duplicates_are_kept_once_and_named(tmp_path: Path) -> None:
    queries = (
        "附近哪里有充电桩，要快充的",
        "明天去上海的高铁还有票吗",
        "附近哪里有充电桩？要快充的。",
        "附近哪里有充电桩，要慢充的",
        "Any quiet cafe near the station",
        "any quiet cafe near the station?",
        "……",
        "……",
    )
    rows = [row(str(n), query=query) for n, query in enumerate(queries)]
    out = tmp_path / "out"
    told = do_step("drop-duplicates", requests=lines(tmp_path / "r.jsonl", rows), alike=90.0, out=out)
    assert told.result == {"kept": 5, "duplicates": 3}
    assert [one["trace_id"] for one in read(out / "kept.jsonl")] == ["0", "1", "4", "6", "7"]
    dropped = {
        one["trace_id"]: (one["duplicate_of"], one["similarity"]) for one in read(out / "duplicates.jsonl")
    }
    assert dropped == {"2": ("0", 100.0), "3": ("0", 92.3), "5": ("4", 100.0)}
    assert "3 is nearly 0 (92.3): 附近哪里有充电桩，要慢充的" in told.words
    strict = do_step("drop-duplicates", requests=tmp_path / "r.jsonl", alike=100.0, out=tmp_path / "strict")
    assert strict.result == {"kept": 6, "duplicates": 2}


def test_a_duplicate_is_told_of_one_that_is_kept(tmp_path: Path) -> None:
    """Each differs from the next by one character of ten: the third is nearly the second, which is not kept."""
    rows = [row(str(n), query=query) for n, query in enumerate(("abcdefghij", "abcdefghix", "abcdefghyx"))]
    out = tmp_path / "out"
    do_step("drop-duplicates", requests=lines(tmp_path / "r.jsonl", rows), alike=90.0, out=out)
    assert [one["trace_id"] for one in read(out / "kept.jsonl")] == ["0", "2"]


@pytest.mark.parametrize("alike", [0.0, -1.0, 101.0])
def test_a_similarity_that_none_can_be_is_refused(tmp_path: Path, alike: float) -> None:
    path = lines(tmp_path / "r.jsonl", [row("1")])
    with pytest.raises(ValueError, match=r"--alike .*: give a similarity above 0, up to 100"):
        do_step("drop-duplicates", requests=path, alike=alike, out=tmp_path / "out")


def test_blocks_of_rows_give_what_pairs_one_by_one_give() -> None:
    texts = [f"request {n % 300} about {n % 7 * 'charging '}station" for n in range(1200)]
    kept: list[str] = []
    for text in texts:
        if not any(fuzz.ratio(text, other) >= 96 for other in kept):
            kept.append(text)
    dropped = {one.row for one in near_duplicates(texts, 96)}
    assert [text for at, text in enumerate(texts) if at not in dropped] == kept


# Other profiles.


def test_requests_get_the_profiles_of_others(tmp_path: Path) -> None:
    rows = [
        row(str(n), user_profile=f"### 基本信息\n- 年龄：{n}0岁", avg_tool_calls=2.5, note="x")
        for n in range(1, 6)
    ]
    path, out = lines(tmp_path / "r.jsonl", rows), tmp_path / "out.jsonl"
    given = {"requests": path, "profiles": None, "each": 3, "seed": 1, "out": out}
    assert do_step("recombine", **given).result == {"rows": 15, "requests": 5, "profiles": 5}
    made = read(out)
    assert len({one["trace_id"] for one in made}) == 15 and made[0]["trace_id"] == "1-1"
    for one in made:
        asked = one["trace_id"].split("-")[0]
        assert (
            one["profile_of"] != asked
            and one["user_profile"] == rows[int(one["profile_of"]) - 1]["user_profile"]
        )
        assert one["query"] == f"query {asked}" and one["note"] == "x" and "avg_tool_calls" not in one
    assert all(
        len({one["profile_of"] for one in made if one["query"] == f"query {n}"}) == 3 for n in range(1, 6)
    )
    tasks = [read_.task for read_ in TASK_FILES.whole(out)]
    assert {task.subtask for task in tasks} == {"multi"}
    again = tmp_path / "again.jsonl"
    do_step("recombine", **{**given, "out": again})
    assert again.read_bytes() == out.read_bytes()
    do_step("recombine", **{**given, "seed": 2, "out": again})
    assert again.read_bytes() != out.read_bytes()


def test_more_profiles_than_there_are_others_are_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "r.jsonl", [row("1", user_profile=PROFILE), row("2", user_profile=PROFILE)])
    with pytest.raises(ValueError, match="1 other profiles are asked for, and there are 0"):
        do_step("recombine", requests=path, profiles=None, each=1, seed=0, out=tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
