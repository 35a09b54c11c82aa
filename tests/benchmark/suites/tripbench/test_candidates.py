"""What passes each requirement: plans of it alone validate, and stricter forms ask for more."""

from __future__ import annotations

import json
from itertools import product
from math import ceil
from pathlib import Path
from random import Random

import pytest

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.making.sketches import Sketches
from benchmark.suites.tripbench.plans.schema import form_faults, read_plan
from benchmark.suites.tripbench.plans.trip import Trip
from benchmark.suites.tripbench.rubrics import RUBRICS, read_rubric
from benchmark.suites.tripbench.rubrics.base import LONGEST_CHAIN, STRICTER_SHARE, OfEach, Rubric
from benchmark.suites.tripbench.rubrics.candidates import Candidates
from benchmark.suites.tripbench.scoring.feasibility import item_faults
from sandbox.toolsets.tripbench.records import World
from tests.scale.tripworlds import FRAME, draw_world

WORLDS = [Candidates(draw_world(seed), FRAME) for seed in range(3)]
SMALL = Candidates(draw_world(7, places=2), FRAME)


def sketches(random: Random, candidates: Candidates, rubric: Rubric | None, count: int) -> list[Trip]:
    """Plans of what passes a requirement."""
    allowed = dict(candidates.choices)
    if rubric is not None:
        allowed[rubric.domain] = rubric.feasible_choices(candidates)
    own = Sketches(candidates, allowed)
    drawn = [own.draw(random) for _ in range(count)]
    return [trip for trip in drawn if trip is not None]


def forms(key: str, candidates: Candidates, random: Random) -> list[Rubric]:
    """A requirement, and stricter forms of it."""
    rubric = RUBRICS[key].draw(random, candidates)
    told: list[Rubric] = []
    while rubric is not None and len(told) < LONGEST_CHAIN:
        told.append(rubric)
        rubric = rubric.tighten(random, candidates)
    return told


@pytest.mark.parametrize("key", RUBRICS)
def test_plans_of_what_passes_validate_and_stricter_forms_ask_for_more(key: str) -> None:
    tried, tightened = 0, 0
    for number, candidates in enumerate(WORLDS * 2):
        random = Random(f"{key}/{number}")
        chain = forms(key, candidates, random)
        assert chain, "every requirement can be asked for"
        for earlier, later in zip([None, *chain], chain, strict=False):
            assert read_rubric(key, later.arguments) == later
            feasible = later.feasible_choices(candidates)
            assert feasible and feasible <= candidates.choices[later.domain]
            alone = not later.depends_on_others
            if not alone:
                assert feasible == candidates.choices[later.domain]
            for trip in sketches(random, candidates, later, 3):
                tried += 1
                assert later.is_met(trip) or not alone
                assert earlier is None or earlier.is_met(trip) or not later.is_met(trip)
            if earlier is not None:
                tightened += 1
                was, now = earlier.count_feasible(candidates), later.count_feasible(candidates)
                assert now <= STRICTER_SHARE * was + 1e-9 or not alone
    assert tried >= 6
    assert bool(tightened) == (RUBRICS[key].longest_chain > 1)


@pytest.mark.parametrize("key", [key for key, rubric in RUBRICS.items() if not rubric.is_global])
def test_a_plan_of_what_does_not_pass_alone_fails(key: str) -> None:
    candidates, random = WORLDS[0], Random(key)
    rubric = next(
        drawn
        for _ in range(50)
        if (drawn := RUBRICS[key].draw(random, candidates)) is not None and not drawn.depends_on_others
    )
    others = candidates.choices[rubric.domain] - rubric.feasible_choices(candidates)
    allowed = {**candidates.choices, rubric.domain: others}
    own = Sketches(candidates, allowed)
    trips = [trip for _ in range(5) if (trip := own.draw(random)) is not None]
    assert not any(rubric.is_met(trip) for trip in trips)


# Requirements of the whole, against their meaning written out anew, over all that a small world allows.


def categories_of(trip: Trip) -> set[str]:
    places = trip.world.attractions_by_id
    return {name for day in trip.plan.days for one in day.activities if one.type == "Attraction"
            for name in places[one.id].categories}  # fmt: skip


