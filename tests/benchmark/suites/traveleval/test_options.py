"""What a TravelEval run may have otherwise than the paper, and what is refused."""

from __future__ import annotations

from random import Random

import pytest

from benchmark.suites import suite_named
from benchmark.suites.base import OptionRefused, read_options
from benchmark.suites.traveleval.scoring.conditions import conditions_of
from benchmark.suites.traveleval.scoring.itinerary import Itinerary
from benchmark.suites.traveleval.scoring.rules import PlanScore, score_plan
from benchmark.suites.traveleval.world import Tables
from tests.scale.traveleval import query, sound_plan

OPTIONS = suite_named("traveleval").options


def both_scores(starter: Tables, **chosen: str) -> tuple[PlanScore, PlanScore]:
    options = read_options(OPTIONS, chosen)
    plan = Itinerary.read(sound_plan(starter, Random(7)), query(), starter)
    return (
        score_plan(plan, conditions_of(options, by_paper=False)),
        score_plan(plan, conditions_of(options, by_paper=True)),
    )


def test_defaults_are_the_numbers_of_the_paper(starter: Tables) -> None:
    options = read_options(OPTIONS, {})
    assert options["queue_dates"] == (
        "holiday=10.06, short_holiday=4.39, weekend=7.55, vacation=3.94, peak=4.63, weekday=1"
    )
    assert conditions_of(options, by_paper=False) == conditions_of({}, by_paper=False)
    assert options["densities"] == "packed=6, slow=2, family=2.75, usual=3.54"


def test_queues_and_densities_are_those_of_the_run(starter: Tables) -> None:
    chosen = {
        "queue_base": "人文景观=0,园林=0，自然风光=0;历史古迹=0,游乐园/体育娱乐=0,博物馆/纪念馆=0",
        "densities": "usual=1",
    }
    usual, longer = (
        both_scores(starter),
        both_scores(starter, queue_dates="weekday=20, holiday=20, weekend=20"),
    )
    for scored, slower, free in zip(usual, longer, both_scores(starter, **chosen), strict=True):
        assert free.results["str"].value == scored.ablations["str_no_queue"].value
        assert slower.results["str"].value < scored.results["str"].value
        assert free.results["ads"].value == pytest.approx(scored.results["ads"].value * 3.54)


def test_hours_have_their_own_factor(starter: Tables) -> None:
    queues = conditions_of({"queue_hours": "12-16=2"}, by_paper=False).queues
    assert [queues.hour_factor(hour) for hour in (7, 8, 12, 15, 16, 23)] == [1, 0.85, 2, 2, 1.1, 0.7]


@pytest.mark.parametrize(
    ("key", "value", "remedy"),
    [
        ("service_hours", "always", "write two times of day, such as 06:00-23:00, or nothing"),
        ("service_hours", "25:00-26:00", "such as 06:00-23:00"),
        ("rounds", "4", "from 1 to 3"),
        ("rounds", 0, "from 1 to 3"),
        ("reflections", -1, "from 0 to 3"),
        ("queue_base", "山=3", "“山=3” is wrong: .* from 0 to 10000, for some of 人文景观"),
        ("queue_dates", "holiday=many", "“holiday=many” is wrong"),
        ("queue_dates", "holiday=1, holiday=2", "each name once"),
        ("queue_hours", "8-10", "“8-10” is wrong"),
        ("densities", "slow=0", "from 0.01"),
        ("densities", "slow=99999", "to 10000"),
        ("distances", "amap", "set CARAVAN_AMAP_KEY .* or choose great_circle or streets"),
    ],
)
def test_what_can_not_be_is_refused_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, key: str, value: object, remedy: str
) -> None:
    monkeypatch.delenv("CARAVAN_AMAP_KEY", raising=False)
    with pytest.raises(OptionRefused, match=remedy) as refusal:
        read_options(OPTIONS, {key: value})
    assert refusal.value.key == key


def test_roads_can_be_chosen_where_there_is_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARAVAN_AMAP_KEY", "0123456789abcdef")
    assert read_options(OPTIONS, {"distances": "amap"})["distances"] == "amap"


@pytest.mark.parametrize(
    ("types", "minutes"),
    [
        ("{展览馆;博物馆}", 10.0),
        ("{寺庙;文物古迹}", 4.0),
        ("{主题公园}", 6.0),
        ("{博物馆;人文景观}", 10.0),
        ("{公园}", 0.0),
    ],
)
def test_kinds_that_a_world_calls_otherwise_have_queues_by_the_paper(
    types: str, minutes: float, starter: Tables
) -> None:
    sight = starter.city("杭州").sights[0]._replace(types=types)
    assert conditions_of({}, by_paper=True).queues.base_minutes(sight) == minutes
    as_published = 3.0 if "人文景观" in types else 0.0  # which knows the names of its own tables alone
    assert conditions_of({}, by_paper=False).queues.base_minutes(sight) == as_published
