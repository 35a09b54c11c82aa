"""Plans that people write: what is wrong with their form is said at its place; no shared line names a benchmark."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from benchmark.core.events import PlanProposed
from benchmark.suites import SUITES, suite_named
from benchmark.suites.grouptravel.itineraries.plans import CLOCK_PATTERN, SCHEMA
from tests import ROOT
from webapp.plans.text import MOST_FAULTS, shape_faults
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session


@pytest.fixture
def plan(recorded_session: Callable[[str], Session]) -> dict[str, Any]:
    """That of the reference agent."""
    bodies = (event.body for event in whole_log(recorded_session("medium").pk))
    return next(body.plan for body in bodies if isinstance(body, PlanProposed))


@pytest.mark.django_db
def test_a_plan_of_the_reference_agent_is_of_its_schema_and_each_fault_is_named_once(
    plan: dict[str, Any],
) -> None:
    assert list(shape_faults(plan, SCHEMA)) == []
    wrong = deepcopy(plan)
    day = wrong["days"][1]
    stay = next(at for at, part in enumerate(day["city_segments"]) if "activities" in part)
    first = day["city_segments"][stay]["activities"][0]
    first["start_time"], first["avg_cost"] = "9 o'clock", "free"
    del wrong["days"][0]["city_segments"]
    place = f"days[1].city_segments[{stay}].activities[0]"
    said = [line.sentence for line in shape_faults(wrong, SCHEMA)]
    assert said[0] == "days[0]: “city_segments” is missing"
    assert said[1:] == [
        f"{place}.avg_cost: this must be: number",
        f"{place}.start_time: this is not of the form {CLOCK_PATTERN}",
    ]
    assert len(list(shape_faults({"days": [{}] * 99}, SCHEMA))) == MOST_FAULTS


def test_the_shared_rooms_of_plans_name_no_benchmark() -> None:
    names = {name for suite in SUITES for name in (suite, suite_named(suite).title.lower())}
    rooms = ("benchmark/plans", "webapp/plans", "templates/plans")
    files = [file for room in rooms for file in (ROOT / room).rglob("*") if file.suffix in (".py", ".html")]
    assert len(files) > 25
    assert [file for file in files if any(name in file.read_text().lower() for name in names)] == []
