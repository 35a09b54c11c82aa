"""The execution of a session's plan, under its options."""

from __future__ import annotations

from benchmark.core.options import Options
from benchmark.plans.view import Plan
from benchmark.suites.traveleval.names import standardise
from benchmark.suites.traveleval.scoring.conditions import conditions_of, wants_standard_names
from benchmark.suites.traveleval.scoring.execution.journey import execute
from benchmark.suites.traveleval.scoring.execution.steps import Execution
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.world import Tables


def execute_with_options(plan: Plan, query: Query, tables: Tables, options: Options) -> Execution:
    """What becomes of a plan with its names and queues as they are scored by the paper."""
    if wants_standard_names(options):
        plan, _changes = standardise(plan, tables, query.target_city)
    own = Itinerary.read(plan, query, tables)
    return execute(own, conditions_of(options, by_paper=True).queues)
