"""What users ask for step by step, each time more strictly, and whether enough is left."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final, NamedTuple

from benchmark.suites.tripbench.making.sketches import Sketches
from benchmark.suites.tripbench.plans.trip import Trip
from benchmark.suites.tripbench.rubrics import RUBRICS
from benchmark.suites.tripbench.rubrics.base import Rubric
from benchmark.suites.tripbench.rubrics.candidates import DOMAINS, PLACES, Candidates, Choice

TRIM_SAMPLES: Final = 20
"""Plans that are drawn to see whether a step asks for anything new (`trim_samples`)."""
_REDUNDANT_SHARE: Final = 0.9
_DRAWS_A_SAMPLE: Final = 3
_FULL_DAY_SIGHTS: Final = 2


class Chain(NamedTuple):
    """Forms of one requirement, each stricter than the one before."""

    forms: tuple[Rubric, ...]

    @property
    def key(self) -> str:
        """Of the rubric."""
        return self.forms[0].key

    @property
    def final(self) -> Rubric:
        """The strictest form."""
        return self.forms[-1]


def draw_chain(random: Random, key: str, candidates: Candidates, length: int) -> Chain | None:
    """At most so many forms, without those that plans meet anyway; None where nothing can be asked for."""
    rubric = RUBRICS[key].draw(random, candidates)
    forms: list[Rubric] = []
    while rubric is not None and len(forms) < min(length, rubric.longest_chain):
        forms.append(rubric)
        rubric = rubric.tighten(random, candidates)
    return _trim(random, candidates, forms) if forms else None


def _trim(random: Random, candidates: Candidates, forms: list[Rubric]) -> Chain:
    """Without the forms before one that nearly all plans meet which meet the form before it."""
    for at in reversed(range(len(forms) - 1)):
        trips = _sample_trips(random, candidates, forms[at])
        if trips and sum(map(forms[at + 1].is_met, trips)) >= _REDUNDANT_SHARE * len(trips):
            return Chain(tuple(forms[at + 1 :]))
    return Chain(tuple(forms))


def _sample_trips(random: Random, candidates: Candidates, rubric: Rubric) -> list[Trip]:
    """Plans that meet a requirement."""
    allowed = {**candidates.choices, rubric.domain: rubric.feasible_choices(candidates)}
    sketches, trips = Sketches(candidates, allowed), list[Trip]()
    for _ in range(TRIM_SAMPLES * _DRAWS_A_SAMPLE):
        trip = sketches.draw(random)
        if trip is None or len(trips) == TRIM_SAMPLES:
            break
        if rubric.is_met(trip):
            trips.append(trip)
    return trips


class Selection:
    """The choices that all requirements so far leave of each domain (C). per_day: items a day that must be left."""

    def __init__(self, candidates: Candidates, per_day: int) -> None:
        self.candidates = candidates
        self.least = per_day * candidates.days
        self.choices: dict[str, frozenset[Choice]] = {
            domain: candidates.choices[domain] for domain in DOMAINS
        }

    def accepts(self, rubric: Rubric) -> bool:
        """Whether enough is left with it too."""
        return self._is_enough({**self.choices, **self._narrow(rubric)})

    def add(self, rubric: Rubric) -> None:
        """Another requirement."""
        self.choices |= self._narrow(rubric)

    def _narrow(self, rubric: Rubric) -> dict[str, frozenset[Choice]]:
        if rubric.domain not in self.choices:
            return {}
        return {rubric.domain: self.choices[rubric.domain] & rubric.feasible_choices(self.candidates)}

    @property
    def count(self) -> int:
        """Items that are left (|C|)."""
        return sum(len({item for item, _ in self.choices[domain]}) for domain in PLACES)

    def _is_enough(self, choices: dict[str, frozenset[Choice]]) -> bool:
        items = {domain: {item for item, _ in own} for domain, own in choices.items()}
        if sum(len(items[domain]) for domain in PLACES) < self.least:
            return False
        world, frame = self.candidates.world, self.candidates.frame
        legs = {((own := world.services_by_id[id_]).from_city, own.to_city) for id_ in items["transport"]}
        hotels = Counter(world.hotels_by_id[id_].city for id_ in items["hotel"])
        meals = Counter(world.restaurants_by_id[id_].city for id_ in items["restaurant"])
        sights = Counter(world.attractions_by_id[id_].city for id_ in items["attraction"])
        return legs >= {*frame.legs} and all(
            hotels[city] and min(meals[city], sights[city]) >= _FULL_DAY_SIGHTS * nights
            for city, nights in frame.stays
            if nights
        )
