"""Looks for a plan that breaks nothing: choices of rides and lodgings, days filled and filled again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, NamedTuple

from benchmark.plans.view import Plan
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.planner.choices import Choices
from benchmark.suites.tripbench.planner.drafting import Draft
from benchmark.suites.tripbench.planner.lodgings import Choice, Worth, choose_lodgings
from benchmark.suites.tripbench.planner.needs import cuisine_needs_of, needs_of, remoteness_of, with_steps
from benchmark.suites.tripbench.planner.problem import Problem
from benchmark.suites.tripbench.planner.proofs import Proof, find_proof
from benchmark.suites.tripbench.planner.revision import Earlier, read_earlier
from benchmark.suites.tripbench.planner.rides import Ride, journeys
from benchmark.suites.tripbench.planner.stock import Stock
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.scoring.verdict import Constraint, Verdict, judge_plan
from sandbox.toolsets.tripbench.records import TripWorld

MOST_NODES: Final = 60
"""Plans that are judged at most."""
_MOST_REPAIRS: Final = 4
_MOST_JOURNEYS: Final = 60
State = Literal["strict", "infeasible", "unknown"]


class Try(NamedTuple):
    """How a plan is tried: with which rides and lodgings, by their rank, and how cheap it is to be."""

    journey: int
    lodging: int
    style: int
    thrift: int


_TRIES: Final = (
    *(Try(0, 0, 0, 0), Try(0, 0, 0, 1), Try(0, 1, 2, 0), Try(1, 0, 0, 0), Try(0, 0, 0, 2)),
    *(Try(0, 2, 1, 0), Try(2, 0, 2, 0), Try(0, 1, 2, 1), Try(3, 3, 2, 0)),
    *(Try(4, 1, 4, 0), Try(1, 2, 4, 2), Try(6, 5, 2, 0), Try(0, 8, 2, 0)),
)


class Outcome(NamedTuple):
    """What came of planning.

    state: `strict`: the plan breaks nothing; `infeasible`: `proof` says why there is none; `unknown` otherwise. plan:
    the best one found, None where none was. waivers: ids of constraints that it leaves unmet. nodes: how many choices
    and plans were looked at.
    """

    state: State
    plan: Plan | None
    verdict: Verdict | None
    proof: Proof | None
    waivers: tuple[str, ...]
    nodes: int


def plan_trip(
    world: TripWorld,
    frame: Frame,
    constraints: Sequence[Constraint] = (),
    parameters: Parameters | None = None,
    *,
    repeatable: Iterable[str] = (),
    before: object = None,
    language: str = "zh",
    limit_nodes: int = MOST_NODES,
    drop: bool = False,
) -> Outcome:
    """A plan that keeps all rules and meets all constraints, or a proof that there is none, if one of both is found.

    before: the plan so far, of which as much stays as fits. limit_nodes: how many plans are judged at most. drop:
    whether constraints that can't be met are left out, the newest first, so that there is a plan.
    """
    problem = Problem(world, frame, tuple(constraints), parameters or Parameters(), frozenset(repeatable))
    nodes, dropped, first = 0, list[str](), None
    while True:
        stock = Stock(problem)
        proof = find_proof(problem, stock)
        nodes += stock.nodes if proof is None else proof.nodes
        if proof is None:
            break
        first = first or proof
        if not drop or not proof.constraints:
            return Outcome("infeasible", None, None, first, tuple(dropped), nodes)
        dropped.append(proof.constraints[-1])
        problem = problem.drop(dropped)
    search = _Search(stock, before, language, limit_nodes)
    search.run()
    nodes += search.nodes
    verdict = search.verdict
    if verdict is None:
        return Outcome("unknown" if first is None else "infeasible", None, None, first, tuple(dropped), nodes)
    dropped += [id_ for id_, holds in verdict.user.items() if holds is False] if drop else []
    state: State = "infeasible" if first else "strict" if verdict.strict else "unknown"
    return Outcome(state, search.plan, verdict, first, tuple(dropped), nodes)


@dataclass
class _Search:
    stock: Stock
    before: object
    language: str
    limit: int

    def __post_init__(self) -> None:
        self.problem = self.stock.problem
        self.plan: Plan | None = None
        self.verdict: Verdict | None = None
        self.nodes = 0
        self.earlier: Earlier | None = None
        sights = [each.place for each in self.stock.all_sights]
        self._needs = with_steps(self.problem, needs_of(self.problem, sights), sights)
        self._cuisines = cuisine_needs_of(self.problem, [each.place for each in self.stock.all_eateries])
        self._remoteness: dict[str, float] = {}

    def run(self) -> None:
        """Until a plan is strict, or the limit is reached."""
        self.earlier = read_earlier(self.before, self.problem)
        if self.earlier is not None:
            self._judge(self.earlier.plan)
            if not self._is_done:
                self._revise(self.earlier)
        for one in _TRIES:
            if self._is_done:
                return
            self._try(one)

    @property
    def _is_done(self) -> bool:
        return self.nodes >= self.limit or (self.verdict is not None and self.verdict.strict)

    def _judge(self, plan: Plan) -> Verdict:
        """Keeps the best plan; of equally good ones the first."""
        verdict = judge_plan(plan, None, self.problem.turn)
        self.nodes += 1
        if self.verdict is None or _badness(verdict) < _badness(self.verdict):
            self.plan, self.verdict = plan, verdict
        return verdict

    def _choices(self, thrift: int) -> Choices:
        liked = self.earlier.ids if self.earlier else frozenset()
        return Choices(self.problem, self._needs, self._cuisines, liked, thrift)

    def _rides(self, number: int, thrift: int) -> tuple[Ride, ...] | None:
        liked = self.earlier.ids if self.earlier else frozenset()
        *others, last = self.stock.rides
        if self.problem.frame.nights:
            last = [ride for ride in last if self.stock.lodgings_near(ride.service.from_place.point)]
        found = [*islice(journeys(self.problem, [*others, last], liked, thrift > 0), _MOST_JOURNEYS)]
        return found[min(number, len(found) - 1)] if found else None

    def _lodgings(self, number: int, rides: Sequence[Ride], thrift: int) -> Choice | None:
        frame, liked = self.problem.frame, self.earlier.ids if self.earlier else frozenset()
        if not self._remoteness:
            self._remoteness = remoteness_of(
                self.problem, self.stock.all_sights, self._needs, self._choices(0).hotel_km
            )
        worth = Worth(self._remoteness, liked, thrift > 0)
        nights = frame.nights
        stays = [city for city, count in frame.stays if count]
        central = [self.stock.lodgings(city).options for city in stays]
        last = self.stock.lodgings_near(rides[-1].service.from_place.point) if nights else ()
        found = [*islice(choose_lodgings(self.problem, central, last, worth), number + 1)]
        return found[-1] if found else None

    def _try(self, one: Try, kept: bool = False) -> None:
        rides = self._rides(one.journey, one.thrift)
        lodgings = None if rides is None else self._lodgings(one.lodging, rides, one.thrift)
        if rides is None or lodgings is None:
            return
        draft = Draft(self.stock, rides, lodgings, self._choices(one.thrift), self.language, one.style)
        if kept and self.earlier is not None:
            draft.earlier_days = self.earlier.days_that_fit(draft)
        verdict = self._judge(draft.build())
        for _ in range(_MOST_REPAIRS):
            days = _marked_days(verdict)
            if self._is_done or not days:
                return
            verdict = self._judge(draft.rebuild(days))

    def _revise(self, earlier: Earlier) -> None:
        """Keeps all days that fit; then all but one of them, as long as something is unmet."""
        for number in range(len(self.problem.frame.dates) + 1):
            if self._is_done:
                return
            earlier.left_out = number - 1
            self._try(Try(0, 0, 0, False), kept=True)


def _badness(verdict: Verdict) -> tuple[int, int]:
    unsound = len(verdict.soundness) if verdict.soundness_violations is None else verdict.soundness_violations
    unmet = len(verdict.user) if verdict.user_violations is None else verdict.user_violations
    return verdict.feasibility_violations, unsound + unmet


def _marked_days(verdict: Verdict) -> list[int]:
    """The days that something is against."""
    found = {mark.params["day"] for marks in verdict.marks.values() for mark in marks if "day" in mark.params}
    return sorted(int(day) - 1 for day in found)
