"""Preference tables without a model: every field drawn from the profile and the city's candidates (section 3.2).

Each draw has its own key (seed, slot, user, field, city), so what changes in one city moves nothing in another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from math import exp
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import CITY_ROOT, GLOBAL_ROOT, Topic
from benchmark.suites.grouptravel.synthesis.archetypes import Member
from benchmark.suites.grouptravel.synthesis.candidates import MOST_SIGHTS, Candidates, Sight
from benchmark.suites.grouptravel.synthesis.casting import is_household
from benchmark.suites.grouptravel.synthesis.company import Company, draw_harmony
from benchmark.suites.grouptravel.synthesis.constraints import draw_constraints
from benchmark.suites.grouptravel.synthesis.draws import dice, pick, pick_several
from benchmark.suites.grouptravel.synthesis.opinions import Opinions
from benchmark.suites.grouptravel.synthesis.rates import items
from benchmark.suites.grouptravel.synthesis.resources import Trip
from benchmark.suites.grouptravel.synthesis.tastes import (
    SETTINGS,
    Kind,
    avoidance_rate,
    much_alike,
    one_kitchen,
    taste,
    wish_rate,
)

Table = dict[str, Any]
CityTable = dict[str, Any]
_MOST_SIGHTS, _MOST_FOODS = 5, 4
_TOPICS: Mapping[Kind, Topic] = {"attraction": "attraction_category", "food": "food"}
_SAME_KIND = 0.3
"""The weight of refusing a sight of a kind of which one must see another."""
_SAME_SIGHT = {"copy_minor": 0.05, "copy_moderate": 0.15}
_SAME_FOOD = {"copy_minor": 0.0, "copy_moderate": 0.3}
"""The weight of what the source has, so that copies rarely wish the same."""


def draw_tables(trip: Trip, *key: object) -> dict[str, Table]:
    """The tables of a group in generation order."""
    tables: dict[str, Table] = {}
    for user in trip.archetype.generation_order:
        tables[user] = draw_table(trip, trip.archetype.by_slot[user], tables, *key)
    return tables


def draw_table(trip: Trip, member: Member, tables: Mapping[str, Table], *key: object) -> Table:
    """One member's table. tables: of those before, among them the one that is copied. key: the seed and what else the
    draws of the task depend on beside its slot.
    """
    profile = trip.cast[member.slot]
    source = tables[member.reference] if member.reference else None
    kin = tables if is_household(trip.archetype) else {}
    purses = [held[GLOBAL_ROOT]["avg_budget"] for held in kin.values()]
    group = Company.of(tables.values(), draw_harmony(*key, trip.skeleton.slot), purses)
    key = (*key, trip.skeleton.slot, member.slot)
    if source is None:
        constraints = draw_constraints(profile, trip, group, *key)
    else:
        constraints = deepcopy(source[GLOBAL_ROOT])
    opinions = Opinions(profile, trip)
    if member.generation == "copy_minor" and source is not None:
        for held in source[CITY_ROOT].values():
            opinions.take_categories(held["attractions"]["category_pref"])
            opinions.take_food({tier: held["food"][tier] for tier in ("prefer_eat", "avoid_eat")})
    cities: dict[str, CityTable] = {}
    eaten: set[str] = set()
    for city in trip.skeleton.cities:
        given = source[CITY_ROOT][city] if source is not None else None
        taker = _Taker(opinions, trip, trip.candidates[city], member.generation, given, group, (*key, city))
        cities[city] = {"attractions": taker.sights(), "food": taker.food(eaten)}
        food = cities[city]["food"]
        eaten.update(food["must_eat"], food["prefer_eat"])
    return {GLOBAL_ROOT: constraints, CITY_ROOT: cities}


class _Taker(NamedTuple):
    """One user in one city. source_table: what the source of a copy has there. key: of every draw."""

    opinions: Opinions
    trip: Trip
    candidates: Candidates
    strategy: str
    source_table: CityTable | None
    group: Company
    key: tuple[object, ...]

    def sights(self) -> dict[str, Any]:
        """The `attractions` of a city table."""
        inherited = self.strategy == "copy_minor" and self.source_table is not None
        own = self.source_table["attractions"]["category_pref"] if inherited and self.source_table else None
        counts = {
            field: self._count(field) for field in ("must_visit", "reject_visit", "positive", "negative")
        }
        if sum(counts.values()) > _MOST_SIGHTS:
            counts["must_visit"] = 1
        shunned = own["negative"] if own else ()
        must = self._wanted_sights(counts["must_visit"], shunned)
        reject = self._refused_sights(counts["reject_visit"], must, own["positive"] if own else ())
        if own is not None:
            categories = {"positive": list(own["positive"]), "negative": list(own["negative"])}
        else:
            categories = self._categories(counts, must, reject)
            self.opinions.take_categories(categories)
        self.opinions.see(sight.category for sight in must)
        names = {"must_visit": _names(must), "reject_visit": _names(reject)}
        return {**names, "category_pref": categories}

    def food(self, eaten: Collection[str]) -> dict[str, list[str]]:
        """The `food` of a city table. eaten: what the user wishes for in the cities before."""
        inherited = self.strategy == "copy_minor" and self.source_table is not None
        source = self.source_table["food"] if self.source_table is not None else {}
        counts = {
            field: self._count(field) for field in ("must_eat", "prefer_eat", "avoid_eat", "reject_eat")
        }
        if sum(counts.values()) > _MOST_FOODS:
            counts["reject_eat"] = 0
        prefer = list(source["prefer_eat"]) if inherited else []
        avoid = list(source["avoid_eat"]) if inherited else []
        must = self._wanted_foods("must_eat", counts["must_eat"], [*prefer, *avoid], eaten)
        self.opinions.take_food({"must_eat": must})
        if not inherited:
            prefer = self._wanted_foods("prefer_eat", counts["prefer_eat"], must, eaten)
            self.opinions.take_food({"prefer_eat": prefer})
        spared = source.get("must_eat", []) if self.strategy == "copy_minor" else []
        reject = self._avoided_foods("reject_eat", counts["reject_eat"], [*must, *prefer, *avoid, *spared])
        if not inherited:
            avoid = self._avoided_foods("avoid_eat", counts["avoid_eat"], [*must, *prefer, *reject])
        self.opinions.take_food({"avoid_eat": avoid, "reject_eat": reject})
        return {"must_eat": must, "prefer_eat": prefer, "avoid_eat": avoid, "reject_eat": reject}

    def _count(self, field: str) -> int:
        return pick(dice(*self.key, field, "count"), items(self.strategy, field))

    def _wanted_sights(self, count: int, shunned: Collection[str]) -> list[Sight]:
        """Well-known sights of categories that appeal, open on some day of the trip."""
        had = set(self.source_table["attractions"]["must_visit"]) if self.source_table is not None else set()
        same = _SAME_SIGHT.get(self.strategy, 1.0)
        appeal = {name: self._appeal("attraction", name, "unloved_names") for name in self._kinds()}
        weights = {
            sight.name: self._fame(sight)
            * appeal[sight.category]
            * self.opinions.visits(sight.category)
            * (same if sight.name in had else 1.0)
            * self.group.spares("attraction_name", self.candidates.city, sight.name)
            for sight in self.candidates.sights
            if not any(much_alike(sight.category, name) for name in shunned)
        }
        drawn = self._several("must_visit", weights, count + 3)
        dates = self.trip.skeleton.dates
        return _distinct_sights([sight for sight in drawn if not sight.closed(dates)])[:count]

    def _refused_sights(self, count: int, must: Iterable[Sight], liked: Collection[str]) -> list[Sight]:
        """Well-known sights of categories that people avoid and this one dislikes; not what the other half wants."""
        wanted = list(_names(must))
        if self.strategy == "copy_minor" and self.source_table is not None:
            wanted += self.source_table["attractions"]["must_visit"]
        kept = {sight.category for sight in must}
        cold = {
            name: self._dislike("attraction", name, "avoid_names") * (_SAME_KIND if name in kept else 1.0)
            for name in self._kinds()
        }
        weights = {
            sight.name: self._at_hand(sight)
            * cold[sight.category]
            * self.group.allows("attraction_name", self.candidates.city, sight.name)
            for sight in self.candidates.sights
            if not any(much_alike(sight.category, name) for name in liked)
            and not any(name in sight.name or sight.name in name for name in wanted)
        }
        return self._several("reject_visit", weights, count)

    def _several(self, field: str, weights: Mapping[str, float], count: int) -> list[Sight]:
        names = pick_several(dice(*self.key, field), weights, count)
        return [self.candidates.by_name[name] for name in names]

    def _kinds(self) -> Iterable[str]:
        return dict.fromkeys(sight.category for sight in self.candidates.sights)

    def _categories(
        self, counts: Mapping[str, int], must: Iterable[Sight], reject: Iterable[Sight]
    ) -> dict[str, list[str]]:
        refused = {sight.category for sight in reject}
        liked = self._likes("attraction", self.candidates.attractions, refused)
        positive = pick_several(dice(*self.key, "positive"), liked, counts["positive"])
        self.opinions.take_categories({"positive": positive, "negative": []})
        kept = [*positive, *(sight.category for sight in must)]
        shunned = self._shuns("attraction", self.candidates.attractions, kept)
        negative = pick_several(dice(*self.key, "negative"), shunned, counts["negative"])
        return {"positive": positive, "negative": negative}

    def _wanted_foods(
        self, field: str, count: int, taken: Collection[str], eaten: Collection[str]
    ) -> list[str]:
        """Categories that appeal, the city's own above all, others than in the cities before while there are any."""
        had = set(self.source_table["food"][field]) if self.source_table is not None else set()
        same = _SAME_FOOD.get(self.strategy, 1.0)
        liked = self._likes("food", self.candidates.foods, taken)
        weights = {name: weight * (same if name in had else 1.0) for name, weight in liked.items()}
        fresh = {name: weight for name, weight in weights.items() if name not in eaten}
        return pick_several(dice(*self.key, field), fresh or weights, count)

    def _avoided_foods(self, field: str, count: int, taken: Collection[str]) -> list[str]:
        return pick_several(dice(*self.key, field), self._shuns("food", self.candidates.foods, taken), count)

    def _likes(self, kind: Kind, shares: Mapping[str, float], taken: Collection[str]) -> dict[str, float]:
        """Weights of the categories that somebody may wish for."""
        topic, city = _TOPICS[kind], self.candidates.city
        return {
            name: share ** SETTINGS["share_power"]
            * self._appeal(kind, name, f"unloved_{kind}")
            * self.opinions.likes(kind, name)
            * (self.opinions.tastes(city, name) if kind == "food" else 1.0)
            * self.group.spares(topic, city, name)
            for name, share in shares.items()
            if name not in taken
        }

    def _shuns(self, kind: Kind, shares: Mapping[str, float], taken: Collection[str]) -> dict[str, float]:
        """Weights of those that somebody may not want: nothing much like what they like here."""
        topic, city = _TOPICS[kind], self.candidates.city
        alike = much_alike if kind == "attraction" else one_kitchen
        return {
            name: share ** SETTINGS["avoid_share_power"]
            * self._dislike(kind, name, f"avoid_{kind}")
            * self.opinions.shuns(kind, name)
            * self.group.allows(topic, city, name)
            for name, share in shares.items()
            if not any(alike(name, other) for other in taken)
        }

    def _fame(self, sight: Sight) -> float:
        """How well known a sight is."""
        return float((sight.rank + SETTINGS["rank_shift"]) ** -SETTINGS["rank_power"])

    def _at_hand(self, sight: Sight) -> float:
        """How likely one thinks of a sight to refuse; of a short list one knows a longer part."""
        shift = SETTINGS["rank_shift"] * (2 - len(self.candidates.sights) / MOST_SIGHTS)
        return float((sight.rank + shift) ** -SETTINGS["reject_rank_power"])

    def _appeal(self, kind: Kind, category: str, power: str) -> float:
        """Of sights, what most people avoid few wish for; of food, it is known how often it is asked for."""
        warm = exp(SETTINGS["taste_power"] * (taste(self.opinions.profile, kind, category) - 0.5))
        if kind == "food":
            return float(warm * wish_rate(category) ** SETTINGS["wished_power"])
        return float(warm * avoidance_rate(kind, category) ** -SETTINGS[power])

    def _dislike(self, kind: Kind, category: str, power: str) -> float:
        """Negatives come from the head of the list: what people avoid, and this one does not like."""
        cold = exp(SETTINGS["dislike_power"] * (0.5 - taste(self.opinions.profile, kind, category)))
        return float(avoidance_rate(kind, category) ** SETTINGS[power] * cold)


def _names(sights: Iterable[Sight]) -> list[str]:
    return [sight.name for sight in sights]


def _distinct_sights(sights: Iterable[Sight]) -> list[Sight]:
    """Without those whose name is a part of another's: to visit one would be to visit both."""
    distinct: list[Sight] = []
    for sight in sights:
        if not any(sight.name in other.name or other.name in sight.name for other in distinct):
            distinct.append(sight)
    return distinct
