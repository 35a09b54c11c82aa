"""What is wrong with a task over a world: places that it lacks, and an end that no plan was found for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.making.drafting import IDS, place_ids
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.tasks.task import Instruction, Task
from benchmark.synthesis import Finding, Review
from sandbox.toolsets.tripbench.records import TripWorld
from sandbox.toolsets.tripbench.world import trip_world
from sandbox.worlds import World

_NO_PLAN: Final = _("No plan was found that keeps all rules and meets all that holds at the end.")
_CLASH: Final = _(
    "No plan was found that keeps all rules and meets all that holds at the end; what keeps it from that: %(ids)s"
)
_NO_CITY: Final = _("the world has no city %(city)s")
_NO_PLACE: Final = _("the instruction %(id)s names the attraction %(place)s, which the world does not have")
_OTHER_CITY: Final = _(
    "the instruction %(id)s asks for the attraction %(place)s in %(city)s, where no trip of the task goes"
)
_NO_ITEM: Final = _("the world has no attraction and no restaurant %(place)s")
_MUST_SEE: Final = "attraction.include_attractions"


def reviewer(world: World) -> Review:
    """Looks for unknown cities and places first; only a task that names none is planned."""

    def review(task: Task) -> Sequence[Finding]:
        known = trip_world(world)
        return [*_unknown_places(task, known)] or [*_find_clashes(task, known)]

    return review


def _find_clashes(task: Task, world: TripWorld) -> Iterator[Finding]:
    """An end without a plan."""
    culprits = Prover(world, task.language).find_culprits(task.demand_after(task.instructions))
    if culprits is not None:
        told = Remark(_CLASH, {"ids": ", ".join(culprits)}) if culprits else Remark(_NO_PLAN)
        yield Finding("nodes", told)


def _unknown_places(task: Task, world: TripWorld) -> Iterator[Finding]:
    yield from _unknown_cities("meta", task.meta, world)
    for field, one in _instructions(task):
        if one.frame is not None:
            yield from _unknown_cities(f"{field}.frame", one.frame, world)
    frames = [task.meta, *(one.frame for one in task.instructions.values() if one.frame is not None)]
    cities = {city for frame in frames for city in frame.destinations}
    for field, one in _instructions(task):
        for n, place in enumerate(place_ids(one)):
            given = {"id": one.id, "place": place}
            where = f"{field}.args.{IDS}.{n}"
            if place not in world.attractions_by_id:
                yield Finding(where, Remark(_NO_PLACE, given))
            elif one.rubric == _MUST_SEE and (city := world.attractions_by_id[place].city) not in cities:
                yield Finding(where, Remark(_OTHER_CITY, {**given, "city": city}))
    for n, place in enumerate(task.repeatable):
        if place not in world.attractions_by_id and place not in world.restaurants_by_id:
            yield Finding(f"repeatable.{n}", Remark(_NO_ITEM, {"place": place}))


def _unknown_cities(field: str, frame: Frame, world: TripWorld) -> Iterator[Finding]:
    named = [
        ("origin", frame.origin),
        *((f"stays.{n}.0", city) for n, (city, _nights) in enumerate(frame.stays)),
    ]
    for part, city in named:
        if city not in world.cities:
            yield Finding(f"{field}.{part}", Remark(_NO_CITY, {"city": city}))


def _instructions(task: Task) -> Iterator[tuple[str, Instruction]]:
    """Each with where it stands in the task."""
    for at, node in enumerate(task.nodes):
        for n, one in enumerate(node.instructions):
            field = f"nodes.{at}.instructions.{n}"
            yield field, one
            if one.fallback is not None:
                yield f"{field}.fallback", one.fallback
