"""Tasks made over a world: what they are like, and that plans prove them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.remarks import read_remark
from benchmark.suites.tripbench.making import production
from benchmark.suites.tripbench.making.chains import Selection
from benchmark.suites.tripbench.making.production import SYNTHESIS, produce, sample
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.making.skeletons import draw_frame, list_skeletons
from benchmark.suites.tripbench.making.tiers import SHAPES
from benchmark.suites.tripbench.modes import most_turns
from benchmark.suites.tripbench.rubrics import hotels, read_rubric
from benchmark.suites.tripbench.rubrics.candidates import DOMAINS, Candidates
from benchmark.suites.tripbench.scoring.verdict import Constraint, Turn, judge_plan
from benchmark.suites.tripbench.tasks import STARTER, TASK_FILES, Task
from benchmark.suites.tripbench.tasks.task import SUBSETS
from benchmark.suites.tripbench.wording import read_requests, read_trip, request_words
from benchmark.synthesis import BadOrder, Order
from sandbox.prompts import prompt_language
from sandbox.toolsets.tripbench.records import TripWorld
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import open_world
from tests import prepared_data
from tests.properties import examples

EACH = 1
"""Tasks of a subset."""
IN_ENGLISH = ("easy", "lit", "pmr")


def order(pack: Path, count: int = EACH, **options: str | int) -> Order:
    """An order of a few tasks."""
    return Order(world=pack, count=count, seed=3, options={"english": 0, "prefix": "x-", **options})


@pytest.fixture(scope="module")
def world(starter_pack: Path) -> TripWorld:
    return trip_world(open_world(starter_pack))


@pytest.fixture(scope="module")
def tasks(starter_pack: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Task]]:
    made: dict[str, list[Task]] = {}
    for subset in SUBSETS:
        out = tmp_path_factory.mktemp("made") / f"{subset}.jsonl"
        english = int(subset in IN_ENGLISH)
        result = produce(order(starter_pack, subset=subset, english=english), out)
        beside = [out.with_name(f"{subset}.{name}") for name in ("report.json", "proofs.jsonl")]
        assert result.tasks == EACH and [*result.files] == [out, *beside]
        _check_proofs(beside[1], TASK_FILES.whole(out)[0].task, trip_world(open_world(starter_pack)))
        made[subset] = [read.task for read in TASK_FILES.whole(out)]
    return made


def _check_proofs(path: Path, task: Task, world: TripWorld) -> None:
    """Each node has a strict plan, and each wish with a fallback a proof that names it or what it stands beside."""
    [proof] = map(json.loads, path.read_text("utf-8").splitlines())
    assert proof["id"] == task.id and len(proof["nodes"]) == len(task.nodes)
    for node, proved in zip(task.nodes, proof["nodes"], strict=True):
        demand = task.demand_after(proved["issued"])
        held = [Constraint(id_, one.rubric, one.args) for id_, one in demand.constraints.items()]
        assert judge_plan(proved["plan"], None, Turn(world, demand.frame, constraints=held)).strict
        refuted = {each["id"]: each for each in proved["infeasible"]}
        assert [*refuted] == [one.id for one in node.instructions if one.fallback]
        assert all(each["state"] == "infeasible" and each["nodes"] > 0 for each in refuted.values())
        assert all(id_ in each["constraints"] for id_, each in refuted.items())


@pytest.mark.parametrize("subset", SUBSETS)
def test_tasks_are_as_their_tier_has_them(subset: str, tasks: dict[str, list[Task]]) -> None:
    for task in tasks[subset]:
        shape = SHAPES[task.subset]
        keys = {one.rubric for one in task.instructions.values() if one.rubric}
        low, high = shape.constraints
        assert (task.tier, task.split) == (shape.tier, "test") and task.task_id.startswith(f"x-{subset}-")
        assert len(task.meta.dates) in shape.days and len(task.meta.stays) + 1 in shape.cities
        assert low <= len(keys) and (len(keys) <= high or subset in ("fit", "pmr"))
        assert 1 <= len(task.nodes[0].instructions) <= shape.first[1]
        assert all(len(node.instructions) <= shape.most for node in task.nodes[1:])
        assert len(task.nodes) < most_turns(task.tier, task.subset, "multi-turn")
        assert bool(task.style) == (subset == "ais")
        if subset in ("easy", "mid", "hard", "lit", "ais"):
            counts = Counter(key.partition(".")[0] for key in keys)
            assert max(counts[domain] for domain in DOMAINS) - min(counts[domain] for domain in DOMAINS) <= 1


@pytest.mark.parametrize("subset", SUBSETS)
def test_enough_is_left_to_choose_from(subset: str, tasks: dict[str, list[Task]], world: TripWorld) -> None:
    for task in tasks[subset]:
        end = task.demand_after(task.instructions)
        selection = Selection(Candidates(world, end.frame), SHAPES[task.subset].per_day)
        for one in end.constraints.values():
            rubric = read_rubric(one.rubric, one.args)
            assert rubric is not None
            selection.add(rubric)
        assert selection.count >= SHAPES[task.subset].per_day * len(end.frame.dates) or subset == "pmr"


def constraints_after(task: Task, ids: list[str]) -> list[Constraint]:
    """What holds."""
    held = task.demand_after(ids).constraints.values()
    return [Constraint(one.id, one.rubric, one.args) for one in held]


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_witness_meets_all_at_the_end(
    subset: str, tasks: dict[str, list[Task]], world: TripWorld
) -> None:
    for task in tasks[subset]:
        end = task.demand_after(task.instructions)
        turn = Turn(world, end.frame, constraints=constraints_after(task, [*task.instructions]))
        assert judge_plan(task.witness, None, turn).strict
        assert len({one.rubric for one in end.constraints.values()}) == len(end.constraints)


@pytest.mark.parametrize("subset", SUBSETS)
def test_each_modification_is_of_its_own_rubric_and_all_words_are_read(
    subset: str, tasks: dict[str, list[Task]]
) -> None:
    for task in tasks[subset]:
        ids, language = {name: id_ for id_, name in task.names.items()}, prompt_language(task.language)
        known = task.instructions
        for one in known.values():
            readings = read_requests(request_words(one, task), language, ids.get)
            if one.behaviour in ("append", "modify"):
                (reading,) = readings
                assert reading.act == {"append": "ask", "modify": "modify"}[one.behaviour]
                assert reading.rubric == read_rubric(one.rubric, one.args)
                assert all(known[id_].rubric == one.rubric for id_ in one.drops)
            else:
                dropped, restored = ({known[id_].rubric for id_ in own} for own in (one.drops, one.restores))
                assert {reading.key for reading in readings} == dropped | restored
                assert one.frame is None or read_trip(request_words(one, task), language) == one.frame


def test_hard_subsets_are_what_they_are_for(tasks: dict[str, list[Task]], world: TripWorld) -> None:
    assert all(len(node.instructions) <= 2 for task in tasks["lit"] for node in task.nodes[1:])
    news = [one for task in tasks["ais"] for one in task.instructions.values() if one.behaviour == "append"]
    assert news and all(one.is_vague for one in news)
    for task in tasks["pmr"]:
        frames = [one.frame for one in task.instructions.values() if one.frame is not None]
        assert frames and frames[0].destinations != task.meta.destinations
        shared = {id_.partition("-")[0] for id_ in task.instructions if id_.startswith("s")}
        assert 6 <= len(shared) <= 9
    for task in tasks["fit"]:
        wishes = [one for one in task.instructions.values() if one.fallback is not None]
        assert 2 <= len(wishes) <= 4
        prover, ids = Prover(world, "en"), [*task.instructions]
        for wish in wishes:
            before = ids[: ids.index(wish.id) + 1]
            assert prover.try_plans(task.demand_after(before)).state == "infeasible"


def test_half_of_the_pairs_turn_back_and_half_join_both_trips(tasks: dict[str, list[Task]]) -> None:
    pairs = [read.task for read in TASK_FILES.whole(STARTER[0]) if read.task.subset == "pmr"]
    turns = [tuple(id_ in task.instructions for id_ in ("to-a", "both")) for task in pairs]
    assert turns == [*([(False, True), (True, False), (True, True), (False, False)] * 2)[: len(pairs)]]
    for task in (*pairs, *tasks["pmr"]):
        ids = [*task.instructions]
        if ids[-1] != "both":
            continue
        turn = ids.index("to-b")
        first = task.demand_after(ids[:turn])
        second = task.demand_after([id_ for id_ in ids if id_ not in ("to-a", "both")])
        joined = task.demand_after(ids)
        later = {one.rubric for one in second.constraints.values()}
        kept = {id_ for id_, one in first.constraints.items() if one.rubric not in later}
        assert {*joined.constraints} == {*second.constraints} | kept
        assert joined.frame == task.demand_after(ids[:-1]).frame


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(1, 9), st.integers(0, 10_000))
def test_nobody_asks_for_more_breakfasts_than_there_are_people(people: int, seed: int) -> None:
    world, random = trip_world(open_world(prepared_data.starter_pack())), Random(seed)
    skeleton = random.choice(list_skeletons(world, random.choice((2, 3))))
    frame = draw_frame(random, skeleton, range(2, 11), production.FIRST, production.LAST, people)
    assert frame is not None
    candidates = Candidates(world, frame)
    form = hotels.BreakfastNumber.draw(random, candidates)
    while form is not None:
        assert 1 <= form.n <= people
        form = form.tighten(random, candidates)


def test_drawn_tasks_ask_for_breakfasts_by_their_party(tasks: dict[str, list[Task]]) -> None:
    shipped = [read.task for read in TASK_FILES.whole(STARTER[0])]
    found = 0
    for task in (*shipped, *(task for own in tasks.values() for task in own)):
        frames = [task.meta, *(one.frame for one in task.instructions.values() if one.frame is not None)]
        assert len({frame.people for frame in frames}) == 1
        asked = [
            one.args["n"] for one in task.instructions.values() if one.rubric == "hotel.breakfast_number"
        ]
        assert all(isinstance(n, float) and 1 <= n <= task.meta.people for n in asked)
        found += len(asked)
    assert found > 5


@pytest.fixture
def lonely_pack(starter_pack: Path, tmp_path: Path) -> Path:
    """The starter world of which only two cities are served: nobody has two trips to choose from."""
    copy = tmp_path / "lonely.sqlite3"
    shutil.copy(starter_pack, copy)
    cities = "SELECT id FROM cities WHERE name IN ('上海市', '杭州市')"
    with closing(sqlite3.connect(copy)) as database, database:
        database.execute(
            f"DELETE FROM services WHERE origin NOT IN ({cities}) OR destination NOT IN ({cities})"
        )
        database.execute("UPDATE meta SET value = 'lonely' WHERE key = 'hash'")
    return copy


def test_what_cannot_be_drawn_is_left_out_and_counted(
    lonely_pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(production, "SHARES", {"easy": 1, "pmr": 1})
    asked = order(lonely_pack, 4)
    result = produce(asked, tmp_path / "one.jsonl")
    produce(asked, tmp_path / "two.jsonl", workers=2)
    for name in ("jsonl", "proofs.jsonl", "report.json"):
        assert (tmp_path / f"one.{name}").read_bytes() == (tmp_path / f"two.{name}").read_bytes()
    assert [read.task.id for read in TASK_FILES.whole(tmp_path / "one.jsonl")] == [
        "x-easy-0001",
        "x-easy-0002",
    ]
    report = result.report
    assert (report["tasks"], report["asked"], report["by_subset"]) == (
        2, {"easy": 2, "pmr": 2}, {"easy": 2, "pmr": 0},
    )  # fmt: skip
    assert report["by_tier"] == {"easy": {"asked": 2, "tasks": 2}, "hard": {"asked": 2, "tasks": 0}}
    first, second = report["left_out"]
    assert (first["id"], second["id"], first["subset"]) == ("x-pmr-0001", "x-pmr-0002", "pmr")
    assert first["draws"] == {"second_trip": production.TRIES} and first["routes"] == ["上海市 – 杭州市"]
    assert result.words[0] == "2 of 4 tasks: 2 of 2 easy, 0 of 2 pmr"
    assert result.words[1].startswith(
        "x-pmr-0001 is left out: none of 30 draws came to a task: the world has no second"
    )


def test_a_preview_tells_what_is_left_out_and_nothing_at_all_is_refused(
    lonely_pack: Path, tmp_path: Path
) -> None:
    asked = order(lonely_pack, 2, subset="pmr")
    shown = sample(asked, 1)
    (place,) = shown.places
    assert (place["id"], place["task"]) == ("x-pmr-0001", None)
    assert "second trip" in str(read_remark(place["failures"][0]))
    assert str(read_remark(shown.notes[0])).startswith(
        "Asked for: 2 PMR: two plans. Each is drawn 30 times at most"
    )
    with pytest.raises(
        BadOrder, match=r"choose another subset, split or world\nx-pmr-0001 is left out.*上海市 – 杭州市"
    ):
        produce(asked, tmp_path / "none.jsonl")
    assert not [*tmp_path.glob("none*")]
    elsewhere = order(lonely_pack, 2, subset="easy", split="train")
    assert (sample(elsewhere, 0).tasks, sample(asked, 0).levels) == (0, {"hard": 2})
    with pytest.raises(
        BadOrder, match=r"none of 1 draws came to a task: the world has no such trip in this split"
    ):
        produce(elsewhere, tmp_path / "none.jsonl")


def test_places_and_cities_that_a_world_lacks_are_told_by_field(
    starter_pack: Path, tasks: dict[str, list[Task]]
) -> None:
    review, task = SYNTHESIS.reviewer(open_world(starter_pack)), tasks["easy"][0]
    raw = task.model_dump(mode="json")
    visit = {"id": "see", "rubric": "attraction.include_attractions", "args": {"ids": ["atlantis-a-001"]}}
    away = {"id": "far", "rubric": "attraction.include_attractions", "args": {"ids": ["suzhou-a-022"]}}
    lost = {**raw["meta"], "origin": "Atlantis"}
    nodes = [{"instructions": [visit, away, {"id": "to", "behaviour": "redirect", "frame": lost}]}]
    told = review(Task.model_validate({**raw, "nodes": nodes, "repeatable": ["nowhere"]}))
    assert [(one.field, str(one.remark)) for one in told] == [
        ("nodes.0.instructions.2.frame.origin", "the world has no city Atlantis"),
        (
            "nodes.0.instructions.0.args.ids.0",
            "the instruction see names the attraction atlantis-a-001, which the world does not have",
        ),
        (
            "nodes.0.instructions.1.args.ids.0",
            "the instruction far asks for the attraction suzhou-a-022 in 苏州市, where no trip of the task goes",
        ),
        ("repeatable.0", "the world has no attraction and no restaurant nowhere"),
    ]


def test_the_same_order_gives_the_same_tasks_and_a_sample_is_its_beginning(
    starter_pack: Path, tasks: dict[str, list[Task]]
) -> None:
    shown = sample(order(starter_pack, subset="easy", english=1), 1)
    assert [place["task"] for place in shown.places] == [
        tasks["easy"][0].model_dump(mode="json", exclude_defaults=True) | {"language": "en", "split": "test"}
    ]
    assert (shown.tasks, shown.levels) == (EACH, {"easy": EACH})
    review = SYNTHESIS.reviewer(open_world(starter_pack))
    assert not review(tasks["easy"][0])
    first, *rest = tasks["fit"][0].nodes
    wish = next(one for node in rest for one in node.instructions if one.fallback)
    bad = {"instructions": [{**wish.model_dump(), "drops": [], "fallback": None}]}
    raw = {**tasks["fit"][0].model_dump(), "nodes": [first.model_dump(), bad]}
    (finding,) = review(Task.model_validate(raw))
    assert finding.field == "nodes" and str(finding.remark).endswith(f"keeps it from that: {wish.id}")


def test_splits_share_no_skeleton(world: TripWorld) -> None:
    found = [each for cities in (2, 3) for each in list_skeletons(world, cities)]
    routes = Counter((each.origin, each.destinations) for each in found)
    assert max(routes.values()) == 1 and {each.split for each in found} == {"train", "test"}
    lonely = [each for each in found if len(each.destinations) == 1]
    assert all(nights.stop <= 10 and nights.start >= 1 for each in lonely for nights in each.nights)


@pytest.mark.parametrize(
    "changes", [{"count": 0}, {"count": 30_000}, {"model": "m"}, {"options": {"prefix": "a b"}}]
)
def test_orders_that_cannot_be_filled_are_refused(
    starter_pack: Path, tmp_path: Path, changes: dict[str, Any]
) -> None:
    with pytest.raises(BadOrder):
        produce(replace(order(starter_pack), **changes), tmp_path / "out.jsonl")


def test_a_set_in_the_shares_of_the_paper_has_all_its_subsets(starter_pack: Path) -> None:
    shown = sample(order(starter_pack, 8), 0)
    assert (shown.tasks, shown.levels) == (8, {"easy": 2, "mid": 2, "hard": 4})


def test_the_shipped_tasks_are_made_again(starter_pack: Path, tmp_path: Path) -> None:
    (path,) = STARTER
    shipped = path.read_bytes().splitlines()
    assert {read.task.subset for read in TASK_FILES.whole(path)} == {*SUBSETS} - {"hard"}
    out = tmp_path / "made.jsonl"
    produce(Order(world=starter_pack, count=2, seed=36, options={"prefix": "starter-", "english": 4}), out)
    assert [drop_witness(line) for line in out.read_bytes().splitlines()] == [
        drop_witness(line) for line in shipped[:2]
    ]


def drop_witness(line: bytes) -> dict[str, Any]:
    """A task but its plan, which another planner may find otherwise."""
    return {key: value for key, value in json.loads(line).items() if key != "witness"}
