"""A whole set of tasks into a file, each with a plan that proves it, and a report beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, cast

from benchmark.jsonlines import json_line
from benchmark.metrics import gettext_noop as _
from benchmark.outputs import open_output
from benchmark.processes import map_in_processes
from benchmark.remarks import Remark
from benchmark.suites.base import fill_options
from benchmark.suites.tripbench.making.drafting import Request, draw_task
from benchmark.suites.tripbench.making.impossible import draw_impossible_task
from benchmark.suites.tripbench.making.ordering import OPTIONS, PAPER, SHARES
from benchmark.suites.tripbench.making.pairs import draw_pair_task
from benchmark.suites.tripbench.making.proofs import files_beside, prove_task
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.making.skeletons import list_skeletons
from benchmark.suites.tripbench.making.tiers import SHAPES
from benchmark.suites.tripbench.tasks.task import Subset, Task
from benchmark.synthesis import (
    MOST_TASKS,
    Ask,
    BadOrder,
    Finding,
    Order,
    OrderResult,
    Progress,
    Review,
    Sample,
    Synthesis,
)
from benchmark.text import guarded
from sandbox.tools.language import Language
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import World, open_world

FIRST, LAST = date(2026, 5, 1), date(2026, 9, 30)
TRIES: Final = 30
"""Draws of a task before making gives up."""
_PREFIX = guarded.compile(r"[A-Za-z0-9_.-]{1,20}")
_NO_PLAN: Final = _("No plan was found that keeps all rules and meets all that holds at the end.")
_DRAWS: Final[Mapping[str, Callable[[Random, Request], Task | None]]] = {
    "pmr": draw_pair_task,
    "fit": draw_impossible_task,
}


class TaskOrder(NamedTuple):
    """An order, with its options filled. subsets: of each task, in their order."""

    subsets: Sequence[Subset]
    split: str
    english: int
    prefix: str


def produce(
    order: Order, out: Path, *, ask: Ask | None = None, workers: int = 1, progress: Progress | None = None
) -> OrderResult:
    """Make the tasks of an order into `out`, with a report and proofs beside it. The same order gives the same file.

    Raises:
        BadOrder: the order can't be filled.
        OSError, WorldError: as they come.
    """
    wanted = _read_order(order)
    if not out.parent.is_dir():
        raise BadOrder(f"{out.parent} is no folder; make it first")
    made = [*_make(order, wanted, len(wanted.subsets), workers, progress)]
    tasks = [each.task for each in made]
    report, beside = _report(tasks), files_beside(out)
    files = [out, beside["report"]]
    if order.prove:
        files.append(beside["proofs"])
        with open_output(beside["proofs"]) as file:
            file.writelines(json_line(each.proof) for each in made)
    with open_output(out) as file:
        file.writelines(json_line(_raw(task)) for task in tasks)
    with open_output(beside["report"]) as file:
        file.write(json.dumps(report, ensure_ascii=False, indent=1).encode())
    counts = ", ".join(f"{count} {subset}" for subset, count in report["by_subset"].items())
    return OrderResult(len(tasks), files, report, [f"{len(tasks):,} tasks: {counts}"])


def sample(order: Order, count: int, *, ask: Ask | None = None, progress: Progress | None = None) -> Sample:
    """The first tasks of an order as `produce` makes them. Raises as it."""
    wanted = _read_order(order)
    made = _make(replace(order, prove=False), wanted, count, 1, progress)
    places = [{"task": _raw(each.task), "failures": []} for each in made]
    tiers = Counter[str](SHAPES[subset].tier for subset in wanted.subsets)
    return Sample(places, len(wanted.subsets), dict(tiers), [])


def reviewer(world: World) -> Review:
    """Whether a plan is found for all that holds at the end of a task."""

    def review(task: Task) -> Sequence[Finding]:
        prover = Prover(trip_world(world), task.language)
        plan = prover.find_plan(task.demand_after(task.instructions))
        return [] if plan is not None else [Finding("nodes", Remark(_NO_PLAN))]

    return review


SYNTHESIS: Final = Synthesis(produce, sample, files_beside, reviewer, (FIRST, LAST))


class _Place(NamedTuple):
    """A task that is to be made."""

    subset: Subset
    id: str
    language: Language


class _ProvenTask(NamedTuple):
    """proof: empty where none was asked for."""

    task: Task
    proof: Mapping[str, Any]


def _make(
    order: Order, wanted: TaskOrder, count: int, workers: int, progress: Progress | None
) -> Iterator[_ProvenTask]:
    places, numbers = list[_Place](), Counter[str]()
    for at, subset in enumerate(wanted.subsets[:count], 1):
        numbers[subset] += 1
        language: Language = "en" if wanted.english and at % wanted.english == 0 else "zh"
        places.append(_Place(subset, f"{wanted.prefix}{subset}-{numbers[subset]:04d}", language))
    # Not the order: its options are read-only, and other processes can't be given such.
    needs = _Needs(
        order.world, order.seed, wanted.split, (order.first or FIRST, order.last or LAST), order.prove
    )
    for at, made in enumerate(map_in_processes(_maker, (needs,), places, workers), 1):
        yield made
        if progress is not None:
            progress(at, count, "tasks")


class _Needs(NamedTuple):
    """What a process makes an order's tasks from. dates: first and last on which trips may start."""

    world: Path
    seed: int
    split: str
    dates: tuple[date, date]
    prove: bool


