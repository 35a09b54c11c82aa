"""The rules of both profiles, by the dimension of the published program.

`published` has the figures of the published program, where that is deterministic; `paper` follows appendix A.1 where
the program has other rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from benchmark.suites.traveleval.factors import DENSITIES, Numbers
from benchmark.suites.traveleval.scoring import costs, hours, legs, people, places, routes, wishes, worth
from benchmark.suites.traveleval.scoring.costs import Costs
from benchmark.suites.traveleval.scoring.distances import Distances, straight_distances
from benchmark.suites.traveleval.scoring.itinerary import Itinerary, PlanRefused
from benchmark.suites.traveleval.scoring.paper import ways
from benchmark.suites.traveleval.scoring.paper import wishes as paper_wishes
from benchmark.suites.traveleval.scoring.paper.visits import Visits
from benchmark.suites.traveleval.scoring.queue import NO_QUEUE, PUBLISHED_QUEUES, Queues
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure, keep_answers, ratio
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.scoring.routes import Distance


@dataclass(frozen=True)
class Conditions:
    """What plans are scored with. by_paper: the profile. distances: how far places are. service_hours: of public
    transport, if known. densities: attractions a day that travellers want.
    """

    queues: Queues = PUBLISHED_QUEUES
    distances: Distances = straight_distances
    service_hours: tuple[float, float] | None = None
    densities: Numbers = field(default_factory=lambda: DENSITIES)
    by_paper: bool = False


@dataclass(frozen=True)
class Reckoning:
    """A plan, and what several rules need of it. Its properties raise UndefinedFigure."""

    plan: Itinerary
    conditions: Conditions
    answers: dict[object, Any] = field(default_factory=dict, init=False)

    @property
    def by_paper(self) -> bool:
        """The profile."""
        return self.conditions.by_paper

    @cached_property
    def without_queues(self) -> Reckoning:
        """The same as if nobody queued."""
        return replace(self, conditions=replace(self.conditions, queues=NO_QUEUE))

    @property
    @keep_answers
    def costs(self) -> Costs:
        """By kind; by the paper with every way in the city."""
        return (costs.costs_by_paper if self.by_paper else costs.costs_of)(self.plan)

    @property
    def total_cost(self) -> float:
        """All costs."""
        return costs.total(self.costs)

    @property
    @keep_answers
    def useful(self) -> tuple[hours.Ratios, Result]:
        """The share of each visit that is no queue, and their mean, as published."""
        return hours.ratios_of(self.plan, self.conditions.queues)

    @cached_property
    def visits(self) -> Visits:
        """To attractions, by the paper."""
        return Visits(self.plan, self.conditions.queues)

    @cached_property
    def distance(self) -> Distance | None:
        """The distances of the run; None where there is no road service."""
        return self.conditions.distances(self.plan)

    @property
    def known_distance(self) -> Distance:
        """The same. Raises UndefinedFigure where there is no road service."""
        if self.distance is None:
            raise UndefinedFigure(("distances",))
        return self.distance

    @property
    @keep_answers
    def spreads(self) -> list[float]:
        """How near the places of each day are, by the paper the attractions."""
        find = ways.spreads if self.by_paper else routes.spreads
        return find(self.plan, self.known_distance)


Rule = Callable[[Reckoning], Result]


def _by_profile(published: Rule, paper: Rule) -> Rule:
    return lambda own: (paper if own.by_paper else published)(own)


def _cost(kind: str) -> Rule:
    def find_cost(own: Reckoning) -> Result:
        """What is wrong with one kind takes no other away."""
        try:
            return Result(own.costs[kind])
        except (UndefinedFigure, OverflowError):
            return Result(costs.PARTS[kind](own.plan))

    return _by_profile(lambda own: Result(own.costs[kind]), find_cost)


def _share(kind: str) -> Rule:
    return lambda own: Result(ratio(own.costs[kind], own.total_cost))


def _spread_at(percent: float) -> Rule:
    def find(own: Reckoning) -> Result:
        value = routes.percentile(own.spreads, percent)
        if value is None:
            raise UndefinedFigure(("daily_plans",))
        return Result(value)

    return find


_SIGHTSEEING = _by_profile(lambda own: own.useful[1], lambda own: own.visits.sightseeing_ratio())
_DAY_USE = _by_profile(lambda own: hours.day_use(own.plan, own.useful[0]), lambda own: own.visits.day_use())
_JOURNEY_USE = _by_profile(
    lambda own: hours.journey_use(own.plan, own.useful[0]), lambda own: own.visits.journey_use()
)
RULES: Final[Mapping[str, Mapping[str, Rule]]] = {
    "accuracy": {
        "ccd": lambda own: costs.deviation(own.plan, own.costs),
        "far": _by_profile(
            lambda own: places.fictitious(own.plan), lambda own: own.visits.fictitious_visits()
        ),
        "vroh": _by_profile(
            lambda own: places.closed_visits(own.plan), lambda own: own.visits.closed_visits()
        ),
        "frtc": _by_profile(
            lambda own: Result(0.0),  # it compares a field that no plan has
            lambda own: ways.failed_ways(own.plan, own.conditions.service_hours),
        ),
        "itd": _by_profile(
            lambda own: legs.journey_deviation(own.plan), lambda own: ways.journey_deviation(own.plan)
        ),
        "pd": _by_profile(
            lambda own: people.people_deviation(own.plan), lambda own: paper_wishes.people_deviation(own.plan)
        ),
    },
    "constraint": {
        "bcs": _by_profile(
            lambda own: costs.within_budget(own.plan, own.costs),
            lambda own: paper_wishes.within_budget(own.plan, own.costs),
        ),
        "tcs": _by_profile(
            lambda own: wishes.as_long_as_asked(own.plan), lambda own: paper_wishes.days_as_asked(own.plan)
        ),
        "hcs": _by_profile(
            lambda own: people.enough_for_all(own.plan), lambda own: paper_wishes.enough_for_all(own.plan)
        ),
        "pas_a": _by_profile(
            lambda own: wishes.hotel_as_wished(own.plan), lambda own: paper_wishes.hotel_as_wished(own.plan)
        ),
        "pas_t": _by_profile(
            lambda own: wishes.transport_as_wished(own.plan),
            lambda own: paper_wishes.transport_as_wished(own.plan),
        ),
        "pas_c": _by_profile(
            lambda own: wishes.meals_as_wished(own.plan), lambda own: paper_wishes.meals_as_wished(own.plan)
        ),
        "ttcs": _by_profile(
            lambda own: wishes.visits_of_good_length(own.plan, own.conditions.queues),
            lambda own: own.visits.of_good_length(),
        ),
    },
    "time": {"str": _SIGHTSEEING, "dtu": _DAY_USE, "otu": _JOURNEY_USE},
    "spatiality": {
        "ssr": _by_profile(
            lambda own: routes.roundabout(own.plan, own.distance) if own.distance else Result(0.0),
            lambda own: ways.roundabout(own.plan, own.known_distance),
        ),
        "csm_p90": _spread_at(90),
        "csm_p95": _spread_at(95),
    },
    "economy": {
        **{f"cost_{kind}": _cost(kind) for kind in costs.KINDS},
        **{f"share_{kind}": _share(kind) for kind in costs.KINDS},
        "be": lambda own: worth.budget_efficiency(own.plan, own.total_cost, by_paper=own.by_paper),
    },
    "utility": {
        "edi": lambda own: worth.diversity(own.plan, by_paper=own.by_paper),
        "ads": lambda own: worth.density(own.plan, own.conditions.densities, by_paper=own.by_paper),
        "aqe": _by_profile(lambda own: worth.quality(own.plan), lambda own: own.visits.quality()),
        "profit": lambda own: worth.profit(own.plan, by_paper=own.by_paper),
    },
}
"""By the dimension of the published program, in its order."""
ABLATIONS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "time": {
        "str_no_queue": lambda own: _SIGHTSEEING(own.without_queues),
        "dtu_no_queue": lambda own: _DAY_USE(own.without_queues),
        "otu_no_queue": lambda own: _JOURNEY_USE(own.without_queues),
    },
    "spatiality": {
        "distance": lambda own: routes.way_between_visits(own.plan, own.known_distance),
        "distance_geodesic": lambda own: routes.way_between_visits(own.plan, routes.rounded_great_circle),
    },
}
"""What the ablations of the paper set beside the metrics (Table B3), by dimension. They never end a run."""
NEVER_ENDS_A_RUN: Final = "spatiality"
"""The published program takes what it can't compute there for no value."""


