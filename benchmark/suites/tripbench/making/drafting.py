"""Tasks of one trip: easy, mid and hard ones, long ones (LIT) and vague ones (AIS)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from random import Random
from typing import Any, Final, NamedTuple

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.making.chains import Chain
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.making.shortfalls import NothingDrawn
from benchmark.suites.tripbench.making.skeletons import Skeleton, draw_frame
from benchmark.suites.tripbench.making.stories import TAKE_BACK_P, Line, shorten_chains, tell_story
from benchmark.suites.tripbench.making.tiers import SHAPES, Shape
from benchmark.suites.tripbench.making.wishes import Side, Wishes
from benchmark.suites.tripbench.rubrics.candidates import Candidates
from benchmark.suites.tripbench.tasks.task import STYLES, Instruction, Node, Subset, Task
from sandbox.tools.language import Language
from sandbox.toolsets.tripbench.records import TripWorld

IDS: Final = "ids"
"""The argument that names attractions."""


class Request(NamedTuple):
    """What is to be made. skeletons: by the number of their cities. number: among the tasks of its subset, from 1.

    first, last: days of departure.
    """

    world: TripWorld
    skeletons: Mapping[int, list[Skeleton]]
    subset: Subset
    number: int
    id: str
    language: Language
    split: str
    first: date
    last: date

    @property
    def shape(self) -> Shape:
        """Of the subset."""
        return SHAPES[self.subset]


def draw_trip(random: Random, request: Request, people: int = 0) -> Frame | None:
    """Where, when, and how many people; None where the world has no such trip. people: 0 for any."""
    known = [cities for cities in request.shape.cities if request.skeletons.get(cities)]
    if not known:
        return None
    skeleton = random.choice(request.skeletons[random.choice(known)])
    return draw_frame(random, skeleton, request.shape.days, request.first, request.last, people)


def draw_task(random: Random, request: Request) -> Task:
    """One task of a single trip. Raises NothingDrawn."""
    frame, shape = draw_trip(random, request), request.shape
    if frame is None:
        raise NothingDrawn("trip")
    prover = Prover(request.world, request.language)
    wishes = Wishes(random, [Side(Candidates(request.world, frame))], shape.per_day)
    names = [f"c{n + 1}" for n in range(random.randint(*shape.constraints))]
    wishes.settle(names, prover)
    nodes = _tell(random, [wishes.chains[name] for name in names], request)
    task = make_task(request, frame, nodes, random)
    plan = prover.find_plan(task.demand_after(task.instructions))
    if plan is None:
        raise NothingDrawn("plan", frame)
    if not prover.proves_turns(task):
        raise NothingDrawn("turn", frame)
    return task.model_copy(update={"witness": plan})


def _tell(random: Random, chains: list[Chain], request: Request) -> list[Node]:
    shape, is_slow = request.shape, request.subset == "lit"
    first = max(1, min(random.randint(*shape.first), len(chains) - 1))
    takes_back = random.random() < TAKE_BACK_P and len(chains) > shape.constraints[0]
    a_turn = 1 if is_slow else shape.most
    room = a_turn * (shape.turns - 2) - (len(chains) - first) - takes_back
    told = shorten_chains(random, chains, max(0, room))
    lines = [Line(f"c{n + 1}", chain, is_vague=request.subset == "ais") for n, chain in enumerate(told)]
    random.shuffle(lines)
    queues = [line.instructions for line in lines]
    if takes_back:
        queues[0] = [*queues[0], lines[0].take_back()]
    return tell_story(random, queues, first, shape, slow=is_slow)


def make_task(request: Request, frame: Frame, nodes: Iterable[Node], random: Random) -> Task:
    """A task of these nodes. random: draws how its user talks."""
    nodes = tuple(nodes)
    return Task.model_validate(
        {
            "id": request.id,
            "language": request.language,
            "tier": request.shape.tier,
            "subset": request.subset,
            "split": request.split,
            "meta": frame,
            "nodes": nodes,
            "style": random.choice(STYLES) if request.subset == "ais" else "",
            "names": place_names(request.world, (one for node in nodes for one in node.instructions)),
        }
    )


def place_names(world: TripWorld, instructions: Iterable[Instruction]) -> dict[str, str]:
    """Of the attractions that instructions name by their ids."""
    ids: list[Any] = [id_ for one in instructions for id_ in place_ids(one)]
    return {id_: world.attractions_by_id[id_].name for id_ in dict.fromkeys(ids)}


def place_ids(instruction: Instruction) -> list[Any]:
    """The attractions that an instruction names."""
    told = instruction.args.get(IDS, [])
    return told if isinstance(told, list) else []
