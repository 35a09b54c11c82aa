"""TRIP-Bench's plans: found in a reply."""

from __future__ import annotations

from benchmark.plans.finding import last_fenced_object
from benchmark.plans.view import Plan
from benchmark.suites.tripbench.plans.schema import PLAN


def find_plan(text: str, _before: Plan | None = None) -> Plan | None:
    """The last closed fence that is an object with a `trip_plan`, else such an object in the outermost braces."""
    plan = last_fenced_object(text, PLAN)
    return plan if plan is not None and PLAN in plan else None
