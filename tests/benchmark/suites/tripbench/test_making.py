"""Tasks made over a world: what they are like, and that plans prove them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmark.suites.tripbench.making.chains import Selection
from benchmark.suites.tripbench.making.production import SYNTHESIS, produce, sample
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.making.skeletons import list_skeletons
from benchmark.suites.tripbench.making.tiers import SHAPES
from benchmark.suites.tripbench.modes import most_turns
from benchmark.suites.tripbench.rubrics import read_rubric
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
    assert [finding.field for finding in review(Task.model_validate(raw))] == ["nodes"]


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