def fares(trip: Trip) -> list[float]:
    services = trip.world.services_by_id
    return [
        price
        for day in trip.plan.days
        for one in day.activities
        if one.type == "Intercity Transportation"
        for seat in services[one.id].products
        if seat.id == one.products[0].id and (price := seat.price) is not None
    ]


def night_prices(trip: Trip) -> list[float]:
    hotels = trip.world.hotels_by_id
    return [
        ceil(trip.people / room.occupancy) * room.price
        for day in trip.plan.days[:-1]
        if day.stay is not None
        for room in hotels[day.stay.id].products
        if room.id == day.stay.rooms[0].id and room.price is not None
    ]


@pytest.mark.parametrize("seed", range(4))
def test_requirements_of_the_whole_mean_what_they_say(seed: int) -> None:
    random = Random(seed)
    trips = sketches(random, SMALL, None, 60)
    names = [*sorted(categories_of(trips[0])), "Nothing"]
    assert any(len(names) > 1 for names in map(categories_of, trips))
    for trip, wanted in product(trips, names):
        every = read_rubric("attraction.include_categories", {"cats": [names[0], wanted]})
        some = read_rubric("attraction.include_categories", {"cats": [names[0], wanted], "mode": "any"})
        seen = categories_of(trip)
        assert every is not None and every.is_met(trip) == (names[0] in seen and wanted in seen)
        assert some is not None and some.is_met(trip) == (names[0] in seen or wanted in seen)
    bound = random.choice([150.0, 400.0, 700.0])
    for trip in trips:
        way = read_rubric("transport.cost", {"level": "one_way_person", "a": bound})
        whole = read_rubric("transport.cost", {"level": "total", "a": 3 * bound})
        assert way is not None and way.is_met(trip) == (max(fares(trip)) <= bound)
        assert whole is not None and whole.is_met(trip) == (sum(fares(trip)) * 3 <= 3 * bound)
        nights = night_prices(trip)
        stay = read_rubric("hotel.cost", {"level": "total", "op": "less", "a": 4 * bound})
        night = read_rubric("hotel.cost", {"level": "person_night", "op": "more", "a": bound / 3})
        is_known = len(nights) == len(FRAME.nights)
        assert stay is not None and stay.is_met(trip) == (is_known and sum(nights) <= 4 * bound)
        assert night is not None and night.is_met(trip) == (is_known and min(nights) >= bound)


def test_what_nobody_offers_is_not_asked_for() -> None:
    empty = Candidates(draw_world(1, places=0), FRAME)
    random = Random(1)
    drawn = [key for key, rubric in RUBRICS.items() if rubric.draw(random, empty) is not None]
    assert all(key.startswith(("transport.", "general.")) for key in drawn)
    assert RUBRICS["hotel.star"].generate(empty.world, FRAME, random) is None
    generated = RUBRICS["transport.platform"].generate(empty.world, FRAME, random)
    assert generated is not None and generated.feasible == generated.rubric.feasible_choices(empty)


@pytest.mark.reference
def test_golden_plans_of_what_passes_alone_validate(reference: Path) -> None:
    lines = (reference / "golden-tripbench" / "cases.jsonl").read_text("utf-8").splitlines()
    tried = 0
    for given in (json.loads(line)["input"] for line in lines):
        if given.get("kind", "plan") != "plan" or not given.get("constraints"):
            continue
        world, frame = World.model_validate(given["world"]), Frame.model_validate(given["meta"])
        plan, candidates = given.get("plan"), Candidates(world, frame)
        if any(form_faults(plan)) or any(item_faults(read_plan(plan), world, frame)):
            continue
        trip = Trip(read_plan(plan), world, frame, candidates.parameters)
        for one in given["constraints"]:
            rubric = read_rubric(one["rubric"], one.get("args"))
            if isinstance(rubric, OfEach) and not rubric.depends_on_others and not rubric.has_products:
                items = {item.id for part in rubric.items(trip) for item, _ in rubric.purchases(part)}
                passes = items <= rubric.feasible_ids(candidates) and bool(items or not rubric.needs_some)
                assert passes == rubric.is_met(trip)
                tried += 1
    assert tried > 10
