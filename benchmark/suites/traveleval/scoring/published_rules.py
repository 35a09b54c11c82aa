"""Profile `published`: the figures of the published program, where that is deterministic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Protocol, TypeVar

from benchmark.suites.traveleval.factors import DENSITIES, Numbers
from benchmark.suites.traveleval.scoring import costs, hours, legs, people, places, routes, wishes, worth
from benchmark.suites.traveleval.scoring.costs import Costs
from benchmark.suites.traveleval.scoring.distances import Distances, straight_distances
from benchmark.suites.traveleval.scoring.failures import count_failures
from benchmark.suites.traveleval.scoring.itinerary import Itinerary, PlanRefused
from benchmark.suites.traveleval.scoring.queue import NO_QUEUE, PUBLISHED_QUEUES, Queues
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure, ratio
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.scoring.routes import Distance, rounded_great_circle
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables


@dataclass(frozen=True)
class Conditions:
    """What plans are scored with. distances: how far places are. service_hours: of public transport, if known.
    densities: attractions a day that travellers want.
    """

    queues: Queues = PUBLISHED_QUEUES
    distances: Distances = straight_distances
    service_hours: tuple[float, float] | None = None
    densities: Numbers = field(default_factory=lambda: DENSITIES)


@dataclass(frozen=True)
class Reckoning:
    """A plan, and what several rules need of it. Its properties raise UndefinedFigure."""

    plan: Itinerary
    conditions: Conditions

    @cached_property
    def without_queues(self) -> Reckoning:
        """The same as if nobody queued."""
        return replace(self, conditions=replace(self.conditions, queues=NO_QUEUE))

    @cached_property
    def costs(self) -> Costs:
        """By kind."""
        return costs.costs_of(self.plan)

    @cached_property
    def useful(self) -> tuple[hours.Ratios, Result]:
        """The share of each visit that is no queue, and their mean."""
        return hours.ratios_of(self.plan, self.conditions.queues)

    @cached_property
    def spreads(self) -> list[float]:
        """How near the places of each day are."""
        return routes.spreads(self.plan, need_distance(self))

    def spread_at(self, percent: float) -> Result:
        """A percentile of the spreads."""
        value = routes.percentile(self.spreads, percent)
        if value is None:
            raise UndefinedFigure(("daily_plans",))
        return Result(value)


class HasPlan(Protocol):
    """A plan, and what it is scored with."""

    @property
    def plan(self) -> Itinerary: ...

    @property
    def conditions(self) -> Conditions: ...


def need_distance(own: HasPlan) -> Distance:
    """The distances of the run. Raises UndefinedFigure where there is no road service."""
    if (distance := own.conditions.distances(own.plan)) is None:
        raise UndefinedFigure(("distances",))
    return distance


Rule = Callable[[Reckoning], Result]


def _of_costs(kind: str) -> Rule:
    return lambda own: Result(own.costs[kind])


def _share_of_costs(kind: str) -> Rule:
    return lambda own: Result(ratio(own.costs[kind], costs.total(own.costs)))


def _surplus(own: Reckoning) -> Result:
    """Without roads it is 0 as published."""
    distance = own.conditions.distances(own.plan)
    return Result(0.0) if distance is None else routes.roundabout(own.plan, distance)


RULES: Final[Mapping[str, Mapping[str, Rule]]] = {
    "accuracy": {
        "ccd": lambda own: costs.deviation(own.plan, own.costs),
        "far": lambda own: places.fictitious(own.plan),
        "vroh": lambda own: places.closed_visits(own.plan),
        "frtc": lambda own: Result(0.0),
        "itd": lambda own: legs.journey_deviation(own.plan),
        "pd": lambda own: people.people_deviation(own.plan),
    },
    "constraint": {
        "bcs": lambda own: costs.within_budget(own.plan, own.costs),
        "tcs": lambda own: wishes.as_long_as_asked(own.plan),
        "hcs": lambda own: people.enough_for_all(own.plan),
        "pas_a": lambda own: wishes.hotel_as_wished(own.plan),
        "pas_t": lambda own: wishes.transport_as_wished(own.plan),
        "pas_c": lambda own: wishes.meals_as_wished(own.plan),
        "ttcs": lambda own: wishes.visits_of_good_length(own.plan, own.conditions.queues),
    },
    "time": {
        "str": lambda own: own.useful[1],
        "dtu": lambda own: hours.day_use(own.plan, own.useful[0]),
        "otu": lambda own: hours.journey_use(own.plan, own.useful[0]),
    },
    "spatiality": {
        "ssr": _surplus,
        "csm_p90": lambda own: own.spread_at(90),
        "csm_p95": lambda own: own.spread_at(95),
    },
    "economy": {
        **{f"cost_{kind}": _of_costs(kind) for kind in costs.KINDS},
        **{f"share_{kind}": _share_of_costs(kind) for kind in costs.KINDS},
        "be": lambda own: worth.budget_efficiency(own.plan, costs.total(own.costs)),
    },
    "utility": {
        "edi": lambda own: worth.diversity(own.plan),
        "ads": lambda own: worth.density(own.plan, own.conditions.densities),
        "aqe": lambda own: worth.quality(own.plan),
        "profit": lambda own: worth.profit(own.plan),
    },
}
"""By the dimension of the published program, in its order. FRTC compares a field that no plan has."""


def way_between_visits(own: HasPlan) -> Result:
    """The mean way between neighbouring attractions of a day (Table B3), by the distances of the run."""
    return routes.way_between_visits(own.plan, need_distance(own))


def straight_way_between_visits(own: HasPlan) -> Result:
    """The same as the crow flies."""
    return routes.way_between_visits(own.plan, rounded_great_circle)


ABLATIONS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "time": {
        "str_no_queue": lambda own: own.without_queues.useful[1],
        "dtu_no_queue": lambda own: RULES["time"]["dtu"](own.without_queues),
        "otu_no_queue": lambda own: RULES["time"]["otu"](own.without_queues),
    },
    "spatiality": {"distance": way_between_visits, "distance_geodesic": straight_way_between_visits},
}
"""What the ablations of the paper set beside the metrics (Table B3), by dimension. They never end a run."""
NEVER_ENDS_A_RUN: Final = "spatiality"
"""The published program takes what it can't compute there for no value."""


