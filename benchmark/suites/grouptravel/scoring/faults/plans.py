"""Faults in the plan: costs, places and participants that can't be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Self

from benchmark.suites.grouptravel.itineraries.clock import calendar_day
from benchmark.suites.grouptravel.itineraries.reading import ATTRACTION, FOOD, HOTEL, Leg
from benchmark.suites.grouptravel.preferences.schema import CITY_ROOT, GLOBAL_ROOT
from benchmark.suites.grouptravel.preferences.tables import descend
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.faults.fault import Fault
from benchmark.suites.grouptravel.scoring.published import budget_limit
from benchmark.suites.grouptravel.scoring.run_record import Reference
from benchmark.suites.grouptravel.scoring.trip import Course, Outing, Step, Trip


class PlanFaults(NamedTuple):
    """A plan beside the tables of its users and the catalogue."""

    trip: Trip
    tables: dict[str, Any]
    catalogue: Catalogue

    @classmethod
    def of(cls, references: Mapping[str, Reference], trip: Trip, catalogue: Catalogue) -> Self:
        """With the tables of those users who have one."""
        tables = {user: references[user].table for user in trip.users if user in references}
        return cls(trip, tables, catalogue)

    def found(self) -> Iterator[Fault]:
        """Every fault, in list order."""
        for course in self.trip.courses:
            for step in course.steps:
                for key, reason in self._of_leg(step) if isinstance(step, Leg) else self._of_outing(step):
                    yield Fault(f"{_path(course, step)}.{key}", reason)

    def _of_leg(self, leg: Leg) -> list[tuple[str, str]]:
        return [("avg_cost", "no_cost")] if _is_no_amount(leg.cost) and self._is_paid(leg) else []

    def _of_outing(self, outing: Outing) -> list[tuple[str, str]]:
        activity, found = outing.activity, []
        if _is_no_amount(activity.cost) and self._is_paid(outing):
            found.append(("avg_cost", "no_cost"))
        if not isinstance(activity.written.get("location", ""), str) and self._is_compared(outing):
            found.append(("location", "no_place"))
        if not activity.shared and _are_no_names(activity.participants):
            found.append(("participants", "no_names"))
        return found

    def _is_paid(self, step: Step) -> bool:
        """Whether a user with a budget pays it."""
        if isinstance(step, Leg) or step.activity.kind == HOTEL:
            users = self.trip.users
        elif step.activity.kind == FOOD:
            users = tuple(step.who)
        else:
            return False
        budgets = [descend(self.tables.get(user), (GLOBAL_ROOT, "avg_budget")) for user in users]
        return any(budget_limit(budget) for budget in budgets)

    def _is_compared(self, outing: Outing) -> bool:
        """Whether the place is looked up in a table or the catalogue."""
        kind, known = outing.activity.kind, outing.block.city in self.catalogue
        if kind == HOTEL:
            return known and any(_states_class(table) for table in self.tables.values())
        if kind == ATTRACTION and known and calendar_day(outing.day.date):
            return True
        visits = {ATTRACTION: self.trip.sights, FOOD: self.trip.meals}.get(kind, {}).get(outing.block.city)
        if visits is None or outing not in visits.outings:
            return False
        return any(descend(self.tables.get(user), (CITY_ROOT, outing.block.city)) for user in outing.who)


def _states_class(table: Any) -> bool:
    classes = descend(table, (GLOBAL_ROOT, "hotel_preference"))
    return isinstance(classes, dict) and any(classes.values())


def _path(course: Course, step: Step) -> str:
    day = f"plan.days[{course.day.at}]"
    if isinstance(step, Leg):
        return f"{day}.city_segments[{step.at}]"
    return f"{day}.city_segments[{step.block.at}].activities[{step.activity.at}]"


def _is_no_amount(cost: Any) -> bool:
    if not isinstance(cost, (str, list, dict)):
        return False
    paid: Any = cost or 0
    try:
        float(paid)
    except (TypeError, ValueError):
        return True
    return False


def _are_no_names(participants: Any) -> bool:
    if isinstance(participants, list):
        return any(isinstance(name, (list, dict)) for name in participants)
    return not isinstance(participants, (str, dict))
