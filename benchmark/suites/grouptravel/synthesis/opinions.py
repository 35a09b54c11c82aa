"""What one traveller likes and does not like, so that they are of one mind in all cities of a trip.

None of the 48 published users whose trip has several cities likes in one what they shun in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from benchmark.suites.grouptravel.synthesis.profiles import OF_AGE, Profile
from benchmark.suites.grouptravel.synthesis.resources import Trip
from benchmark.suites.grouptravel.synthesis.tastes import (
    CONTRASTS,
    SETTINGS,
    Kind,
    befits,
    belongs_to,
    home_of,
    local_to,
    much_alike,
    one_kitchen,
    suits,
)

_LIKED_FOOD = ("must_eat", "prefer_eat")


class Opinions:
    """Of one traveller while their table is drawn, city by city. Each method gives a factor of a weight."""

    def __init__(self, profile: Profile, trip: Trip) -> None:
        self.profile = profile
        minors = any(other.age < OF_AGE for other in trip.cast.values())
        self._with_children = minors or bool(trip.archetype.children)
        self._tags, self._home = trip.archetype.tags_zh, trip.skeleton.departure
        self._cities = trip.skeleton.cities
        self._likes: dict[Kind, set[str]] = {"attraction": set(), "food": set()}
        self._dislikes: dict[Kind, set[str]] = {"attraction": set(), "food": set()}
        self._seen_names = set[str]()

    def take_categories(self, tiers: Mapping[str, Sequence[str]]) -> None:
        """Learn a `category_pref` of a city."""
        self._likes["attraction"].update(tiers["positive"])
        self._dislikes["attraction"].update(tiers["negative"])

    def take_food(self, tiers: Mapping[str, Sequence[str]]) -> None:
        """Learn tiers of a city's `food`."""
        for tier, names in tiers.items():
            (self._likes if tier in _LIKED_FOOD else self._dislikes)["food"].update(names)

    def see(self, categories: Iterable[str]) -> None:
        """Learn of which categories the sights are that must be seen."""
        self._seen_names.update(categories)

    def likes(self, kind: Kind, name: str) -> float:
        """Of liking a category."""
        fits = suits(self.profile, kind, name, self._with_children) * befits(self._tags, kind, name)
        torn = SETTINGS["of_two_minds"] if self._is_akin(kind, name, self._dislikes[kind]) else 1.0
        return fits * torn * (self._contrast_weight(name) if kind == "food" else 1.0)

    def shuns(self, kind: Kind, name: str) -> float:
        """Of not liking one."""
        if self._is_akin(kind, name, self._likes[kind]):
            return SETTINGS["of_two_minds"]
        seen = kind == "attraction" and self._is_akin(kind, name, self._seen_names)
        return SETTINGS["seen_elsewhere"] if seen else 1.0

    def visits(self, category: str) -> float:
        """Of a sight of a category: one goes to few museums who does not like museums."""
        torn = (
            SETTINGS["seen_elsewhere"]
            if self._is_akin("attraction", category, self._dislikes["attraction"])
            else 1.0
        )
        fits = suits(self.profile, "attraction", category, self._with_children)
        return torn * fits * befits(self._tags, "attraction", category)

    def tastes(self, city: str, name: str) -> float:
        """Of wishing for food of a category in a city: for what is cooked there, not for what is eaten at home.

        What another city of the trip is known for is eaten there.
        """
        if home_of(self._home, name):
            return SETTINGS["home_cuisine"]
        if any(belongs_to(other, name) for other in self._cities if other != city):
            return SETTINGS["next_cuisine"]
        return SETTINGS["own_cuisine"] if local_to(city, name) else 1.0

    def _is_akin(self, kind: Kind, name: str, others: Iterable[str]) -> bool:
        """Whether a category is among others, or is much like one of them."""
        alike = much_alike if kind == "attraction" else one_kitchen
        return any(alike(name, other) for other in others)

    def _contrast_weight(self, name: str) -> float:
        """Hardly anybody who asks for vegetables asks for a barbecue in the next city."""
        liked = self._likes["food"]
        for one, others in CONTRASTS:
            sides = (one, others), (others, one)
            for mine, theirs in sides:
                if _any(mine, name) and any(_any(theirs, other) for other in liked):
                    return SETTINGS["of_two_minds"]
        return 1.0


def _any(parts: Sequence[str], name: str) -> bool:
    return any(part in name for part in parts)