@dataclass(frozen=True)
class PlanScore:
    """What a plan is worth.

    run: how the published program ends; refused_at: of the plan, what can't be read. dimensions: those that it has
    finished, the others have no figure in its means. results: by key. missing: the path of what makes a metric
    undefined. ablations: what they give, without what can't be computed.
    """

    run: str
    refused_at: str = ""
    dimensions: tuple[str, ...] = ()
    results: Mapping[str, Result] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    ablations: Mapping[str, Result] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        """Whether the plan can't be read at all."""
        return not self.results and not self.missing


def score_plan(plan: Itinerary, conditions: Conditions) -> PlanScore:
    """The figures of a plan, whatever stands in it; by the paper one bad field takes no other metric away."""
    try:
        (plan.refuse_no_object if conditions.by_paper else plan.refuse_unreadable)()
    except PlanRefused as refused:
        return PlanScore(refused.state, refused.field)
    own = Reckoning(plan, conditions)
    results, missing = _apply(RULES, own)
    finished = tuple(RULES) if conditions.by_paper else tuple(_finished_dimensions(missing))
    is_whole = not missing if conditions.by_paper else len(finished) == len(RULES)
    ablations, _missing = _apply(ABLATIONS, own)
    state = "success" if is_whole else "error"
    return PlanScore(state, "", finished, results, missing, ablations)


def _apply(
    rules: Mapping[str, Mapping[str, Rule]], own: Reckoning
) -> tuple[dict[str, Result], dict[str, str]]:
    """What each rule gives, and the paths of what the others lack."""
    results: dict[str, Result] = {}
    missing: dict[str, str] = {}
    for key, rule in (item for dimension in rules.values() for item in dimension.items()):
        try:
            results[key] = rule(own)
        except UndefinedFigure as undefined:
            missing[key] = str(undefined)
        except OverflowError:  # a number of hundreds of digits
            missing[key] = ""
    return results, missing


def _finished_dimensions(missing: Mapping[str, str]) -> list[str]:
    """The dimensions up to the first that an undefined metric ends."""
    finished = []
    for dimension, rules in RULES.items():
        if dimension != NEVER_ENDS_A_RUN and rules.keys() & missing.keys():
            break
        finished.append(dimension)
    return finished
