"""Tasks of two trips (PMR): the user turns to another one, perhaps back, and perhaps joins both."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Final, NamedTuple

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.making.chains import Chain
from benchmark.suites.tripbench.making.drafting import Request, draw_trip, make_task
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.making.shortfalls import NothingDrawn
from benchmark.suites.tripbench.making.stories import Line, shorten_chains
from benchmark.suites.tripbench.making.tiers import Shape
from benchmark.suites.tripbench.making.wishes import Side, Wishes
from benchmark.suites.tripbench.rubrics.candidates import Candidates
from benchmark.suites.tripbench.tasks.task import Behaviour, Instruction, Node, Task

SHARED_CHAINS: Final = (6, 9)
"""Chains that both trips have."""
_OWN_LEAST: Final = 2
_TRIES: Final = 10
_OF_ONE_TRIP: Final = ("attraction.include_attractions", "attraction.exclude_attractions")
"""Rubrics that name places of one city, so that two trips can't share them."""


class Turns(NamedTuple):
    """What the user does after turning to the other trip. back: whether to the first again; joins: whether both."""

    back: bool
    joins: bool


TURNS: Final = (Turns(False, True), Turns(True, False), Turns(True, True), Turns(False, False))
"""Of tasks in turn, by their numbers, so that half of them turn back and half of them join both trips.

Not drawn anew with a task: joined trips are harder to plan, so that fewer of their draws come to something.
"""


