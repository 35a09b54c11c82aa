"""What judges are asked of a plan. TravelEval's paper has no judge: these are its six groups of metrics, as somebody
who plans journeys would rate them, without what programs compute.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from benchmark.judging import PUBLISHED, Dimension, InputForm, Rubric
from benchmark.metrics import gettext_noop as _
from benchmark.suites.traveleval.judging.transcript import PROMPTS, plan_transcript

LOWEST, HIGHEST = 1, 5
_TRIES = 3


def judge_score(ratings: Mapping[str, int], meta: int | None) -> float:
    """100 · (r - 1) / 4 of the mean rating, times meta / 5 where a meta-judge said something; 0 to 100."""
    score = 100 * (fmean(ratings.values()) - LOWEST) / (HIGHEST - LOWEST)
    return score if meta is None else score * meta / HIGHEST


RUBRIC = Rubric(
    metric="judge",
    dimensions=(
        Dimension("credibility", _("credibility"), ("可信",)),
        Dimension("suitability", _("suitability"), ("合意",)),
        Dimension("pace", _("pace"), ("节奏",)),
        Dimension("route", _("route"), ("路线",)),
        Dimension("value", _("value for money"), ("值得",)),
        Dimension("experience", _("experience"), ("体验",)),
    ),
    forms={
        PUBLISHED: InputForm(
            PUBLISHED,
            _("the request, what was looked up, and the plan"),
            PROMPTS,
            plan_transcript,
            temperature=0.0,
            tries=_TRIES,
        )
    },
    score=judge_score,
)
