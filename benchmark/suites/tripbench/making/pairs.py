"""Tasks of two trips (PMR): the user turns to another one, perhaps back, and perhaps joins both."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.making.drafting import Request, draw_trip, make_task
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.making.stories import Line, shorten_chains
from benchmark.suites.tripbench.making.wishes import Wishes
from benchmark.suites.tripbench.rubrics.candidates import Candidates
from benchmark.suites.tripbench.tasks.task import Behaviour, Instruction, Node, Task

SHARED_CHAINS: Final = (6, 9)
"""Chains that both trips have."""
_OWN_LEAST: Final = 2
_TURN_BACK_P: Final = 0.5
_MERGE_P: Final = 0.5
_TRIES: Final = 10
_OF_ONE_TRIP: Final = ("attraction.include_attractions", "attraction.exclude_attractions")
"""Rubrics that name places of one city, so that two trips can't share them."""


def draw_pair_task(random: Random, request: Request) -> Task | None:
    """One task; None where this draw came to nothing."""
    frames = _draw_frames(random, request)
    if frames is None:
        return None
    prover = Prover(request.world, request.language)
    trips = [Candidates(request.world, frame) for frame in frames]
    count = random.randint(*request.shape.constraints)
    shared_count = min(random.randint(*SHARED_CHAINS), count - _OWN_LEAST)
    shared = Wishes(random, trips, request.shape.per_day)
    names = [f"s{n + 1}" for n in range(shared_count)]
    if not shared.settle(names, prover, _OF_ONE_TRIP):
        return None
    owns = []
    for letter, trip in zip("ab", trips, strict=True):
        wishes = Wishes(random, [trip], request.shape.per_day)
        wishes.chains |= shared.chains
        own = [f"{letter}{n + 1}" for n in range(count - shared_count)]
        if not wishes.settle(own, prover) or any(
            wishes.chains.get(name) != shared.chains[name] for name in names
        ):
            return None
        owns.append([wishes.chains[name] for name in own])
    chains = [shared.chains[name] for name in names]
    room = request.shape.turns
    lines = [
        [Line(f"{letter}{n + 1}", chain) for n, chain in enumerate(shorten_chains(random, told, room // 3))]
        for letter, told in (("s", chains), ("a", owns[0]), ("b", owns[1]))
    ]
    story = _Story(random, request, frames)
    nodes = story.tell(*lines)
    task = make_task(request, frames[0], nodes, random)
    if len(nodes) >= request.shape.turns or not prover.proves_turns(task):
        return None
    return task.model_copy(update={"witness": prover.find_plan(task.demand_after(task.instructions))})


def _draw_frames(random: Random, request: Request) -> tuple[Frame, Frame] | None:
    """Two trips of the same people from the same city to others, on other dates."""
    first = draw_trip(random, request)
    if first is None:
        return None
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
    return None


class _Story:
    """The nodes of two trips, as they are told."""

    def __init__(self, random: Random, request: Request, frames: tuple[Frame, Frame]) -> None:
        self.random, self.shape, self.frames = random, request.shape, frames
        self.nodes: list[Node] = []

    def tell(self, shared: Sequence[Line], first: Sequence[Line], second: Sequence[Line]) -> list[Node]:
        """All lines: those of the first trip, the turn to the second with its own, perhaps back, perhaps both."""
        both = [[*line.instructions] for line in (*shared, *first)]
        self.random.shuffle(both)
        least, most = self.shape.first
        count = min(self.random.randint(least, most), len(both))
        self.nodes.append(Node(instructions=tuple(queue.pop(0) for queue in both[:count])))
        self._say(both)
        mine, others = ([line.ids[-1] for line in lines] for lines in (first, second))
        self._say([[self._turn("to-b", "redirect", 1, mine, ())], *([*line.instructions] for line in second)])
        if self.random.random() < _TURN_BACK_P:
            self.nodes.append(Node(instructions=(self._turn("to-a", "rollback", 0, others, mine),)))
            mine, others = others, mine
        if self.random.random() < _MERGE_P:
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
        frame = self.frames[0 if absent and absent[0].startswith("b") else 1]
        return Instruction(
            id="both", behaviour="merge", frame=frame, drops=tuple(drops), restores=tuple(restores)
        )
