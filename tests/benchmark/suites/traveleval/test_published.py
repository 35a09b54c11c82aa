from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmark.cases import read_definitions
from benchmark.metrics import POOLED_TRIALS, Trial, column_metrics, run_means, values_of
from benchmark.suites.base import CaseContext
from benchmark.suites.traveleval.metrics import METRICS
from benchmark.suites.traveleval.scoring.cases import score_case
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.queue import PUBLISHED_QUEUES
from benchmark.suites.traveleval.scoring.rules import Conditions, PlanScore, score_plan
from benchmark.suites.traveleval.scoring.sessions import sheet_of
from benchmark.suites.traveleval.tasks import TASK_FILES, Query
from benchmark.suites.traveleval.world import Tables, tables_of
from sandbox.worlds import World
from tests.scale.traveleval import query, scores, sound_plan

Plan = dict[str, Any]


@pytest.fixture
def plan(starter: Tables) -> Plan:
    return sound_plan(starter, Random(7))


def score(plan: Any, starter: Tables, **fields: Any) -> PlanScore:
    return score_plan(Itinerary.read(plan, query(**fields), starter), Conditions())


def value(plan: Any, key: str, starter: Tables, **fields: Any) -> float | str:
    """A figure, or the path of what makes it undefined."""
    scored = score(plan, starter, **fields)
    return scored.missing[key] if key in scored.missing else float(scored.results[key].value)


def test_a_sound_plan_has_every_figure(plan: Plan, starter: Tables) -> None:
    scored = score(plan, starter)
    assert scored.run == "success" and len(scored.dimensions) == 6 and not scored.missing
    figures = {key: result.value for key, result in scored.results.items()}
    assert (figures["far"], figures["frtc"], figures["tcs"], figures["hcs"], figures["pas_a"]) == (
        0,
        0,
        1,
        1,
        1,
    )
    assert figures["itd"] < 0.01 and figures["cost_accommodation"] == 2 * 300 * 2
    assert figures["ads"] == pytest.approx(2 / 3.54)


def test_one_bad_field_leaves_the_other_figures(plan: Plan, starter: Tables) -> None:
    whole = score(plan, starter)
    leg = plan["intercity_transport"]["transport_type"][1]
    del leg["details"]["price"]
    scored = score(plan, starter)
    assert (scored.run, scored.dimensions) == ("error", ())
    where = "intercity_transport.transport_type.1.details.price"
    costs = {key for key in whole.results if key.startswith(("cost_", "share_"))}
    assert scored.missing == dict.fromkeys({"ccd", "bcs", "be", *costs}, where)
    assert scored.results == {
        key: result for key, result in whole.results.items() if key not in scored.missing
    }


@pytest.mark.parametrize(
    ("change", "state", "field"),
    [
        ({"summary": []}, "stops the batch", "summary"),
        ({"summary": {"destination": 5}}, "stops the batch", "summary.destination"),
        ({"daily_plans": [None]}, "rejected", "daily_plans.0"),
        ({"daily_plans": None}, "rejected", "daily_plans"),
        ({"daily_plans": [{"day": 1}, {"day": "2"}]}, "rejected", "daily_plans.0.day"),
        (
            {"daily_plans": [{"day": 1, "activities": [{"cost": "dear"}]}]},
            "rejected",
            "daily_plans.0.activities.0.cost",
        ),
        ({"cost_breakdown": None}, "rejected", "cost_breakdown"),
    ],
)
def test_what_can_not_be_read_is_refused(
    plan: Plan, starter: Tables, change: Plan, state: str, field: str
) -> None:
    scored = score({**plan, **change}, starter)
    assert (scored.run, scored.refused_at, scored.is_refused) == (state, field, True)


@pytest.mark.parametrize("plan", [None, [], "plan", 5, {}])
def test_no_object_is_no_plan(starter: Tables, plan: Any) -> None:
    assert score(plan, starter).run == "stops the batch"


def test_the_plan_of_an_unknown_city_is_scored_over_empty_tables(plan: Plan, starter: Tables) -> None:
    plan["summary"]["destination"] = "巴黎"
    figures = {key: result.value for key, result in score(plan, starter).results.items()}
    assert [figures[key] for key in ("far", "vroh", "itd", "pas_a", "pas_c", "ttcs", "str", "edi")] == [
        1, 1, 1, 0, 0, 1, 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("section", "deviation"),
    [
        (None, "intercity_transport"),
        ([], "intercity_transport"),
        ({}, 1),
        ({"transport_type": None}, 1),
        ({"transport_type": []}, 1),
        ({"transport_type": [None]}, "intercity_transport.transport_type.0"),
    ],
)
def test_a_section_is_an_object_whose_legs_may_lack(
    plan: Plan, starter: Tables, section: Any, deviation: float | str
) -> None:
    assert value({**plan, "intercity_transport": section}, "itd", starter) == deviation
    del plan["intercity_transport"]
    assert value(plan, "itd", starter) == 1


def test_beds_count_twice_where_there_are_tickets_and_cars(plan: Plan, starter: Tables) -> None:
    assert value(plan, "pd", starter) == 1
    for day in plan["daily_plans"]:
        for activity in day["activities"]:
            (activity["details"] or {}).pop("ticket_number", None)
    assert value(plan, "pd", starter) == (4 - 2) / 2, "the cars alone are not counted"


def test_the_last_leg_alone_is_asked_for_rejected_modes(plan: Plan, starter: Tables) -> None:
    legs = plan["intercity_transport"]["transport_type"]
    legs[0]["transportation_to"] = "飞机"
    only_rejected = {"transportation": {"constraints": ["飞机"]}}
    assert value(plan, "pas_t", starter, **only_rejected) == 1
    assert value(plan, "pas_t", starter) == 0
    legs.reverse()
    assert value(plan, "pas_t", starter, **only_rejected) == 0