def draw_pair_task(random: Random, request: Request) -> Task:
    """One task. Raises NothingDrawn."""
    frames = _draw_frames(random, request)
    turns = TURNS[(request.number - 1) % len(TURNS)]
    prover = Prover(request.world, request.language)
    shared, *owns = _draw_chains(random, request, frames, turns, prover)
    lines = [
        [
            Line(f"{letter}{n + 1}", chain)
            for n, chain in enumerate(shorten_chains(random, told, request.shape.turns // 3))
        ]
        for letter, told in zip("sab", (shared, *owns), strict=True)
    ]
    nodes = _Story(random, request, frames, turns).tell(*lines)
    task = make_task(request, frames[0], nodes, random)
    if len(nodes) >= request.shape.turns:
        raise NothingDrawn("turns", frames[0])
    if not prover.proves_turns(task):
        raise NothingDrawn("turn", frames[0])
    return task.model_copy(update={"witness": prover.find_plan(task.demand_after(task.instructions))})


def _draw_chains(
    random: Random, request: Request, frames: Sequence[Frame], turns: Turns, prover: Prover
) -> list[list[Chain]]:
    """Those that both trips share, those of the first and those of the second, so that what is joined can be met.

    Raises:
        NothingDrawn: no plan was found for them.
    """
    per_day, trips = request.shape.per_day, [Candidates(request.world, frame) for frame in frames]
    shared_count, *own_counts = _draw_counts(random, request.shape, turns)

    def draw(letter: str, number: int, sides: list[Side], taken: Collection[str]) -> dict[str, Chain]:
        wishes = Wishes(random, sides, per_day)
        wishes.settle([f"{letter}{n + 1}" for n in range(number)], prover, taken)
        return wishes.chains

    shared = draw("s", shared_count, [Side(trip) for trip in trips], _OF_ONE_TRIP)
    drawn = [shared]
    for at, (letter, count) in enumerate(zip("ab", own_counts, strict=True)):
        sides = [Side(trips[at], shared)]
        taken = {chain.key for chain in shared.values()}
        if turns.joins and letter == "b":
            sides.append(Side(trips[0 if turns.back else 1], {**shared, **drawn[1]}))
            if (
                shared_count + own_counts[0] < request.shape.constraints[0]
            ):  # too few to lose some of the first trip
                taken |= {chain.key for chain in drawn[1].values()}
        elif turns.joins and not turns.back:
            sides.append(Side(trips[1], shared))
        if len({side.candidates.frame for side in sides}) > 1:
            taken |= {*_OF_ONE_TRIP}
        drawn.append(draw(letter, count, sides, taken))
    return [[*chains.values()] for chains in drawn]


def _draw_counts(random: Random, shape: Shape, turns: Turns) -> tuple[int, int, int]:
    """How many chains both trips share and each has alone, so that as many hold at the end as the tier has."""
    total = random.randint(*shape.constraints)
    if not turns.joins:
        shared = min(random.randint(*SHARED_CHAINS), total - _OWN_LEAST)
        return shared, total - shared, total - shared
    shared = min(random.randint(*SHARED_CHAINS), total - 2 * _OWN_LEAST)
    first = (total - shared) // 2
    return shared, first, total - shared - first


def _draw_frames(random: Random, request: Request) -> tuple[Frame, Frame]:
    """Two trips of the same people from the same city to others, on other dates. Raises NothingDrawn."""
    first = draw_trip(random, request)
    if first is None:
        raise NothingDrawn("trip")
    others = {
        cities: [
            each
            for each in skeletons
            if each.origin == first.origin and {*each.destinations} != {*first.destinations}
        ]
        for cities, skeletons in request.skeletons.items()
    }
    for _ in range(_TRIES):
        second = draw_trip(random, request._replace(skeletons=others), first.people)
        if second is not None and second.start_date != first.start_date:
            return first, second
    raise NothingDrawn("second_trip", first)


class _Story:
    """The nodes of two trips, as they are told."""

    def __init__(self, random: Random, request: Request, frames: tuple[Frame, Frame], turns: Turns) -> None:
        self.random, self.shape, self.frames, self.turns = random, request.shape, frames, turns
        self.nodes: list[Node] = []

    def tell(self, shared: Sequence[Line], first: Sequence[Line], second: Sequence[Line]) -> list[Node]:
        """All lines: those of the first trip, the turn to the second with its own, and what else they turn to."""
        both = [[*line.instructions] for line in (*shared, *first)]
        self.random.shuffle(both)
        least, most = self.shape.first
        count = min(self.random.randint(least, most), len(both))
        self.nodes.append(Node(instructions=tuple(queue.pop(0) for queue in both[:count])))
        self._say(both)
        mine, others = ([line.ids[-1] for line in lines] for lines in (first, second))
        self._say([[self._turn("to-b", "redirect", 1, mine, ())], *([*line.instructions] for line in second)])
        if self.turns.back:
            self.nodes.append(Node(instructions=(self._turn("to-a", "rollback", 0, others, mine),)))
            mine, others = others, mine
        if self.turns.joins:
            self.nodes.append(Node(instructions=(self._join(first, second, mine),)))
        return self.nodes

    def _say(self, queues: list[list[Instruction]]) -> None:
        """The first queue before all others."""
        while waiting := [queue for queue in queues if queue]:
            said, self_first = waiting[: self.shape.most], waiting[self.shape.most :]
            self.nodes.append(Node(instructions=tuple(queue.pop(0) for queue in said)))
            queues = [*self_first, *said]

    def _turn(
        self, id_: str, behaviour: Behaviour, trip: int, drops: Sequence[str], restores: Sequence[str]
    ) -> Instruction:
        return Instruction(
            id=id_, behaviour=behaviour, frame=self.frames[trip], drops=tuple(drops), restores=tuple(restores)
        )

    def _join(self, first: Sequence[Line], second: Sequence[Line], absent: Sequence[str]) -> Instruction:
        """The trip of now with the wishes of both; of one rubric the later wins."""
        last = {line.ids[-1]: line.chain.key for line in (*first, *second)}
        later = {line.chain.key for line in second}
        gone = [line.ids[-1] for line in first if line.chain.key in later]
        held = [id_ for id_ in last if id_ not in absent]
        drops = [id_ for id_ in held if id_ in gone]
        restores = [id_ for id_ in absent if id_ not in gone]
        frame = self.frames[0 if self.turns.back else 1]
        return Instruction(
            id="both", behaviour="merge", frame=frame, drops=tuple(drops), restores=tuple(restores)
        )
