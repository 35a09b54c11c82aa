"""TRIP-Bench's plans: found in a reply, with the days of the plan before where nothing changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.plans.finding import FENCE, decode_object, last_fenced_object, outermost_braces
from benchmark.plans.view import Plan
from benchmark.suites.tripbench.plans.schema import PLAN, form_faults

DAYS = "daily_schedule"


def find_plan(text: str, before: Plan | None = None) -> Plan | None:
    """The last closed fence that is an object with a `trip_plan`, else such an object in the outermost braces.

    An empty schedule stands for the days of the plan before.
    """
    plan = last_fenced_object(text, PLAN)
    return carry_days(plan, before)[0] if plan is not None and PLAN in plan else None


def sound_form(plan: object) -> Plan | None:
    """A plan of the right form; None for anything else."""
    return plan if isinstance(plan, dict) and not any(form_faults(plan)) else None


def carry_days(plan: Plan, before: object) -> tuple[Plan, bool]:
    """A plan with the days of the one before where it has none, and whether that is so.

    Both must be of the right form; the dates and the party are those that are sent now.
    """
    if not isinstance(plan.get(PLAN), Mapping) or plan[PLAN].get(DAYS) != [] or sound_form(plan) is None:
        return plan, False
    earlier = sound_form(before)
    if earlier is None:
        return plan, False
    return {PLAN: {**plan[PLAN], DAYS: earlier[PLAN][DAYS]}}, True


def prose_around(text: str) -> str:
    """What a reply says beside its plan."""
    parts = text.split(FENCE)
    if len(parts) > 2:
        kept = [part for n, part in enumerate(parts) if n % 2 == 0 or PLAN not in part]
        return " ".join(part.strip() for part in kept).strip()
    braces = outermost_braces(text)
    held: dict[str, Any] | None = decode_object(braces)
    return text.replace(braces, " ").strip() if held is not None and PLAN in held else text