def test_a_visit_that_lasts_as_short_as_recommended_is_long_enough(plan: Plan, starter: Tables) -> None:
    sight = next(own for own in starter.city("杭州").sights if own.least == 1.5)
    visit = plan["daily_plans"][0]["activities"][0]
    visit.update(location_name=sight.name, start_time="11:10", end_time="12:40")
    plan["daily_plans"][0]["activities"] = [visit]
    plan["daily_plans"] = plan["daily_plans"][:1]
    quiet = {"dates": "2025-03-11 to 2025-03-13"}
    share = value(plan, "str", starter, **quiet)
    assert share == (1 if not {*sight.type_names} & {"自然风光", "历史古迹", "园林", "人文景观"} else 0)


@pytest.mark.parametrize(
    ("day", "factor"),
    [
        ("2025-10-07", 10.06),
        ("2025-01-03", 10.06),
        ("2025-05-05", 10.06),
        ("2025-07-05", 7.55),
        ("2025-07-07", 3.94),
        ("2025-01-29", 3.94),
        ("2025-04-04", 4.63),
        ("2025-09-10", 4.63),
        ("2025-03-11", 1.0),
    ],
)
def test_days_have_the_factor_of_the_first_rule(day: str, factor: float) -> None:
    assert PUBLISHED_QUEUES.date_factor(date.fromisoformat(day)) == factor


def test_no_broken_plan_ends_a_rule_with_an_exception(starter: Tables) -> None:
    runs = [score.run for score in scores(starter, 300)]
    assert {*runs} == {"success", "error", "rejected", "stops the batch"}


def test_five_megabytes_are_scored(plan: Plan, starter: Tables) -> None:
    activities = plan["daily_plans"][0]["activities"]
    plan["daily_plans"] = [{**plan["daily_plans"][0], "day": 1, "activities": activities * 6500}]
    assert len(json.dumps(plan)) > 5_000_000
    assert score(plan, starter).missing.keys() == {"ssr"}, "more stops than a shortest order is found for"


# The golden plans, which are not shipped.


def same(expected: Any, figure: Any) -> bool:
    if isinstance(figure, Mapping):
        return expected is None or (isinstance(expected, Mapping) and "raises" in expected)
    if isinstance(expected, str):
        return bool(expected == figure)
    return isinstance(expected, int | float) and math.isclose(expected, figure, rel_tol=1e-9, abs_tol=1e-12)


def flat(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """Costs and figures by distance beside the others."""
    told = dict(metrics)
    for key in ("costs", "great_circle"):
        own = told.pop(key)
        told |= {key: own} if {"raises", "reason"} & own.keys() else own
    return told


@pytest.mark.reference
@pytest.mark.slow
def test_golden_plans_have_the_published_figures(reference: Path, china10: World) -> None:
    context = CaseContext(
        profile="published", pack=china10, task=read_definitions(reference / "traveleval", TASK_FILES)
    )
    golden = reference / "golden-traveleval"
    cases = [json.loads(line) for line in (golden / "plans.jsonl").read_text("utf-8").splitlines()]
    results = [json.loads(line) for line in (golden / "expected.jsonl").read_text("utf-8").splitlines()]
    wrong = []
    for case, expected in zip(cases, results, strict=True):
        given = copy.deepcopy(case)
        told = score_case(given, context)
        assert given == case
        assert (told["case"], told["run"], told["dimensions"]) == (
            expected["case"], expected["run"], expected["dimensions"],
        )  # fmt: skip
        assert (told["metrics"] is None) == (expected["metrics"] is None)
        figures, wanted = flat(told["metrics"] or EMPTY), flat(expected["metrics"] or EMPTY)
        wrong += [(case["case"], key) for key in wanted if not same(wanted[key], figures[key])]
    assert len(cases) == 80 and wrong == []
    assert means_of(cases, context) == told_means((golden / "README.md").read_text("utf-8"))


LEVELS = ("all", "easy", "medium", "hard")
COLUMNS = column_metrics(METRICS)


def means_of(cases: list[Any], context: CaseContext) -> dict[str, list[tuple[float | None, int]]]:
    """Over the rows with a figure: all, easy, medium, hard."""
    assert context.pack is not None
    tables = tables_of(context.pack)
    trials = []
    for at, case in enumerate(cases):
        asked = Query.model_validate({**context.task(case["query_uid"]), **case["query_patch"]})
        scored = score_plan(Itinerary.read(case["itinerary"], asked, tables), Conditions())
        values = values_of(COLUMNS, sheet_of(scored, "published", {}).as_json())
        trials.append((asked.tag, Trial(str(at), values)))
    means: dict[str, list[tuple[float | None, int]]] = {}
    for level in LEVELS:
        own = [trial for tag, trial in trials if level in ("all", tag)]
        for key, mean in run_means(COLUMNS, own, POOLED_TRIALS, 6).items():
            means.setdefault(key, []).append((mean.value, mean.n))
    return {key: means[key] for key in means if not key.startswith(("cost_", "share_", "ssr", "csm", "frtc"))}


def told_means(readme: str) -> dict[str, list[tuple[float | None, int]]]:
    rows = re.findall(r"^\| (\w+) \|((?: [\d.]+ \(\d+\) \|){4})$", readme, re.MULTILINE)
    return {
        name.lower(): [(float(mean), int(n)) for mean, n in re.findall(r"([\d.]+) \((\d+)\)", told)]
        for name, told in rows
    }


EMPTY: dict[str, Any] = {"costs": {}, "great_circle": {}}
