"""What judges write of TravelBench, as the rest of Caravan reads verdicts: XML with five words for ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from benchmark.judging import Calibration, Dimension, Fault, Judgement, Rating
from benchmark.models.answers import storable
from benchmark.suites.travelbench.scoring.answers import RATINGS, DimensionRating, read_judgement, read_meta

_DETAIL = 120


@dataclass(frozen=True, slots=True)
class XmlReading:
    """Reads the answers by `scoring.answers`. whole: an answer counts only if it rates every dimension (`paper`);
    else the dimensions that have a rating are enough, one at least.
    """

    whole: bool
    json_object: bool = False

    def judgement(
        self, text: str, dimensions: Sequence[Dimension], turns: Collection[int], *, cut_off: bool = False
    ) -> Judgement:
        """A judge's answer; nothing is cited by number."""
        judgement_read = read_judgement(text, [dimension.key for dimension in dimensions])
        if judgement_read is None:
            return Judgement(text, faults=(*_cut(cut_off), Fault("no_xml")))
        ratings = {name: _rating(rated) for name, rated in judgement_read.items() if any(rated.values())}
        scored = [rating.score is not None for rating in ratings.values()]
        complete = sum(scored) == len(dimensions) if self.whole else any(scored)
        faults = [fault for name, rated in judgement_read.items() if (fault := _fault(name, rated))]
        return Judgement(text, ratings, (*_cut(cut_off), *faults), complete)

    def calibration(self, text: str, turns: Collection[int], *, cut_off: bool = False) -> Calibration:
        """A meta-judge's answer."""
        rated = read_meta(text)
        if rated is None:
            return Calibration(text, faults=(*_cut(cut_off), Fault("no_xml")))
        rating, fault = _rating(rated), _fault("", rated)
        faults = (*_cut(cut_off), *([fault] if fault else []))
        return Calibration(text, rating.score, rating.rationale, faults=faults)


def _rating(rated: DimensionRating) -> Rating:
    return Rating(RATINGS.get(rated["rating"]), storable(rated["reasoning"]).strip())


def _fault(dimension: str, rated: DimensionRating) -> Fault | None:
    word = rated["rating"]
    if word in RATINGS:
        return None
    return Fault("no_word", dimension, storable(word)[:_DETAIL]) if word else Fault("missing", dimension)


def _cut(cut_off: bool) -> list[Fault]:
    return [Fault("cut_off")] if cut_off else []
