"""Whole sets: one order gives one file, what is broken off goes on, one city touches only its own tasks."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmark.remarks import Remark, read_remark
from benchmark.suites.grouptravel.synthesis import making, production
from benchmark.suites.grouptravel.synthesis.holidays import holidays_in
from benchmark.suites.grouptravel.synthesis.production import files_beside, produce, sample
from benchmark.suites.grouptravel.synthesis.profiles import Profile
from benchmark.suites.grouptravel.tasks import TASK_FILES
from benchmark.synthesis import BadOrder, BeingMade, Order
from sandbox.worlds.starter import FOLDER, build_starter

COUNT = 30


@pytest.fixture(scope="module")
def order(starter_pack: Path) -> Order:
    return Order(starter_pack, COUNT, 5, prove=False)


@pytest.fixture(scope="module")
def made_file(order: Order, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tasks") / "tasks.jsonl"
    produce(order, out)
    return out


def tasks_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_file_is_a_task_file_in_the_published_form(made_file: Path) -> None:
    tasks = [read.task for read in TASK_FILES.whole(made_file)]
    assert len(tasks) == COUNT
    assert [task.task_id for task in tasks] == [f"task_{number:06d}" for number in range(1, COUNT + 1)]
    for raw, task in zip(tasks_in(made_file), tasks, strict=True):
        assert list(raw) == [
            "task_id", "query", "time", "context", "metadata", "user_preferences", "initial_messages",
            "difficulty_score", "difficulty_type",
        ]  # fmt: skip
        pattern = task.metadata.compromise_pattern
        assert pattern == sorted(pattern)
        assert {user for user, card in task.user_preferences.items() if card.compromisable} == set(pattern)
        assert [message.role for message in task.initial_messages] == sorted(task.users)
        assert task.days in range(2, 8)


def test_the_same_order_gives_the_same_bytes_by_any_number_of_workers(
    order: Order, made_file: Path, tmp_path: Path
) -> None:
    produce(replace(order), tmp_path / "again.jsonl", workers=2)
    assert (tmp_path / "again.jsonl").read_bytes() == made_file.read_bytes()


def test_another_seed_gives_other_tasks(order: Order, made_file: Path, tmp_path: Path) -> None:
    produce(replace(order, seed=6), tmp_path / "other.jsonl")
    assert (tmp_path / "other.jsonl").read_bytes() != made_file.read_bytes()


def test_what_is_broken_off_goes_on(
    order: Order, made_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, filled = tmp_path / "tasks.jsonl", list[int]()

    def break_off(done: int, total: int | None, label: str) -> None:
        if done == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        produce(order, out, progress=break_off)
    assert not out.exists()
    part = tmp_path / "tasks.jsonl.part"
    with part.open("ab") as file:
        file.write(b'{"slot": 13, "task"')  # as if it was being written
    whole = production._fill
    monkeypatch.setattr(
        production, "_fill", lambda maker, place: filled.append(place.number) or whole(maker, place)
    )
    produce(order, out)
    assert filled == list(range(13, COUNT + 1))
    assert out.read_bytes() == made_file.read_bytes()
    assert not part.exists()


def test_the_rest_of_another_order_is_not_gone_on_with(order: Order, tmp_path: Path) -> None:
    out = tmp_path / "tasks.jsonl"

    def break_off(done: int, total: int | None, label: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        produce(order, out, progress=break_off)
    with pytest.raises(BadOrder, match=r"left of another order \(it differs in seed\)"):
        produce(replace(order, seed=99), out)
    (tmp_path / "tasks.jsonl.part").write_text("nonsense\n")
    with pytest.raises(BadOrder, match="no unfinished set of tasks"):
        produce(order, out)


def starter_with(folder: Path, change: Any) -> Path:
    """A pack of the starter world whose files were changed."""
    shutil.copytree(FOLDER, folder / "starter")
    change(folder / "starter" / "cities")
    pack = folder / "starter.sqlite3"
    build_starter(pack, folder / "starter")
    return pack


def test_a_city_that_comes_in_changes_no_task_without_it(order: Order, tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    small = starter_with(tmp_path / "small", lambda cities: (cities / "foshan.json").unlink())
    produce(replace(order, world=small), tmp_path / "small.jsonl")
    again = replace(order, skeletons=tmp_path / "small.jsonl")
    produce(again, tmp_path / "large.jsonl")
    assert (tmp_path / "large.jsonl").read_bytes() == (tmp_path / "small.jsonl").read_bytes()


def test_a_city_that_changes_touches_only_tasks_that_use_it(
    order: Order, made_file: Path, tmp_path: Path
) -> None:
    def fewer_sights(cities: Path) -> None:
        file = cities / "guangzhou.json"
        city = json.loads(file.read_text())
        city["attractions"] = city["attractions"][10:]
        file.write_text(json.dumps(city, ensure_ascii=False))

    pack = starter_with(tmp_path, fewer_sights)
    produce(replace(order, world=pack, skeletons=made_file), tmp_path / "changed.jsonl")
    differing = [
        new["metadata"]["cities"]
        for old, new in zip(tasks_in(made_file), tasks_in(tmp_path / "changed.jsonl"), strict=True)
        if old != new
    ]
    assert differing
    assert all("广州市" in cities for cities in differing)


def test_skeletons_of_a_city_that_the_world_lacks_are_reported(
    order: Order, made_file: Path, tmp_path: Path
) -> None:
    pack = starter_with(tmp_path, lambda cities: (cities / "hangzhou.json").unlink())
    told = produce(replace(order, world=pack, skeletons=made_file), tmp_path / "fewer.jsonl")
    uses = [
        number
        for number, task in enumerate(tasks_in(made_file), 1)
        if "杭州市" in (task["metadata"]["departure_city"], *task["metadata"]["cities"])
    ]
    assert uses
    assert told.report["not_made"] == uses
    assert all("the world has no 杭州市" in why for why in told.report["failures"])
    assert told.tasks == COUNT - len(uses)


def test_a_world_of_one_city_says_which_quota_it_can_not_meet(order: Order, tmp_path: Path) -> None:
    def one_destination(cities: Path) -> None:
        for name in ("guangzhou", "hangzhou", "suzhou", "foshan", "shenzhen"):
            (cities / f"{name}.json").unlink()

    pack = starter_with(tmp_path, one_destination)
    told = produce(replace(order, world=pack), tmp_path / "one.jsonl")
    assert told.tasks < COUNT
    assert any("tasks over 3 cities can't be made" in note for note in told.report["notes"])
    assert all(task["metadata"]["cities"] == ["南京市"] for task in tasks_in(tmp_path / "one.jsonl"))


def test_a_proof_lies_beside_each_task(order: Order, tmp_path: Path) -> None:
    out = tmp_path / "tasks.jsonl"
    told = produce(replace(order, count=3, prove=True), out)
    proofs = [json.loads(line) for line in files_beside(out)["proofs"].read_text().splitlines()]
    for task, proof in zip(tasks_in(out), proofs, strict=True):
        assert proof["task_id"] == task["task_id"]
        assert (proof["valid"], proof["solved"], proof["pv_issues"]) == (True, True, [])
        firm = set(task["user_preferences"]) - set(task["metadata"]["compromise_pattern"])
        for user in firm:
            budget = task["user_preferences"][user]["preference"]["global_constraints"]["avg_budget"]
            assert proof["costs"][user] <= budget
        assert len(proof["plan"]["days"]) == TASK_FILES.task(task).days
        assert "plan" not in task
    assert sum(told.report["proofs"].values()) == 3


def test_who_travels_lies_beside_each_task(made_file: Path) -> None:
    told = [json.loads(line) for line in files_beside(made_file)["personas"].read_text().splitlines()]
    tasks = tasks_in(made_file)
    assert [one["task_id"] for one in told] == [task["task_id"] for task in tasks]
    for one, task in zip(told, tasks, strict=True):
        assert list(one["personas"]) == list(task["user_preferences"])
        assert all(Profile.model_validate(persona) for persona in one["personas"].values())
        assert "personas" not in task and "occupation" not in json.dumps(task)


def test_tasks_that_nobody_can_solve_are_not_shipped(
    order: Order, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = making.prove

    def broken_proof(task: Any, *given: Any) -> Any:
        proof = whole(task, *given)
        broke = task.task_id == "task_000002"
        return proof._replace(over_budget=tuple(task.users), yielding_users=()) if broke else proof

    monkeypatch.setattr(making, "prove", broken_proof)
    monkeypatch.setattr(making, "RETRIES", 1)
    monkeypatch.setattr(making, "REPLACEMENTS", 1)
    told = produce(replace(order, count=2, prove=True), tmp_path / "tasks.jsonl")
    assert told.tasks == 1
    assert told.report["not_made"] == [2]
    assert len(told.report["failures"]) == 2
    assert "no plan within the budget" in told.report["failures"][0]


def test_tasks_in_english_say_the_names_of_tables_and_tools(order: Order, tmp_path: Path) -> None:
    produce(replace(order, language="en", count=6), tmp_path / "en.jsonl")
    for read in TASK_FILES.whole(tmp_path / "en.jsonl"):
        task = read.task
        assert task.language == "en"
        assert all(f"({city})" in task.query for city in task.metadata.cities)
        assert f"({task.metadata.departure_city})" in task.context
        assert task.days in range(2, 8)
        assert " yuan" in task.initial_messages[0].content


def test_a_preview_holds_tasks_of_the_set_and_writes_nothing(order: Order, made_file: Path) -> None:
    told = sample(order, 3)
    by_id = {task["task_id"]: task for task in tasks_in(made_file)}
    found = [place["task"] for place in told.places]
    assert [by_id[task["task_id"]] for task in found] == found
    assert {task["difficulty_type"] for task in found} == {"easy", "medium", "hard"}
    assert (told.tasks, sum(told.levels.values())) == (COUNT, COUNT)


def test_failures_can_be_told_in_other_languages(order: Order, made_file: Path, tmp_path: Path) -> None:
    pack = starter_with(tmp_path, lambda cities: (cities / "hangzhou.json").unlink())
    report = produce(replace(order, world=pack, skeletons=made_file), tmp_path / "fewer.jsonl").report
    remarks = [read_remark(one) for one in report["remarks"]["failures"]]
    assert [str(one) for one in remarks] == report["failures"]
    why = remarks[0].values["why"]
    assert isinstance(why, Remark) and why.values == {"cities": "杭州市"}


def test_one_file_is_made_by_one_process_at_a_time(order: Order, made_file: Path, tmp_path: Path) -> None:
    out, refused = tmp_path / "tasks.jsonl", list[str]()

    def produce_meanwhile(done: int, total: int | None, label: str) -> None:
        if done in (2, 3):
            with pytest.raises(BeingMade) as busy:
                produce(order, out)
            refused.append(str(busy.value))

    produce(order, out, progress=produce_meanwhile)
    assert len(refused) == 2 and out.read_bytes() == made_file.read_bytes()
    assert not list(tmp_path.glob("*.lock"))


def test_the_tasks_that_are_read_are_not_written_over(order: Order, made_file: Path) -> None:
    with pytest.raises(BadOrder, match="would be written over"):
        produce(replace(order, skeletons=made_file), made_file)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"count": 0}, "0 tasks can't be made"),
        ({"count": 10**6}, "ask for 1 to 20,000"),
        ({"language": "fr"}, "no tasks in the language 'fr'"),
        ({"first_id": -1}, "not a number of a first task"),
    ],
)
def test_orders_that_can_not_be_filled_are_refused(
    order: Order, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    with pytest.raises(BadOrder, match=told):
        produce(replace(order, **change), tmp_path / "tasks.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_holidays_of_the_window_are_known() -> None:
    assert holidays_in(date(2025, 9, 30), 3) == ("National Day",)
    assert holidays_in(date(2026, 2, 15), 3) == ("Chinese New Year's Eve", "Chinese New Year")
    assert holidays_in(date(2025, 11, 3), 4) == ()
