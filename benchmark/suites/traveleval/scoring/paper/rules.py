"""The rules of the profile `paper`, by the dimension of the published program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from benchmark.suites.traveleval.scoring import costs, routes
from benchmark.suites.traveleval.scoring.costs import Costs
from benchmark.suites.traveleval.scoring.failures import count_failures
from benchmark.suites.traveleval.scoring.itinerary import Itinerary, PlanRefused
from benchmark.suites.traveleval.scoring.paper import ways, wishes, worth
from benchmark.suites.traveleval.scoring.paper.visits import Visits
from benchmark.suites.traveleval.scoring.published_rules import (
    Conditions,
    PlanScore,
    apply_rules,
    need_distance,
    straight_way_between_visits,
    way_between_visits,
)
from benchmark.suites.traveleval.scoring.queue import NO_QUEUE
from benchmark.suites.traveleval.scoring.reading import UndefinedFigure, ratio
from benchmark.suites.traveleval.scoring.results import Result
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables


@dataclass(frozen=True)
class PaperReckoning:
    """A plan, and what several rules need of it. Its properties raise UndefinedFigure."""

    plan: Itinerary
    conditions: Conditions

    @cached_property
    def without_queues(self) -> PaperReckoning:
        """The same as if nobody queued."""
        return replace(self, conditions=replace(self.conditions, queues=NO_QUEUE))

    @cached_property
    def costs(self) -> Costs:
        """By kind, with every way in the city."""
        return {kind: cost(self.plan) for kind, cost in costs.PARTS.items()}

    @cached_property
    def visits(self) -> Visits:
        """To attractions."""
        return Visits(self.plan, self.conditions.queues)

    @cached_property
    def spreads(self) -> list[float]:
        """How near the attractions of each day are."""
        return ways.spreads(self.plan, need_distance(self))

    def spread_at(self, percent: float) -> Result:
        """A percentile of the spreads."""
        value = routes.percentile(self.spreads, percent)
        if value is None:
            raise UndefinedFigure(("daily_plans",))
        return Result(value)

    def surplus(self) -> Result:
        """SSR; none without roads or days."""
        distance = need_distance(self)
        if not self.plan.schedule:
            raise UndefinedFigure(("daily_plans",))
        for stop in self.plan.stops:
            stop.name.name()
        return routes.roundabout(self.plan, distance)


Rule = Callable[[PaperReckoning], Result]


def _cost(kind: str) -> Rule:
    return lambda own: Result(costs.PARTS[kind](own.plan))


def _share(kind: str) -> Rule:
    return lambda own: Result(ratio(own.costs[kind], costs.total(own.costs)))


RULES: Final[Mapping[str, Mapping[str, Rule]]] = {
    "accuracy": {
        "ccd": lambda own: costs.deviation(own.plan, own.costs),
        "far": lambda own: own.visits.fictitious_visits(),
        "vroh": lambda own: own.visits.closed_visits(),
        "frtc": lambda own: ways.failed_ways(own.plan, own.conditions.service_hours),
        "itd": lambda own: ways.journey_deviation(own.plan),
        "pd": lambda own: wishes.people_deviation(own.plan),
    },
    "constraint": {
        "bcs": lambda own: wishes.within_budget(own.plan, own.costs),
        "tcs": lambda own: wishes.days_as_asked(own.plan),
        "hcs": lambda own: wishes.enough_for_all(own.plan),
        "pas_a": lambda own: wishes.hotel_as_wished(own.plan),
        "pas_t": lambda own: wishes.transport_as_wished(own.plan),
        "pas_c": lambda own: wishes.meals_as_wished(own.plan),
        "ttcs": lambda own: own.visits.of_good_length(),
    },
    "time": {
        "str": lambda own: own.visits.sightseeing_ratio(),
        "dtu": lambda own: own.visits.day_use(),
        "otu": lambda own: own.visits.journey_use(),
    },
    "spatiality": {
        "ssr": lambda own: own.surplus(),
        "csm_p90": lambda own: own.spread_at(90),
        "csm_p95": lambda own: own.spread_at(95),
    },
    "economy": {
        **{f"cost_{kind}": _cost(kind) for kind in costs.KINDS},
        **{f"share_{kind}": _share(kind) for kind in costs.KINDS},
        "be": lambda own: worth.budget_efficiency(own.plan, costs.total(own.costs)),
    },
    "utility": {
        "edi": lambda own: worth.diversity(own.plan),
        "ads": lambda own: worth.density(own.plan, own.conditions.densities),
        "aqe": lambda own: own.visits.quality(),
        "profit": lambda own: worth.profit(own.plan),
    },
}

ABLATIONS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "time": {
        "str_no_queue": lambda own: own.without_queues.visits.sightseeing_ratio(),
        "dtu_no_queue": lambda own: own.without_queues.visits.day_use(),
        "otu_no_queue": lambda own: own.without_queues.visits.journey_use(),
    },
    "spatiality": {"distance": way_between_visits, "distance_geodesic": straight_way_between_visits},
}
"""What the ablations set beside the metrics (Table B3)."""


def score_by_paper(plan: Any, query: Query, tables: Tables, conditions: Conditions) -> PlanScore:
    """The figures of a plan, whatever stands in it: one bad field takes no other metric away."""
    try:
        own = PaperReckoning(Itinerary.read_leniently(plan, query, tables), conditions)
    except PlanRefused as refused:
        return PlanScore(refused.state, refused.field)
    results, missing = apply_rules(RULES, own)
    ablations, _missing = apply_rules(ABLATIONS, own)
    return PlanScore(
        "error" if missing else "success",
        "",
        tuple(RULES),
        results,
        missing,
        ablations,
        count_failures(own.plan),
    )