@dataclass(frozen=True)
class PlanScore:
    """What a plan is worth.

    run: how the published program ends; refused_at: of the plan, what can't be read. dimensions: those that it has
    finished, the others have no figure in its means. results: by key. missing: the path of what makes a metric
    undefined. ablations: what they give, without what can't be computed. failures: how often it fails otherwise, by
    kind.
    """

    run: str
    refused_at: str = ""
    dimensions: tuple[str, ...] = ()
    results: Mapping[str, Result] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    ablations: Mapping[str, Result] = field(default_factory=dict)
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        """Whether the plan can't be read at all."""
        return not self.results and not self.missing


Own = TypeVar("Own")


def apply_rules(
    rules: Mapping[str, Mapping[str, Callable[[Own], Result]]], own: Own
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


def score_plan(plan: Any, query: Query, tables: Tables, conditions: Conditions) -> PlanScore:
    """The figures of a plan, whatever stands in it."""
    try:
        own = Reckoning(Itinerary.read(plan, query, tables), conditions)
    except PlanRefused as refused:
        return PlanScore(refused.state, refused.field)
    results, missing = apply_rules(RULES, own)
    finished = _finished_dimensions(missing)
    state = "success" if len(finished) == len(RULES) else "error"
    ablations, _missing = apply_rules(ABLATIONS, own)
    return PlanScore(
        state,
        "",
        tuple(finished),
        results,
        missing,
        ablations,
        count_failures(own.plan),
    )


def _finished_dimensions(missing: Mapping[str, str]) -> list[str]:
    """The dimensions up to the first that an undefined metric ends."""
    finished = []
    for dimension, rules in RULES.items():
        if dimension != NEVER_ENDS_A_RUN and rules.keys() & missing.keys():
            break
        finished.append(dimension)
    return finished
