"""What judges are asked of a session (TravelBench, section 4 and appendix F.3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmark.judging import PUBLISHED, Calibration, Dimension, Fault, InputForm, Judgement, Rating, Rubric
from benchmark.metrics import gettext_noop as _
from benchmark.models.answers import storable
from benchmark.suites.travelbench.judging.transcript import PROMPTS, paper_transcript, published_transcript
from benchmark.suites.travelbench.scoring.answers import RATINGS, DimensionRating, read_judgement, read_meta
from benchmark.suites.travelbench.scoring.asking import ANSWERS, COOL, COOL_ANSWERS, WARM
from benchmark.suites.travelbench.scoring.scores import HIGHEST, normalise
from benchmark.suites.travelbench.scoring.sessions import PAPER

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


_WARM = (COOL_ANSWERS, WARM)
_TOP_P = 0.95
"""Of the published program; the paper names none."""


def judge_score(ratings: Mapping[str, int], meta: int | None) -> float:
    """100 · (r - 1) / 4 of the mean rating, times meta / 5 where a meta-judge said something; 0 to 100.

    The penalty for tool errors is the transcript's weight.
    """
    score = normalise(fmean(ratings.values()))
    return score if meta is None else score * (meta / HIGHEST)


RUBRIC = Rubric(
    metric="judge",
    dimensions=(
        Dimension("reasoning_planning", _("reasoning and planning")),
        Dimension("summarization_extraction", _("summarization and extraction")),
        Dimension("presentation", _("presentation")),
        Dimension("user_interaction", _("user interaction")),
    ),
    forms={
        PUBLISHED: InputForm(
            PUBLISHED,
            _("published: a dimension without a valid word is left out"),
            PROMPTS,
            published_transcript,
            temperature=COOL,
            tries=ANSWERS,
            warm=_WARM,
            top_p=_TOP_P,
            reading=XmlReading(whole=False),
            calibration_optional=True,
            empty_asked=True,
        ),
        PAPER: InputForm(
            PAPER,
            _("paper: every dimension must be rated, and a crash counts 0"),
            PROMPTS,
            paper_transcript,
            temperature=COOL,
            tries=ANSWERS,
            warm=_WARM,
            reading=XmlReading(whole=True),
            calibration_optional=True,
        ),
    },
    score=judge_score,
    unrated_facets={"subtask": "unsolved"},
)
"""Single-turn sessions have no user_interaction. A model that can't be reached is asked again by hand, where the
published program drops the judgement, or the calibration.
"""
