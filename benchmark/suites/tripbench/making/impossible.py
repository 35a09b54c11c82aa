"""Tasks with wishes that can't be met and are taken back (FIT), with a proof for each."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from benchmark.suites.tripbench.making.drafting import Request, draw_task, place_names
from benchmark.suites.tripbench.making.proving import Prover
from benchmark.suites.tripbench.making.shortfalls import NothingDrawn
from benchmark.suites.tripbench.modes import MOST_TURNS
from benchmark.suites.tripbench.rubrics import RUBRICS, general, hotels, read_rubric, transport
from benchmark.suites.tripbench.rubrics.base import Rubric
from benchmark.suites.tripbench.rubrics.candidates import PLACES, Candidates
from benchmark.suites.tripbench.rubrics.figures import FigureRubric, LeastFigure, round_figure
from benchmark.suites.tripbench.tasks.task import Demand, Instruction, Node, Task

WISHES: Final = (2, 4)
"""That can't be met."""
_LOWER: Final = (0.8, 0.6, 0.4, 0.25, 0.15)
_NEW_WISHES: Final = 40


def draw_impossible_task(random: Random, request: Request) -> Task:
    """One task. Raises NothingDrawn."""
    task = draw_task(random, request)
    prover = Prover(request.world, request.language)
    wanted = random.randint(*WISHES)
    nodes = [*task.nodes]
    demand = task.demand_after(task.instructions)
    wishes: list[Instruction] = []
    for wish in _wishes(random, request, demand):
        if len(wishes) == wanted:
            break
        if _is_impossible(prover, demand, wish):
            wishes.append(wish)
    if len(wishes) < WISHES[0]:
        raise NothingDrawn("wishes", task.meta)
    room = MOST_TURNS["hard"] - 1 - len(nodes)
    if room < 1:
        raise NothingDrawn("turns", task.meta)
    while wishes:
        count = -(-len(wishes) // room)
        nodes.append(Node(instructions=tuple(wishes[:count])))
        wishes, room = wishes[count:], room - 1
    names = place_names(request.world, (one for node in nodes for one in node.instructions))
    return Task.model_validate({**task.model_dump(), "nodes": nodes, "names": names})


def _is_impossible(prover: Prover, demand: Demand, wish: Instruction) -> bool:
    """Whether it is proved that no plan meets a wish beside what holds."""
    held = {id_: one for id_, one in demand.constraints.items() if id_ not in wish.drops}
    return prover.try_plans(Demand(demand.frame, {**held, wish.id: wish})).state == "infeasible"


def _wishes(random: Random, request: Request, demand: Demand) -> Iterator[Instruction]:
    """Stricter forms of what holds, each of which goes back by a step, then new wishes, each of which goes."""
    candidates = Candidates(request.world, demand.frame)
    held = [*demand.constraints.values()]
    for one in random.sample(held, len(held)):
        rubric = read_rubric(one.rubric, one.args)
        args = None if rubric is None else _excess(rubric, candidates)
        if args is not None:
            id_ = f"{one.id}-x"
            back = Instruction(id=f"{id_}-back", behaviour="rollback", drops=(id_,), restores=(one.id,))
            yield _wish(id_, one.rubric, args, (one.id,), back)
    used = {one.rubric for one in held}
    free = [key for key in RUBRICS if key not in used]
    for number, key in enumerate(random.choices(free, k=_NEW_WISHES) if free else ()):
        drawn = RUBRICS[key].draw(random, candidates) if key not in used else None
        args = None if drawn is None else _excess(drawn, candidates)
        if args is not None:
            used.add(key)
            id_ = f"n{number + 1}"
            yield _wish(id_, key, args, (), Instruction(id=f"{id_}-gone", behaviour="delete", drops=(id_,)))


def _wish(
    id_: str, rubric: str, args: dict[str, Any], drops: tuple[str, ...], back: Instruction
) -> Instruction:
    behaviour = "modify" if drops else "append"
    told = {
        "id": id_,
        "behaviour": behaviour,
        "rubric": rubric,
        "args": args,
        "drops": drops,
        "fallback": back,
    }
    return Instruction.model_validate(told)


def _excess(rubric: Rubric, candidates: Candidates) -> dict[str, Any] | None:
    """Arguments of a form that a city, a leg or the whole trip can't meet; None where nobody would say such a one."""
    if isinstance(rubric, LeastFigure):
        return _too_high(rubric, candidates)
    if isinstance(rubric, hotels.Location) and rubric.op == "center" and rubric.km is not None:
        return _first_without(rubric, candidates, [{"km": _lower(rubric.km, share)} for share in _LOWER])
    if isinstance(rubric, hotels.Cost | transport.Cost | general.TotalBudget):
        if isinstance(rubric, FigureRubric) and rubric.op != "less":
            return None
        least = _least_cost(rubric, candidates)
        if least is None or least >= rubric.a:
            return None
        return {**rubric.arguments, "a": _lower(least, 0.9)}
    return None


def _lower(value: float, share: float) -> float:
    return round_figure(value * share, up=False)


def _least_cost(rubric: Rubric, candidates: Candidates) -> float | None:
    if isinstance(rubric, hotels.Cost):
        return next(iter(hotels.usual_costs(candidates, rubric.level)), None)
    if isinstance(rubric, transport.Cost):
        return transport.usual_fare(candidates, rubric.level, 0)
    return candidates.trip_cost(0)


def _too_high(rubric: LeastFigure[Any, Any, Any], candidates: Candidates) -> dict[str, Any] | None:
    """A figure that some hotel or restaurant has, but none of one city, or of none where it has no upper end."""
    if rubric.domain not in PLACES:
        return None
    values = rubric.values(candidates)
    above = sorted({value for value in values if value > rubric.min})
    return _first_without(
        rubric, candidates, [{"min": round_figure(value, up=False)} for value in above[-3:]]
    )


def _first_without(
    rubric: Rubric, candidates: Candidates, proposals: list[dict[str, Any]]
) -> dict[str, Any] | None:
    """The first that leaves a night without a hotel, or fewer restaurants than full days."""
    for proposal in proposals:
        told = {**rubric.arguments, **proposal}
        form = rubric.read(told)
        if form is not None and _is_short(form, candidates):
            return told
    return None


def _is_short(form: Rubric, candidates: Candidates) -> bool:
    world = candidates.world
    places = world.hotels_by_id if form.domain == "hotel" else world.restaurants_by_id
    cities = [places[id_].city for id_ in form.feasible_ids(candidates)]
    if form.domain == "hotel":
        return not {*candidates.frame.nights} <= {*cities}
    return len(cities) < max(1, candidates.days - len(candidates.frame.legs))
