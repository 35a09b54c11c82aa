"""What the planners of one session have in common: their problems differ in little."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.suites.grouptravel.agent.brief import Brief
from benchmark.suites.grouptravel.agent.planning.geography import Atlas
from benchmark.suites.grouptravel.agent.planning.knowledge import Knowledge
from benchmark.suites.grouptravel.agent.planning.schedule import Block, Item
from benchmark.suites.grouptravel.agent.planning.score import BlockScore
from benchmark.suites.grouptravel.agent.planning.spots import Spot, places_in, spots_of
from benchmark.suites.grouptravel.agent.planning.tastes import Taste

BlockScores = dict[tuple[Block, tuple[Item, ...]], BlockScore | None]
"""By a block and what fills it; None where that can't be timed."""
_MOST_CITIES = 16
"""Versions of a city's spots that are kept."""


class SharedWork:
    """Spots of cities and scores of blocks, by all that they depend on; one atlas numbers the points of all."""

    def __init__(self) -> None:
        self.atlas = Atlas()
        self._spots: list[tuple[tuple[object, ...], tuple[Spot, ...]]] = []
        self._scores: list[tuple[tuple[Spot, ...], BlockScores]] = []

    def spots(self, brief: Brief, city: str, tastes: Sequence[Taste], known: Knowledge) -> tuple[Spot, ...]:
        """As `spots_of`."""
        wishes = [taste.of(city) for taste in tastes]
        problem = (city, brief.start, brief.days, wishes, places_in(known, city), known.points.get(city))
        spots = next((spots for solved, spots in self._spots if solved == problem), None)
        if spots is None:
            spots = spots_of(brief, city, tastes, known, self.atlas)
            self._spots = [(problem, spots), *self._spots][:_MOST_CITIES]
        return spots

    def scores(self, spots: tuple[Spot, ...]) -> BlockScores:
        """The scores of blocks in a city with these spots, which whoever finds more adds."""
        scores = next((scores for scored, scores in self._scores if scored == spots), None)
        if scores is None:
            scores = {}
            self._scores = [(spots, scores), *self._scores][:_MOST_CITIES]
        return scores
