"""Small plans on which the two profiles differ, a metric each, computed when they are shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from benchmark.core.options import Options
from benchmark.metrics import gettext_noop as _
from benchmark.suites.traveleval.scoring.conditions import conditions_of
from benchmark.suites.traveleval.scoring.examples.town import (
    GO,
    LAKE,
    MEAL,
    QUERY,
    RETURN,
    TABLES,
    TEMPLE,
    Plan,
    leg,
    plan_of,
    stop,
    visit,
)
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.rules import PlanScore, score_plan
from benchmark.suites.traveleval.tasks import Query

RANDOM = _(
    "As published random: the program draws one of a sight's kinds to find its queue. Here it is the first."
)
DOUBLE = _("As published counted twice: the beds stand by themselves and among the tickets.")


class Example(NamedTuple):
    """keys: of the metrics. words: what is special about the plan, and how each profile takes it."""

    keys: tuple[str, ...]
    words: str
    plan: Plan
    query: Mapping[str, Any] = {}
    options: Options = {}
    caveat: str = ""


def _plan_dated(day: str) -> Plan:
    plan = plan_of()
    plan["daily_plans"][1]["date"] = day
    return plan


_ONE_TICKET: Final = {"ticket_price": 75, "ticket_number": 2}
EXAMPLES: Final = (
    Example(
        ("far",),
        _(
            "The restaurant 楼外楼 is one of two visits. As published any place of the city passes; by the "
            "paper sights do."
        ),
        plan_of(second=(visit("楼外楼", "11:00", "12:00"),)),
    ),
    Example(
        ("vroh",),
        _(
            "A visit of 灵隐寺, open from 7:00, lasts from 6:30 to 8:30. As published it begins too early; by "
            "the paper only a visit that is wholly outside the hours counts."
        ),
        plan_of(second=(visit("灵隐寺", "06:30", "08:30"),)),
    ),
    Example(
        ("frtc",),
        _(
            "After a visit until 23:20 the metro is to be taken, which runs from 6:00 to 23:00. As published "
            "this is never found; by the paper it is one of all ways."
        ),
        plan_of(first=(visit("西湖", "20:00", "23:20"), stop("meal", "楼外楼", "23:40", "23:50"))),
        options={"service_hours": "06:00-23:00"},
    ),
    Example(
        ("itd",),
        _(
            "The way back is the night train D9, from 22:00 to 6:00. As published the train of the afternoon, "
            "4.5 hours, seems nearer; by the paper the number names the service."
        ),
        plan_of(legs=(GO, leg("D9", "22:00", "06:00", "北京南站", "动车", 300))),
    ),
    Example(
        ("pd",),
        _(
            "Two people have 3 beds, 2 tickets and a car of 5 seats. As published (1 + (3 + 0)/1 + (4 − "
            "2)/1)/2, at most 1; by the paper (1 + 3 + 0)/2."
        ),
        plan_of(
            second=(visit("灵隐寺", "09:00", "11:00", **_ONE_TICKET, load_limit=5, car_number=1),),
            room="家庭房",
        ),
        caveat=DOUBLE,
    ),
    Example(
        ("bcs",),
        _(
            "The query's budget is 1,000 CNY, the plan writes 9,000 and keeps these. As published the plan's "
            "own budget counts; by the paper the query's."
        ),
        plan_of(),
        query={"budget": 1000},
    ),
    Example(
        ("tcs",),
        _(
            "The second day is dated a week late. As published the number of days counts; by the paper each "
            "date too."
        ),
        _plan_dated("2025-03-20"),
    ),
    Example(
        ("pas_a",),
        _(
            "The hotel is of a kind that is both wished for and rejected. As published wishes alone count "
            "where there are any; by the paper both do."
        ),
        plan_of(),
        query={"accommodations": {"preferences": ["湖景", "亲子"], "constraints": ["湖景"]}},
    ),
    Example(
        ("pas_t",),
        _(
            "Flights are rejected; one goes by air and comes back by train. As published the last leg alone is "
            "asked; by the paper each."
        ),
        plan_of(legs=(leg("CA1", "08:00", "12:30", "杭州东站", "飞机"), RETURN)),
        query={"transportation": {"constraints": ["飞机"]}},
    ),
    Example(
        ("pas_c",),
        _(
            "杭帮菜 is wished for, 火锅 rejected; both are eaten, 火锅 first. As published nothing is rejected "
            "while a wish is open; by the paper both lists hold."
        ),
        plan_of(first=(stop("meal", "老火锅", "13:00", "14:00"), MEAL)),
        query={"diet": {"preferences": ["杭帮菜"], "constraints": ["火锅"]}},
    ),
    Example(
        ("ttcs",),
        _(
            "灵隐寺 should last at least 1 hour, and does with its queue. As published the hour less the queue "
            "counts; by the paper the planned hour."
        ),
        plan_of(second=(visit("灵隐寺", "09:00", "10:00"),)),
        caveat=RANDOM,
    ),
    Example(
        ("str",),
        _(
            "西湖 is visited twice, for 30 minutes and for 3 hours. As published the last visit of a sight "
            "counts; by the paper each does."
        ),
        plan_of(second=(visit("西湖", "08:00", "08:30"), visit("西湖", "09:00", "12:00"))),
        caveat=RANDOM,
    ),
    Example(
        ("dtu",),
        _(
            "Two hours of metro lead to 灵隐寺. As published the day begins with the visit; by the paper when "
            "one leaves the hotel."
        ),
        plan_of(second=(visit("灵隐寺", "10:00", "12:00", transport_time=120),)),
        caveat=RANDOM,
    ),
    Example(
        ("otu",),
        _(
            "Visits of 3 and 2 hours in 35.5 hours away. As published the shares without queues are added; by "
            "the paper the hours."
        ),
        plan_of(),
        caveat=RANDOM,
    ),
    Example(
        ("aqe",),
        _(
            "Visits of 3 and 2 hours at 4.8 and 4.6 stars. As published whole hours count; by the paper those "
            "without queues."
        ),
        plan_of(),
    ),
    Example(
        ("ssr",),
        _("No road service is asked. As published the figure is then 0; by the paper there is none."),
        plan_of(),
        options={"distances": "none"},
    ),
    Example(
        ("csm_p90", "csm_p95"),
        _(
            "Each day has two sights, the first day a meal too. As published the meal counts; by the paper "
            "sights alone."
        ),
        plan_of(
            first=(LAKE, visit("雷峰塔", "16:40", "17:20"), MEAL),
            second=(TEMPLE, visit("植物园", "11:30", "13:00")),
        ),
    ),
    Example(
        ("be", "profit"),
        _("植物园 has no star in the table. As published the figure is then missing; by the paper it has 3."),
        plan_of(second=(visit("植物园", "09:00", "10:30"),)),
    ),
    Example(
        ("edi",),
        _(
            "One sight is of the type 猫狗特色, the other of 宠物特色. As published these are two types; in "
            "the paper's list of 24 they are one."
        ),
        plan_of(first=(visit("猫舍", "13:30", "15:00"), MEAL), second=(visit("宠物园", "09:30", "11:00"),)),
    ),
    Example(
        ("cost_intracity_transportation", "ccd"),
        _(
            "A car to 灵隐寺 costs 600 CNY, the last train 500. As published a way counts only if it is "
            "cheaper than the last leg; by the paper each does."
        ),
        plan_of(second=({**TEMPLE, "transportation_cost": 600},)),
    ),
)


class WorkedExample(NamedTuple):
    """A metric of an example with its values; None where a profile gives none."""

    key: str
    words: str
    caveat: str
    published_value: float | None
    paper_value: float | None


@lru_cache(maxsize=1)
def worked_examples() -> tuple[WorkedExample, ...]:
    """All, in order, as the rules compute them now."""
    return tuple(work for example in EXAMPLES for work in _work_out(example))


def _work_out(example: Example) -> list[WorkedExample]:
    plan = Itinerary.read(example.plan, Query.model_validate({**QUERY, **example.query}), TABLES)
    published, paper = (
        score_plan(plan, conditions_of(example.options, by_paper=by_paper)) for by_paper in (False, True)
    )
    return [
        WorkedExample(key, example.words, example.caveat, _value(published, key), _value(paper, key))
        for key in example.keys
    ]


def _value(scored: PlanScore, key: str) -> float | None:
    value = float(scored.results[key].value) if key in scored.results else math.nan
    return value if math.isfinite(value) else None