def _maker(needs: _Needs) -> Callable[[_Place], _ProvenTask]:
    """Makes tasks of an order, with their proofs."""
    world, split = trip_world(open_world(needs.world)), needs.split
    skeletons = {
        cities: [each for each in list_skeletons(world, cities) if each.split == split] for cities in (2, 3)
    }

    def make(place: _Place) -> _ProvenTask:
        request = Request(world, skeletons, place.subset, place.id, place.language, split, *needs.dates)
        task = _draw(needs.seed, request)
        if not needs.prove:
            return _ProvenTask(task, {})
        known: list[Mapping[str, Any]] = [task.witness] if task.witness else []
        return _ProvenTask(task, prove_task(task, Prover(world, task.language, known)))

    return make


def _draw(seed: int, request: Request) -> Task:
    """The first draw that comes to something, whatever other tasks are made. Raises BadOrder."""
    draw = _DRAWS.get(request.subset, draw_task)
    for number in range(TRIES):
        task = draw(Random(f"{seed}/{request.id}/{number}"), request)
        if task is not None:
            return task
    raise BadOrder(
        f"{request.id}: {TRIES} draws came to nothing; this world has too few places or journeys for it"
    )


def _read_order(order: Order) -> TaskOrder:
    chosen = fill_options(OPTIONS, order.options)
    count = order.count
    if not 1 <= count <= MOST_TASKS:
        raise BadOrder(f"{count} tasks can't be made; ask for 1 to {MOST_TASKS:,}")
    if order.model:
        raise BadOrder("tasks of TRIP-Bench are made by rule; choose no model")
    if not _PREFIX.fullmatch(str(chosen["prefix"])):
        raise BadOrder("ids can't begin so: write 1 to 20 letters, digits, and any of . _ -")
    if (order.last or LAST) < (order.first or FIRST):
        raise BadOrder("the last day of departure lies before the first; turn them")
    subset = str(chosen["subset"])
    subsets = _shared_out(count) if subset == PAPER else [cast(Subset, subset)] * count
    return TaskOrder(subsets, str(chosen["split"]), int(chosen["english"]), str(chosen["prefix"]))


def _shared_out(count: int) -> list[Subset]:
    """So many subsets in the shares of the paper, mixed so that any first ones have nearly the same shares."""
    told: list[Subset] = []
    counts: Counter[str] = Counter()
    for _n in range(count):
        subset = min(SHARES, key=lambda own: (counts[own] + 0.5) / SHARES[own])
        counts[subset] += 1
        told.append(subset)
    return told


def _raw(task: Task) -> dict[str, Any]:
    """As it stands in a file."""
    return task.model_dump(mode="json", exclude_defaults=True) | {
        "language": task.language,
        "split": task.split,
    }


def _report(tasks: Sequence[Task]) -> dict[str, Any]:
    ends = [task.demand_after(task.instructions).constraints for task in tasks]
    keys = Counter(one.rubric for own in ends for one in own.values())
    return {
        "tasks": len(tasks),
        "by_subset": dict(Counter(task.subset for task in tasks)),
        "by_days": {
            str(days): count
            for days, count in sorted(Counter(len(task.meta.dates) for task in tasks).items())
        },
        "by_domain": dict(Counter(key.partition(".")[0] for key in keys.elements())),
        "by_rubric": dict(sorted(keys.items())),
        "instructions": sum(len(task.instructions) for task in tasks),
        "english": sum(task.language == "en" for task in tasks),
    }
