"""Global constraints of a table: budget, ways of travel, pace and hotels, drawn to fit a profile (appendix A.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.suites.grouptravel.synthesis import rates
from benchmark.suites.grouptravel.synthesis.company import Company
from benchmark.suites.grouptravel.synthesis.draws import dice, pick, pick_several
from benchmark.suites.grouptravel.synthesis.fares import DRIVE
from benchmark.suites.grouptravel.synthesis.profiles import OF_AGE, Profile
from benchmark.suites.grouptravel.synthesis.resources import Trip
from benchmark.suites.grouptravel.synthesis.tastes import SETTINGS

LUXURY, LUXURY_FROM, LUXURY_AVOIDED_BELOW = "豪华型", 3_500, 3_000
"""CNY: who has less than the first prefers no luxury, who has less than the second mostly avoids it."""
_YOUNG_MEN_S = "电竞酒店"
_STEP = 100
_UNUSUAL = 0.02
_LONG_DRIVE_MINUTES, _LONG_TRAIN_MINUTES = 6 * 60, 12 * 60
_SHORT_TRIP_DAYS, _SLOW_MINUTES = 3, 6 * 60
_OLD, _ADULT, _CHILD = 60, 45, 14


def draw_constraints(profile: Profile, trip: Trip, group: Company, *key: object) -> dict[str, Any]:
    """A `global_constraints` object in the published shape and order."""
    transport = draw_transport(profile, trip, group, *key)
    budget = draw_budget(profile, trip, transport, group, *key)
    return {
        "avg_budget": budget,
        "transport": transport,
        "intensity": draw_pace(profile, *key),
        "hotel_preference": draw_hotels(profile, trip, budget, group, *key),
    }


def draw_transport(profile: Profile, trip: Trip, group: Company, *key: object) -> dict[str, list[str]]:
    """Modes by tier, in one of the shapes that published users have."""
    weights = {
        shape: users * _sensible(shape, profile, trip) * _agreement_weight(shape, group, profile.age < OF_AGE)
        for shape, users in rates.SHAPES.items()
    }
    shape = pick(dice(*key, "transport"), weights)
    return {tier: list(modes) for tier, modes in shape._asdict().items()}


def _sensible(shape: rates.Shape, profile: Profile, trip: Trip) -> float:
    """How well a shape goes with a route and a profile: who sees the fares hardly insists on what does not run."""
    worth = 1.0
    for mode in shape.must:
        worth *= 1.0 if trip.route.goes_all_the_way(mode) else _UNUSUAL
        worth *= 1.0 if fits_days(mode, trip) else 0.0
    for mode in shape.prefer:
        worth *= 1.0 if trip.route.goes_part_of_the_way(mode) else _UNUSUAL
    if DRIVE in (*shape.must, *shape.prefer):
        longest = max(offers[DRIVE].minutes if DRIVE in offers else 0 for offers in trip.route.offers)
        worth *= 1.0 if profile.car else _UNUSUAL
        worth *= 1.0 if longest <= _LONG_DRIVE_MINUTES else _UNUSUAL
    if "飞机" in shape.must:
        worth *= profile.purse**2
    if "火车" in (*shape.must, *shape.prefer):
        slow = any(
            "火车" in offers and offers["火车"].minutes > _LONG_TRAIN_MINUTES for offers in trip.route.offers
        )
        worth *= profile.purse**-3 * (0.4 if slow else 1.0)
    if trip.skeleton.days <= _SHORT_TRIP_DAYS and any(
        _slow(mode, trip) for mode in (*shape.must, *shape.prefer)
    ):
        worth *= SETTINGS["slow_on_short_trip"]
    for tier in ("must", "prefer", "reject"):
        worth *= SETTINGS[f"{tier}_mode"] ** len(getattr(shape, tier))
    return worth


def fits_days(mode: str, trip: Trip) -> bool:
    """Whether all legs by a mode leave time for the trip: four hours a day of it at most."""
    minutes = sum(offers[mode].minutes for offers in trip.route.offers if mode in offers)
    return minutes <= SETTINGS["road_minutes_a_day"] * trip.skeleton.days


def _slow(mode: str, trip: Trip) -> bool:
    """Whether it takes most of a day on some leg on which another mode does not."""
    return any(
        mode in offers
        and offers[mode].minutes > _SLOW_MINUTES
        and min(offer.minutes for offer in offers.values()) <= _SLOW_MINUTES
        for offers in trip.route.offers
    )


def _agreement_weight(shape: rates.Shape, group: Company, minor: bool) -> float:
    """How well a shape goes with the others'; hardly any two who refuse what the other insists on travel together.

    minor: hardly any child insists on another way than the grown-ups.
    """
    worth = _UNUSUAL if minor and group.musts and not group.musts.issuperset(shape.must) else 1.0
    clash = SETTINGS["clashing_mode"]
    for mode in (*shape.must, *shape.prefer):
        worth *= group.spares("transport", "", mode, clash)
    for mode in (*shape.avoid, *shape.reject):
        worth *= group.allows("transport", "", mode, clash)
    flat = group.refusals.intersection(shape.must) or group.musts.intersection(shape.reject)
    return worth * (SETTINGS["flat_refusal"] if flat else 1.0)


def draw_budget(
    profile: Profile, trip: Trip, transport: Mapping[str, list[str]], group: Company, *key: object
) -> int:
    """CNY a person, a multiple of 100: fares by the mode they want, and so much a day; never below the least cost.

    Nobody has more than three times as much as another of their household, and no child more than the grown-ups.
    """
    wanted = [*transport["must"], *transport["prefer"]]
    fares = trip.route.price(wanted[0]) if wanted else trip.route.by_day()
    spread = dice(*key, "budget").gauss(0, SETTINGS["spend_spread"])
    a_day = SETTINGS["spend_a_day"] * profile.purse * 2.718281828459045**spread
    likely = min(SETTINGS["fare_share"] * fares + a_day * trip.skeleton.days, SETTINGS["most_budget"])
    amount = max(likely, SETTINGS["least_budget"], _plain(trip), trip.least_cost())
    if group.purses:
        most = SETTINGS["household_purses"]
        amount = min(max(amount, max(group.purses) / most), min(group.purses) * most)
        amount = min(amount, max(group.purses)) if profile.age < OF_AGE else amount
    return -(-int(amount) // _STEP) * _STEP


def _plain(trip: Trip) -> float:
    """CNY a person for a plain trip that one would still enjoy: by day, with meals and a clean bed."""
    cities = zip(trip.skeleton.cities, trip.nights, strict=True)
    beds = sum(max(trip.candidates[city].night, SETTINGS["plain_bed"]) * nights for city, nights in cities)
    return trip.route.by_day() + SETTINGS["plain_meals"] * trip.skeleton.days + beds


def draw_pace(profile: Profile, *key: object) -> dict[str, int]:
    """Most sights and most active hours of a day; the old and the very young tire sooner."""
    tires = profile.age >= _OLD or profile.age < _CHILD
    sights = {cap: n * (0.3 if tires and cap > 3 else 1.0) for cap, n in rates.SIGHTS_A_DAY.items()}
    hours = {cap: n * _energy(cap, tires, profile.age) for cap, n in rates.HOURS_A_DAY.items()}
    return {
        "max_poi_per_day": pick(dice(*key, "max_poi_per_day"), sights),
        "max_active_hours": pick(dice(*key, "max_active_hours"), hours),
    }


def _energy(cap: int, tires: bool, age: int) -> float:
    if tires:
        return 4.0 if cap < 8 else 1.0 if cap == 8 else 0.25
    return 0.5 if cap < 8 else 1.3 if cap > 8 and age < 30 else 1.0


def draw_hotels(
    profile: Profile, trip: Trip, budget: int, group: Company, *key: object
) -> dict[str, list[str]]:
    """Classes that the budget allows and the cities have, near one another in price; and one to avoid."""
    there = {name for candidates in trip.candidates.values() for name in candidates.hotels}
    liked = {
        hotel.name: hotel.preference
        * _affordable(hotel, profile, trip, budget)
        * group.spares("hotel", "", hotel.name) ** SETTINGS["hotel_harmony"]
        for hotel in rates.HOTELS
        if hotel.name in there
    }
    rng = dice(*key, "hotel_preference")
    count = pick(rng, rates.HOTELS_PREFERRED)
    prefer = pick_several(rng, liked, 1)
    if prefer and count > 1:
        rank = {hotel.name: hotel.rank for hotel in rates.HOTELS}
        near = {
            name: weight * 0.15 ** max(0, abs(rank[name] - rank[prefer[0]]) - 1)
            for name, weight in liked.items()
            if name not in prefer
        }
        prefer += pick_several(rng, near, count - 1)
    shunned = {
        name: weight * group.allows("hotel", "", name) ** SETTINGS["hotel_harmony"]
        for name, weight in _avoidance_weights(prefer, budget).items()
    }
    return {"prefer": prefer, "avoid": pick_several(rng, shunned, 1)}


def _affordable(hotel: rates.HotelClass, profile: Profile, trip: Trip, budget: int) -> float:
    if hotel.name == LUXURY and budget < LUXURY_FROM:
        return 0.0
    left = (budget - trip.route.by_day()) / trip.skeleton.days
    fitting = 1 + min(4.0, max(0.0, (left - 150) / 170))
    worth = 0.35 ** max(0.0, abs(hotel.rank - fitting) - 0.6)
    if hotel.name == LUXURY:
        worth *= SETTINGS["luxury_liked"]
    if hotel.name == _YOUNG_MEN_S:
        worth *= 1.6 if profile.sex == "male" and profile.age <= 30 else 0.15
        fitting = OF_AGE <= profile.age < _ADULT and not trip.archetype.children
        worth *= 1.0 if fitting else _UNUSUAL
    return float(worth)


def _avoidance_weights(prefer: list[str], budget: int) -> dict[str, float]:
    """What to avoid, by how often each class is, never what is preferred; those who can pay avoid the plain ones."""
    weights = {name: users for name, users in rates.HOTELS_AVOIDED.items() if name not in prefer}
    if LUXURY in weights:
        share = 0.9 if budget < LUXURY_AVOIDED_BELOW else SETTINGS["luxury_avoided_above"]
        others = sum(weights.values()) - weights[LUXURY]
        weights[LUXURY] = others * share / (1 - share)
    return weights
