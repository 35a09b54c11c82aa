"""A whole set of tasks into a file, by several processes, with what belongs to them beside it."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any, get_args

from benchmark.jsonlines import json_line
from benchmark.outputs import open_output, refuse_own_input
from benchmark.processes import drop_unbegun, map_in_processes
from benchmark.remarks import Remark, read_remark
from benchmark.suites.grouptravel.synthesis import holidays
from benchmark.suites.grouptravel.synthesis.difficulty import level, score
from benchmark.suites.grouptravel.synthesis.making import MadeTask as MadeTask
from benchmark.suites.grouptravel.synthesis.making import Maker, Recipe
from benchmark.suites.grouptravel.synthesis.profiles import Profile, read_profiles
from benchmark.suites.grouptravel.synthesis.quotas import Slot, slots
from benchmark.suites.grouptravel.synthesis.resources import Resources
from benchmark.suites.grouptravel.synthesis.skeletons import (
    FIRST_DAY,
    LAST_DAY,
    Skeleton,
    Window,
    skeleton_of,
)
from benchmark.suites.grouptravel.synthesis.writers import Sampler, Writer
from benchmark.suites.grouptravel.tasks.files import TASK_FILES
from benchmark.suites.grouptravel.tasks.task import Difficulty
from benchmark.synthesis import MOST_TASKS, Ask, BadOrder, Order, OrderResult, Progress, Sample
from benchmark.unfinished_set import Partial
from sandbox.worlds import open_world

VERSION = 6
"""Raised whenever the same order may give another file, or what is half done is kept in another form."""
Place = Slot | Skeleton


def produce(
    order: Order, out: Path, *, ask: Ask | None = None, workers: int = 1, progress: Progress | None = None
) -> OrderResult:
    """Make the tasks of an order into `out`, proofs, personas and a report beside it (`files_beside`).

    The same order gives the same file, whatever the number of workers; a model may answer otherwise each time. `out`
    appears whole; what was broken off goes on from `out`.part.

    Raises:
        BadOrder: the order can't be filled, or is not the one that is half done.
        OSError, WorldError, ModelFailure: as they come.
    """
    _check(order)
    if not out.parent.is_dir():
        raise BadOrder(f"{out.parent} is no folder; make it first")
    try:
        refuse_own_input(out, *(path for path in (order.profiles, order.skeletons) if path))
    except ValueError as error:
        raise BadOrder(str(error)) from error
    profiles = _profiles(order)
    resources = Resources(open_world(order.world), profiles)
    places, notes = _places(order, resources)
    partial = Partial(out, _dependencies(order, resources, profiles))
    tell = progress or (lambda done, total, label: None)
    with partial.hold():
        left = [place for place in places if _number(place) not in partial.slots]
        tell(len(places) - len(left), len(places), "tasks")
        kitchen = _Kitchen(order, profiles, ask)
        for made_task in kitchen.make_places(left, workers, resources):
            partial.add(made_task["slot"], made_task)
            tell(len(partial.slots), len(places), "tasks")
        made = _write_set(order, out, [partial.slots[_number(place)] for place in places], resources, notes)
        partial.remove()
    return made


def sample(order: Order, count: int, *, ask: Ask | None = None, progress: Progress | None = None) -> Sample:
    """Some tasks of an order as `produce` makes them: of each difficulty in turn, of the first places.

    Raises:
        BadOrder, OSError, WorldError, ModelFailure: as `produce`.
    """
    _check(order)
    profiles = _profiles(order)
    resources = Resources(open_world(order.world), profiles)
    places, notes = _places(order, resources)
    tell = progress or (lambda done, total, label: None)
    chosen, made_tasks = _vary_difficulty(places, count), list[dict[str, Any]]()
    for made in _Kitchen(order, profiles, ask).make_places(chosen, 1, resources):
        made_tasks.append(made)
        tell(len(made_tasks), len(chosen), "tasks")
    levels = _by_level(map(_level, places))
    return Sample(made_tasks, len(places), levels, [note.as_json() for note in notes])


def files_beside(out: Path) -> dict[str, Path]:
    """Where the proofs, the personas and the report of a set go: tasks.proofs.jsonl and so on beside tasks.jsonl."""
    stem = out.name.removesuffix(".jsonl")
    endings = {"proofs": "proofs.jsonl", "personas": "personas.jsonl", "report": "report.json"}
    return {what: out.with_name(f"{stem}.{ending}") for what, ending in endings.items()}


# The order.


def _check(order: Order) -> None:
    if not 1 <= order.count <= MOST_TASKS:
        raise BadOrder(f"{order.count} tasks can't be made; ask for 1 to {MOST_TASKS:,}")
    if order.language not in ("zh", "en"):
        raise BadOrder(f"there are no tasks in the language {order.language!r}; zh and en can be had")
    if order.first_id < 0:
        raise BadOrder(f"{order.first_id} is not a number of a first task; it must be 0 or more")
    try:
        _window(order)
    except ValueError as error:
        raise BadOrder(str(error)) from error


def _window(order: Order) -> Window:
    return Window(order.first or FIRST_DAY, order.last or LAST_DAY)


def _recipe(order: Order) -> Recipe:
    return Recipe(order.seed, order.language, _window(order), order.first_id, order.prove)


def _profiles(order: Order) -> tuple[Profile, ...] | None:
    if order.profiles is None:
        return None
    try:
        return read_profiles(order.profiles)
    except ValueError as error:
        raise BadOrder(str(error)) from error


def _dependencies(order: Order, resources: Resources, profiles: Sequence[Profile] | None) -> dict[str, Any]:
    """Everything on which the file depends."""
    window = _window(order)
    return {
        "version": VERSION,
        "world": resources.world.name,
        "pack_hash": resources.world.pack_hash,
        "count": order.count,
        "seed": order.seed,
        "language": order.language,
        "first": window.first.isoformat(),
        "last": window.last.isoformat(),
        "first_id": order.first_id,
        "prove": order.prove,
        "profiles": _digest(b"".join(json_line(p.model_dump()) for p in profiles)) if profiles else "",
        "skeletons": _digest(order.skeletons.read_bytes()) if order.skeletons else "",
        "model": order.model,
    }


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _places(order: Order, resources: Resources) -> tuple[list[Place], list[Remark]]:
    """What is to be filled, and what there is to say about it. Raises BadOrder where nothing can be made."""
    if order.skeletons is not None:
        return list(_given_skeletons(order.skeletons)), []
    wanted = slots(order.count, order.seed)
    short = resources.atlas.shortages(wanted)
    lacking = {shortage.cities for shortage in short}
    kept: list[Place] = [slot for slot in wanted if slot.cities not in lacking]
    notes = [*(shortage.what for shortage in short), *resources.atlas.remarks(wanted)]
    if not kept:
        why = "; ".join(map(str, notes))
        raise BadOrder(f"no task can be made over the world {resources.world.name}: {why}")
    return kept, notes


def _given_skeletons(path: Path) -> Iterator[Skeleton]:
    try:
        for number, read in enumerate(TASK_FILES.whole(path), 1):
            try:
                yield skeleton_of(read.task, number)
            except ValueError as error:
                raise ValueError(f"line {read.line}, {error}") from error
    except ValueError as error:
        raise BadOrder(f"{path}: its skeletons can't be used\n{error}") from error


def _number(place: Place) -> int:
    return place.slot if isinstance(place, Skeleton) else place.number


def _level(place: Place) -> str:
    if isinstance(place, Skeleton):
        return place.level
    return level(score(place.users, place.days, place.cities))


def _by_level(levels: Iterable[str]) -> dict[str, int]:
    """How many of each difficulty there are, the easiest first."""
    counts = Counter(levels)
    return {level: counts[level] for level in get_args(Difficulty) if counts[level]}


def _vary_difficulty(places: Sequence[Place], count: int) -> list[Place]:
    """So many of the first places, of each difficulty in turn, in their order."""
    by_level: dict[str, list[Place]] = {}
    for place in places:
        by_level.setdefault(_level(place), []).append(place)
    turns = [place for turn in zip_longest(*by_level.values()) for place in turn if place is not None]
    return sorted(turns[:count], key=_number)


# The work.


@dataclass
class _Kitchen:
    """Who makes the tasks: this process, others, or threads that wait for a model."""

    order: Order
    profiles: tuple[Profile, ...] | None
    ask: Ask | None

    def make_places(
        self, places: Sequence[Place], workers: int, resources: Resources
    ) -> Iterator[dict[str, Any]]:
        """What became of each place, in their order."""
        if self.ask is not None:
            yield from self._by_threads(places, workers)
        elif workers > 1 and len(places) > 1:
            shared = (self.order.world, _recipe(self.order), self.profiles)
            yield from map_in_processes(_filler, shared, places, workers)
        else:
            maker = Maker(resources, _recipe(self.order), self._writer())
            yield from (_fill(maker, place).as_json() for place in places)

    def _writer(self) -> Writer:
        if self.ask is None:
            return Sampler()
        from benchmark.suites.grouptravel.synthesis.by_model import ModelWriter

        return ModelWriter(self.ask)

    def _by_threads(self, places: Sequence[Place], workers: int) -> Iterator[dict[str, Any]]:
        """Each thread has its own handle on the world."""
        own = threading.local()

        def fill(place: Place) -> dict[str, Any]:
            if not hasattr(own, "maker"):
                resources = Resources(open_world(self.order.world), self.profiles)
                own.maker = Maker(resources, _recipe(self.order), self._writer())
            return _fill(own.maker, place).as_json()

        with drop_unbegun(ThreadPoolExecutor(max(1, workers))) as pool:
            yield from pool.map(fill, places)


def _filler(
    world: Path, recipe: Recipe, profiles: tuple[Profile, ...] | None
) -> Callable[[Place], dict[str, Any]]:
    """Fills places without a model."""
    maker = Maker(Resources(open_world(world), profiles), recipe)
    return lambda place: _fill(maker, place).as_json()


def _fill(maker: Maker, place: Place) -> MadeTask:
    return maker.write(place) if isinstance(place, Skeleton) else maker.fill(place)


# What is written.


def _write_set(
    order: Order,
    out: Path,
    rows: Sequence[Mapping[str, Any]],
    resources: Resources,
    notes: Sequence[Remark],
) -> OrderResult:
    tasks = [entry["task"] for entry in rows if entry["task"]]
    proofs = [entry["proof"] for entry in rows if entry["proof"]]
    report = _report(order, rows, resources, notes)
    beside = files_beside(out)
    if not tasks:
        failures = "\n".join(report["failures"][:5])
        raise BadOrder(f"no task passed validation:\n{failures}")
    lines = {"proofs": proofs, "personas": list(_personas(rows)), "report": [report]}
    for what, held in lines.items():
        if held:
            _write(beside[what], held)
    _write(out, tasks)
    files = [out, *(beside[what] for what, held in lines.items() if held)]
    return OrderResult(len(tasks), files, report, _words(report))


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with open_output(path) as file:
        file.writelines(map(json_line, rows))


def _personas(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """A line a task: who its travellers are, by user; tasks tell nothing of it."""
    for entry in rows:
        if entry["task"]:
            yield {"task_id": entry["task"]["task_id"], "personas": entry["personas"]}


def _report(
    order: Order, rows: Sequence[Mapping[str, Any]], resources: Resources, notes: Sequence[Remark]
) -> dict[str, Any]:
    """What was made, what was not and why. remarks: notes and failures once more, for other languages."""
    failures = [why for entry in rows for why in entry["failures"]]
    tasks = [entry["task"] for entry in rows if entry["task"]]
    return {
        "order": _dependencies(order, resources, None) | {"profiles": str(order.profiles or "built in")},
        "tasks": len(tasks),
        "by_difficulty": _by_level(task["difficulty_type"] for task in tasks),
        "by_archetype": dict(sorted(Counter(task["metadata"]["group_id"] for task in tasks).items())),
        "notes": [str(note) for note in notes],
        "not_made": [entry["slot"] for entry in rows if not entry["task"]],
        "replaced": sum(bool(entry["failures"]) and bool(entry["task"]) for entry in rows),
        "made_again": sum(entry["again"] for entry in rows),
        "failures": [str(read_remark(why)) for why in failures],
        "removed": [
            {"slot": entry["slot"], "user": user, "path": path, "item": item}
            for entry in rows
            for user, path, item in entry["removed"]
        ],
        "unreachable": {str(entry["slot"]): entry["flagged"] for entry in rows if entry["flagged"]},
        "proofs": dict(Counter(entry["proof"]["planner"] for entry in rows if entry["proof"])),
        "holidays": holidays.count_holidays(tasks),
        "remarks": {"notes": [note.as_json() for note in notes], "failures": failures},
    }


def _words(report: Mapping[str, Any]) -> list[str]:
    levels = ", ".join(f"{count} {level}" for level, count in sorted(report["by_difficulty"].items()))
    lines = [f"{report['tasks']} tasks: {levels}"]
    lines += report["notes"]
    if report["not_made"]:
        lines.append(f"{len(report['not_made'])} were not made, see failures in the report")
    if report["replaced"]:
        lines.append(f"{report['replaced']} got another skeleton, see failures in the report")
    if report["made_again"]:
        lines.append(f"{report['made_again']} preference tables were made again")
    if report["removed"]:
        lines.append(f"{len(report['removed'])} items went that stood in a stronger tier too")
    if flagged := sum(map(len, report["unreachable"].values())):
        lines.append(f"{flagged} users want a way of travel that the route lacks, so they may give way")
    if report["proofs"]:
        lines.append("solved by the reference planner: " + _tally(report["proofs"]))
    if report["holidays"]:
        lines.append("trips that fall on public holidays: " + _tally(report["holidays"]))
    return lines


def _tally(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
