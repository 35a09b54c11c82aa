"""Synthetic queries over a world: what they are given, and which are dropped."""

from __future__ import annotations

import copy
import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmark.suites.tripscore.making.queries import Order, TooFewQueries, made_tasks, why_dropped
from benchmark.suites.tripscore.making.reference import Limits, effort_tags, reference_of, spread
from benchmark.suites.tripscore.planner.agent import make_plan
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.tasks import STARTER, TASK_FILES, Task
from benchmark.suites.tripscore.tasks.words import request_words
from sandbox.tools.language import Language
from sandbox.worlds import World, open_world
from sandbox.worlds.records import Place


@pytest.fixture(scope="module")
def starter(starter_pack: Path) -> World:
    return open_world(starter_pack)


def test_the_shipped_tasks_are_sixty_or_more_a_third_in_english() -> None:
    tasks = [read.task for file in STARTER for read in TASK_FILES.whole(file)]
    languages = Counter(task.language for task in tasks)
    assert len(tasks) >= 60 and languages["en"] * 3 == len(tasks)
    assert {task.query.days for task in tasks} == {1, 2, 3, 4, 5}
    assert {len(task.query.cities) for task in tasks} == {1, 2, 3}


def test_the_planner_passes_the_gates_with_shipped_tasks() -> None:
    tasks = [read.task for file in STARTER for read in TASK_FILES.whole(file)]
    scores = [score_plan(make_plan(task), task, DEFAULTS, {}) for task in tasks[::6]]
    assert all(score.feasible for score in scores) and min(score.reward for score in scores) > 2.9


@pytest.mark.django_db
def test_the_command_makes_the_shipped_tasks_again(starter_pack: Path, tmp_path: Path) -> None:
    limits = ("--services", "3", "--sights", "16", "--hotels", "6", "--seed", "7")
    given = ("--world", starter_pack, "--count", "3", *limits, "--prefix", "trip_starter")
    out = tmp_path / "made.jsonl"
    call_command("make_tasks", "tripscore", "draw", *map(str, given), "--out", str(out))
    assert out.read_bytes().splitlines() == STARTER[0].read_bytes().splitlines()[:3]


def test_a_service_becomes_a_leg_a_day(starter: World) -> None:
    first = date(2026, 5, 1)
    given = reference_of(starter, "北京市", ["杭州市"], first, 2, Limits(5, 4, 3))
    legs = given["transportation"]
    ways = Counter((leg["from_city"], leg["to_city"], leg["depart"][:10]) for leg in legs)
    days = [str(first + timedelta(days=n)) for n in range(2)]
    assert {*ways} == {(*way, day) for way in (("北京市", "杭州市"), ("杭州市", "北京市")) for day in days}
    assert max(ways.values()) <= 3 and all(leg["arrive"] > leg["depart"] for leg in legs)
    assert all(leg["id"].startswith(f"{leg['name']}@{leg['depart'][:10]}") for leg in legs)
    ids = [entry["id"] for entries in given.values() for entry in entries]
    assert len(ids) == len({*ids}) and len(given["attractions"]) == 5 and len(given["hotels"]) == 4


def test_stars_follow_the_rank_of_the_price_and_are_marked_as_derived(starter: World) -> None:
    hotels = reference_of(starter, None, ["杭州市"], date(2026, 5, 1), 1, Limits(hotels=100))["hotels"]
    stars = [hotel["star"] for hotel in hotels]
    assert stars == sorted(stars, reverse=True) and stars[0] == 5 and stars[-1] == 1
    assert all("star" in hotel["derived"] for hotel in hotels)
    assert round(sum(star == 5 for star in stars) / len(stars), 1) == 0.1


@pytest.mark.parametrize(
    ("name", "kinds", "tags"),
    [
        ("欢乐谷", ("游乐园",), ["theme-park"]),
        ("环湖绿道", (), ["cycling"]),
        ("徽杭古道", ("自然风光",), ["hiking"]),
        ("玉皇山", ("自然风光",), ["mountain-climbing"]),
        ("中山公园", ("公园",), []),
    ],
)
def test_what_a_sight_asks_of_the_legs_is_derived(name: str, kinds: tuple[str, ...], tags: list[str]) -> None:
    place = Place(
        id="1", city="c", kind="attraction", name=name, categories=kinds, longitude=100, latitude=30
    )
    assert effort_tags(place) == tags


def test_a_list_is_thinned_evenly() -> None:
    assert (
        spread([*range(10)], 4) == [0, 3, 6, 9] and spread([1, 2], 4) == [1, 2] and spread([1, 2], 1) == [1]
    )


def broken_query(**changes: Any) -> dict[str, Any]:
    raw = copy.deepcopy(json.loads(STARTER[0].read_text("utf-8").splitlines()[2]))
    raw["reference"].update(changes.pop("reference", {}))
    raw["query"].update(changes)
    return raw


def test_queries_that_no_plan_fits_are_dropped(starter: World) -> None:
    assert why_dropped(broken_query()) == ""
    assert why_dropped(broken_query(reference={"hotels": []})) == "without hotels"
    hotels = [{**hotel, "star": 3} for hotel in broken_query()["reference"]["hotels"]]
    dear = broken_query(reference={"hotels": hotels}, preferences={"budget": "premium"})
    assert why_dropped(dear) == "without a hotel of the wished class"
    shut = [
        {**sight, "openTimeCalendar": {"rules": [{}]}} for sight in broken_query()["reference"]["attractions"]
    ]
    assert why_dropped(broken_query(reference={"attractions": shut})).endswith("passes the gates")
    dropped = Counter[str]()
    with pytest.raises(TooFewQueries, match="without attractions"):
        [*made_tasks(starter, Order(1, limits=Limits(sights=0)), dropped)]
    assert dropped["without attractions"] == 20


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_query_without_words_is_put_into_sentences(language: Language) -> None:
    wishes = {"budget": "best value", "pacing": "Compact", "attraction": ["museum"], "effort": "light"}
    raw = broken_query(user_request="", fixed_order=True, cities=["A", "B"], preferences=wishes)
    words = request_words(Task.model_validate(raw), language)
    for part in ("A", "B", "museum", raw["query"]["start_date"], raw["query"]["departure_city"]):
        assert part in words
    assert (
        ("this order" in words and "of the best value" in words) if language == "en" else "性价比高" in words
    )
