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
from benchmark.remarks import Remark, join_remarks
from benchmark.suites.base import fill_options
from benchmark.suites.tripbench.goods import find_lack
from benchmark.suites.tripbench.making.drafting import Request, draw_task
from benchmark.suites.tripbench.making.impossible import draw_impossible_task
from benchmark.suites.tripbench.making.ordering import OPTIONS, PAPER, SHARES
from benchmark.suites.tripbench.making.pairs import draw_pair_task
from benchmark.suites.tripbench.making.proofs import files_beside, prove_task
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.making.review import reviewer
from benchmark.suites.tripbench.making.shortfalls import NothingDrawn, Shortfall, Why
from benchmark.suites.tripbench.making.skeletons import Skeleton, list_skeletons
from benchmark.suites.tripbench.making.tiers import SHAPES
from benchmark.suites.tripbench.tasks.listing import SUBSET_WORDS
from benchmark.suites.tripbench.tasks.task import Subset, Task
from benchmark.synthesis import (
    MOST_TASKS,
    Ask,
    BadOrder,
    Order,
    OrderResult,
    Progress,
    Sample,
    Synthesis,
)
from benchmark.text import guarded
from sandbox.tools.language import Language
from sandbox.toolsets.tripbench.records import TripWorld
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import open_world

FIRST, LAST = date(2026, 5, 1), date(2026, 9, 30)
TRIES: Final = 30
"""Draws of a task before making gives up."""
_PREFIX = guarded.compile(r"[A-Za-z0-9_.-]{1,20}")
_NOTHING: Final = "no task can be made over this world as ordered; choose another subset, split or world"
_ASKED_COUNTS: Final = _(
    "Asked for: %(counts)s. Each is drawn %(draws)s times at most; what comes to nothing is left out, and counted in "
    "the report."
)
_COUNT: Final = _("%(count)s %(subset)s")
_MOST_TOLD: Final = 10
"""Tasks left out that a command tells one by one; the report has all."""
_DRAWS: Final[Mapping[str, Callable[[Random, Request], Task]]] = {
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

    A task that no draw comes to is left out, its id with it, and the report says why.

    Raises:
        BadOrder: the order can't be read, or all of its tasks are left out.
        OSError, WorldError: as they come.
    """
    wanted = _read_order(order)
    if not out.parent.is_dir():
        raise BadOrder(f"{out.parent} is no folder; make it first")
    drawn = [*_make(order, wanted, len(wanted.subsets), workers, progress)]
    made = [each for each in drawn if isinstance(each, _ProvenTask)]
    left_out = [each for each in drawn if isinstance(each, Shortfall)]
    if not made:
        raise BadOrder("\n".join([_NOTHING, *_first_words(left_out)]))
    tasks = [each.task for each in made]
    report, beside = _report(tasks, wanted, left_out), files_beside(out)
    files = [out, beside["report"]]
    if order.prove:
        files.append(beside["proofs"])
        with open_output(beside["proofs"]) as file:
            file.writelines(json_line(each.proof) for each in made)
    with open_output(out) as file:
        file.writelines(json_line(_raw(task)) for task in tasks)
    with open_output(beside["report"]) as file:
        file.write(json.dumps(report, ensure_ascii=False, indent=1).encode())
    return OrderResult(len(tasks), files, report, [_words(report), *_first_words(left_out)])


def sample(order: Order, count: int, *, ask: Ask | None = None, progress: Progress | None = None) -> Sample:
    """The first tasks of an order as `produce` makes them, and which of them are left out.

    Raises:
        BadOrder: the order can't be read.
        OSError, WorldError: as they come.
    """
    wanted = _read_order(order)
    known = {
        cities for cities, own in _skeletons(trip_world(open_world(order.world)), wanted.split).items() if own
    }
    possible = [subset for subset in wanted.subsets if known & {*SHAPES[subset].cities}]
    places = [*map(_place, _make(replace(order, prove=False), wanted, count, 1, progress))]
    tiers = Counter[str](SHAPES[subset].tier for subset in possible)
    told = [
        Remark(_COUNT, {"count": asked, "subset": Remark(SUBSET_WORDS[subset])})
        for subset, asked in Counter(wanted.subsets).items()
    ]
    note = Remark(_ASKED_COUNTS, {"counts": join_remarks(told), "draws": TRIES})
    return Sample(places, len(possible), dict(tiers), [note.as_json()])


def _place(drawn: _ProvenTask | Shortfall) -> dict[str, Any]:
    """As a preview has it."""
    if isinstance(drawn, Shortfall):
        return {"id": drawn.id, "task": None, "failures": [drawn.remark.as_json()]}
    return {"id": drawn.task.id, "task": _raw(drawn.task), "failures": []}


SYNTHESIS: Final = Synthesis(produce, sample, files_beside, reviewer, (FIRST, LAST))


class _Place(NamedTuple):
    """A task that is to be made."""

    subset: Subset
    number: int
    id: str
    language: Language


class _ProvenTask(NamedTuple):
    """proof: empty where none was asked for."""

    task: Task
    proof: Mapping[str, Any]


def _make(
    order: Order, wanted: TaskOrder, count: int, workers: int, progress: Progress | None
) -> Iterator[_ProvenTask | Shortfall]:
    places, numbers = list[_Place](), Counter[str]()
    for at, subset in enumerate(wanted.subsets[:count], 1):
        numbers[subset] += 1
        language: Language = "en" if wanted.english and at % wanted.english == 0 else "zh"
        number = numbers[subset]
        places.append(_Place(subset, number, f"{wanted.prefix}{subset}-{number:04d}", language))
    # Not the order: its options are read-only, and other processes can't be given such.
    needs = _Needs(
        order.world, order.seed, wanted.split, (order.first or FIRST, order.last or LAST), order.prove
    )
    for at, made in enumerate(map_in_processes(_maker, (needs,), places, workers), 1):
        yield made
        if progress is not None:
            progress(at, count, "tasks")


def _skeletons(world: TripWorld, split: str) -> dict[int, list[Skeleton]]:
    """Those of a split by the number of their cities."""
    return {
        cities: [each for each in list_skeletons(world, cities) if each.split == split] for cities in (2, 3)
    }


class _Needs(NamedTuple):
    """What a process makes an order's tasks from. dates: first and last on which trips may start."""

    world: Path
    seed: int
    split: str
    dates: tuple[date, date]
    prove: bool


def _maker(needs: _Needs) -> Callable[[_Place], _ProvenTask | Shortfall]:
    """Makes tasks of an order, with their proofs."""
    world, split = trip_world(open_world(needs.world)), needs.split
    skeletons = _skeletons(world, split)

    def make(place: _Place) -> _ProvenTask | Shortfall:
        subset, number, id_, language = place
        request = Request(world, skeletons, subset, number, id_, language, split, *needs.dates)
        task = _draw(needs.seed, request)
        if isinstance(task, Shortfall):
            return task
        if not needs.prove:
            return _ProvenTask(task, {})
        known: list[Mapping[str, Any]] = [task.witness] if task.witness else []
        return _ProvenTask(task, prove_task(task, Prover(world, task.language, known)))

    return make


def _draw(seed: int, request: Request) -> Task | Shortfall:
    """The first draw that comes to something, whatever other tasks are made."""
    draw, reasons = _DRAWS.get(request.subset, draw_task), list[tuple[Why, str]]()
    for number in range(TRIES):
        try:
            return draw(Random(f"{seed}/{request.id}/{number}"), request)
        except NothingDrawn as nothing:
            reasons.append((nothing.why, nothing.route))
            if nothing.why == "trip" and not any(map(request.skeletons.get, request.shape.cities)):
                break
    return Shortfall(request.id, request.subset, reasons)


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
    if lack := find_lack(open_world(order.world)):
        raise BadOrder(f"{lack}; choose another world, or import one that has them with import_world")
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


def _report(tasks: Sequence[Task], wanted: TaskOrder, left_out: Sequence[Shortfall]) -> dict[str, Any]:
    """asked: how many by subset, in the order of `by_subset`, which has what came of them; by_tier has both."""
    ends = [task.demand_after(task.instructions).constraints for task in tasks]
    keys = Counter(one.rubric for own in ends for one in own.values())
    asked, came = Counter(wanted.subsets), Counter(task.subset for task in tasks)
    tiers = dict.fromkeys(SHAPES[subset].tier for subset in asked)
    return {
        "tasks": len(tasks),
        "asked": dict(asked),
        "by_subset": {subset: came[subset] for subset in asked},
        "by_tier": {tier: {"asked": _of_tier(asked, tier), "tasks": _of_tier(came, tier)} for tier in tiers},
        "left_out": [each.as_json() for each in left_out],
        "by_days": {
            str(days): count
            for days, count in sorted(Counter(len(task.meta.dates) for task in tasks).items())
        },
        "by_domain": dict(Counter(key.partition(".")[0] for key in keys.elements())),
        "by_rubric": dict(sorted(keys.items())),
        "instructions": sum(len(task.instructions) for task in tasks),
        "english": sum(task.language == "en" for task in tasks),
    }


def _of_tier(counts: Mapping[Subset, int], tier: str) -> int:
    return sum(count for subset, count in counts.items() if SHAPES[subset].tier == tier)


def _words(report: Mapping[str, Any]) -> str:
    """Such as `11 of 12 tasks: 6 of 6 easy, 5 of 6 pmr`."""
    asked = report["asked"]
    counts = ", ".join(
        f"{count} of {asked[subset]} {subset}" for subset, count in report["by_subset"].items()
    )
    return f"{report['tasks']:,} of {sum(asked.values()):,} tasks: {counts}"


def _first_words(left_out: Sequence[Shortfall]) -> list[str]:
    """What the first tasks failed by, and how many there are more."""
    more = len(left_out) - _MOST_TOLD
    told = [str(each.remark) for each in left_out[:_MOST_TOLD]]
    return [*told, f"{more} more are left out"] if more > 0 else told
