"""Synthetic queries over a world: what they are given, and which are dropped."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmark import synthesis
from benchmark.making import FileStep, Tools, Unusable
from benchmark.models import ChatRequest, Reply
from benchmark.suites.tripscore.making.models import CHECK, UNDERSTAND
from benchmark.suites.tripscore.making.production import produce, sample
from benchmark.suites.tripscore.making.queries import Order, TooFewQueries, made_tasks, why_dropped
from benchmark.suites.tripscore.making.reference import Limits, effort_tags, reference_of, spread
from benchmark.suites.tripscore.making.steps import STEPS
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


def own_task(**changes: Any) -> Task:
    return Task.model_validate(broken_query(**changes))


def test_queries_that_no_plan_fits_are_dropped(starter: World) -> None:
    assert why_dropped(own_task()) == ""
    assert why_dropped(own_task(reference={"hotels": []})) == "without hotels"
    hotels = [{**hotel, "star": 3} for hotel in broken_query()["reference"]["hotels"]]
    dear = broken_query(reference={"hotels": hotels}, preferences={"budget": "premium"})
    assert why_dropped(Task.model_validate(dear)) == "without a hotel of the wished class"
    shut = [
        {**sight, "openTimeCalendar": {"rules": [{}]}} for sight in broken_query()["reference"]["attractions"]
    ]
    assert why_dropped(own_task(reference={"attractions": shut})).endswith("passes the gates")
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
    one_day = broken_query(user_request="", days=1, preferences={"attraction": ["mountain-climbing"]})
    own = request_words(Task.model_validate(one_day), language)
    assert all(
        part in own for part in (("1 day ", "mountain climbing") if language == "en" else ("1天", "登山"))
    )
    assert (
        ("this order" in words and "of the best value" in words) if language == "en" else "性价比高" in words
    )


# Sets, persons' requests, splits.


def run(name: str, **given: Any) -> Any:
    step = next(step for step in STEPS.steps if step.name == name)
    assert isinstance(step, FileStep)
    return step.work(given, Tools(lambda done, of, what: None, lambda name, texts: pytest.fail(name)))


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


LIMITS = {"sights": 12, "hotels": 4, "services": 2}


def test_a_set_is_made_into_a_file_with_a_models_words_and_a_report(
    starter_pack: Path, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"queries": 4, "length": "1", "split": "shares", **LIMITS}
    order = synthesis.Order(world=starter_pack, count=4, seed=3, options=options)
    out = tmp_path / "set.jsonl"
    plain = produce(order, out)
    assert plain.tasks == 4 and plain.report["by_days"] == {"1": 4} and plain.report["english"] == 1
    rows = lines_of(out)
    assert [row["id"] for row in rows] == [f"made-000{n}" for n in range(1, 5)]
    assert Counter(row["split"] for row in rows) == plain.report["by_split"] == {"train": 3, "test": 1}
    answers = iter(["no JSON", json.dumps({"user_request": "去玩"}), "{}"])

    def ask(request: ChatRequest) -> Reply:
        text = request.messages[1]["content"]
        row = next(row for row in rows if f'"start_date": "{row["query"]["start_date"]}"' in text)
        words = row["query"]["user_request"]
        told = next(answers, "") if row is rows[0] else json.dumps({"user_request": f"Written: {words}"})
        return Reply(told)

    asked = dataclasses.replace(order, model="writer")
    made = produce(asked, out, ask=ask, workers=2)
    assert [row["query"]["user_request"].startswith("Written: ") for row in lines_of(out)] == [
        False,
        *[True] * 3,
    ]
    assert (
        "no JSON object with user_request; user_request lacks" in made.report["failures"][0]["values"]["why"]
    )
    assert sample(order, 2).places[1]["task"] == rows[1] and not (tmp_path / "set.jsonl.part").exists()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"queries": 0}, "ask for 1 to"),
        ({"prefix": "a b"}, "ids can't begin so"),
        ({"hotels": 1, "sights": 0}, "20 draws were dropped .20 without attractions."),
    ],
)
def test_a_bad_order_writes_nothing(starter_pack: Path, tmp_path: Path, wrong: Any, why: str) -> None:
    order = synthesis.Order(world=starter_pack, count=1, seed=1, options=wrong)
    with pytest.raises(synthesis.BadOrder, match=why):
        produce(order, tmp_path / "set.jsonl")
    assert not [*tmp_path.iterdir()]


def intent(trace: str, query: str, **more: str) -> dict[str, Any]:
    path = "planning_and_decision.itinerary_planning.short_trip_itinerary"
    return {"trace_id": trace, "time": "2026-05-04 10:00", "query": query, "primary_intent": path, **more}


def test_persons_requests_become_queries_or_are_dropped_with_the_reason(
    starter_pack: Path, tmp_path: Path
) -> None:
    said = [
        intent("1", "后天从北京出发去杭州玩两天，想看看西湖，帮我安排一下"),
        intent("2", "去杭州玩"),
        intent("3", "我想去月球上的宁静海好好玩三天，请帮我安排"),
        intent("4", "第 5 天想去杭州好好玩一玩，住得舒服一点，帮我安排一下行程"),
        intent("5", "Please plan a trip to the lake with its tea, three quiet days for us"),
        {**intent("6", "从杭州东站到西湖怎么走最方便，需要多长时间"), "primary_intent": "discovery.poi"},
    ]
    requests, answers, out = (tmp_path / name for name in ("said.jsonl", "answers.jsonl", "real.jsonl"))
    requests.write_text("\n".join(map(json.dumps, said)))
    rows = {row.key: row for row in UNDERSTAND.rows(requests)}
    assert [*rows] == [f"single-{n}" for n in range(1, 6)]
    told = UNDERSTAND.read(rows["single-5"], '{"cities": ["杭州"], "days": 3, "impossible": ""}')
    answers.write_text(json.dumps({"key": "single-5", "model": "m", **told}) + "\n")
    assert "three quiet days" in str(UNDERSTAND.request(rows["single-5"]).messages)
    with pytest.raises(Unusable, match="no JSON object"):
        UNDERSTAND.read(rows["single-5"], "Hangzhou")
    done = run(
        "real",
        requests=requests,
        world=starter_pack,
        answers=answers,
        days=0,
        split="test",
        out=out,
        **LIMITS,
    )
    first, last = lines_of(out)
    assert (first["query"]["departure_city"], first["query"]["cities"]) == ("北京市", ["杭州市"])
    assert (first["query"]["days"], first["query"]["start_date"]) == (2, "2026-05-06")
    assert first["query"]["type"] == "real" and first["query"]["user_request"] == said[0]["query"]
    assert (last["id"], last["query"]["days"], last["split"]) == ("real-single-5", 3, "test")
    assert {row["id"]: row["reason"] for row in lines_of(tmp_path / "real.dropped.jsonl")} == {
        "single-2": "shorter than 10 words or 15 characters",
        "single-3": "of cities that the world has not, or of none",
        "single-4": "without a number of days from 1 to 30",
    }
    assert done.result["queries"] == 2 and all(
        why_dropped(Task.model_validate(row)) == "" for row in (first, last)
    )


def test_a_model_has_queries_dropped_that_their_data_contradict(tmp_path: Path) -> None:
    rows = CHECK.rows(STARTER[0])[:2]
    path, answers, out = (tmp_path / name for name in ("queries.jsonl", "answers.jsonl", "kept.jsonl"))
    path.write_text("\n".join(json.dumps(row.raw) for row in rows))
    assert rows[0].task.reference.attractions[0].name in str(CHECK.request(rows[0]).messages)
    told = [
        CHECK.read(row, json.dumps({"contradiction": why}))
        for row, why in zip(rows, ("", "no sea"), strict=True)
    ]
    lines = [json.dumps({"key": row.key, "model": "m", **own}) for row, own in zip(rows, told, strict=True)]
    answers.write_text(lines[0] + "\n")
    with pytest.raises(ValueError, match="no answer on 1 queries"):
        run("keep", queries=path, answers=answers, out=out)
    answers.write_text("\n".join(lines) + "\n")
    run("keep", queries=path, answers=answers, out=out)
    assert lines_of(out) == [rows[0].raw]
    (dropped,) = lines_of(tmp_path / "kept.dropped.jsonl")
    assert dropped["id"] == rows[1].key and dropped["reason"].endswith("as a model says: no sea")


def test_queries_are_parted_in_the_shares_that_are_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "parted.jsonl"
    run("split", queries=STARTER[0], shares=[4, 1, 1], seed=2, out=out)
    rows = lines_of(out)
    assert Counter(row["split"] for row in rows) == {"train": 44, "validation": 11, "test": 11}
    assert [{key: value for key, value in row.items() if key != "split"} for row in rows] == lines_of(
        STARTER[0]
    )
    assert Task.model_validate(rows[0]).split == rows[0]["split"]
