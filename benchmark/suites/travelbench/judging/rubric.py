"""What judges are asked of a session (TravelBench, section 4 and appendix F.3)."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from benchmark.judging import PUBLISHED, Dimension, InputForm, Rubric
from benchmark.metrics import gettext_noop as _
from benchmark.suites.travelbench.judging.reading import XmlReading
from benchmark.suites.travelbench.judging.transcript import PROMPTS, paper_transcript, published_transcript
from benchmark.suites.travelbench.scoring.asking import ANSWERS, COOL, COOL_ANSWERS, WARM
from benchmark.suites.travelbench.scoring.scores import HIGHEST, normalise
from benchmark.suites.travelbench.scoring.sessions import PAPER

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
