"""What judges are asked of a session (GroupTravelBench, section 4.2, appendices A.7 and C.8)."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean

from benchmark.judging import PUBLISHED, Dimension, InputForm, Rubric
from benchmark.metrics import gettext_noop as _
from benchmark.suites.grouptravel.judging.published_input import published_transcript
from benchmark.suites.grouptravel.judging.transcript import (
    CARAVAN_PROMPTS,
    PUBLISHED_PROMPTS,
    caravan_transcript,
)

CARAVAN, PAPER = "caravan", "paper"
HIGHEST = 5


def points(rating: float, meta: int | None) -> float:
    """100 · (rating - 1) / 4, rounded to 2 places as the published scorer does; with a meta-judge times meta / 5.

    rating: of one dimension, or the mean of several. meta: None where no meta-judge is asked. The result is 0 to 100.
    """
    scaled = round(100 * (rating - 1) / 4, 2)
    return scaled if meta is None else round(scaled * meta / HIGHEST, 2)


def judge_score(ratings: Mapping[str, int], meta: int | None) -> float:
    """S: the points of the mean of the five ratings, 0 to 100."""
    return points(mean(ratings.values()), meta)


RUBRIC = Rubric(
    metric="judge",
    dimensions=(
        Dimension("hallucination", _("hallucination (5 = free of it)"), ("虚构",)),
        Dimension("tool_use_reasoning", _("tool-use reasoning"), ("工具使用",)),
        Dimension("interaction_quality", _("interaction quality"), ("交流质量",)),
        Dimension("conflict_coordination", _("conflict coordination"), ("冲突协调",)),
        Dimension("plan_humanization", _("plan humanization"), ("计划的人情味",)),
    ),
    forms={
        PUBLISHED: InputForm(
            PUBLISHED,
            _("published: with the travellers' tables"),
            PUBLISHED_PROMPTS,
            published_transcript,
            temperature=0.1,
            tries=1 + 10,
        ),
        PAPER: InputForm(
            PAPER,
            _("paper: as published, at temperature 0"),
            PUBLISHED_PROMPTS,
            published_transcript,
            temperature=0.0,
            tries=1 + 10,
        ),
        CARAVAN: InputForm(
            CARAVAN,
            _("caravan: without their tables"),
            CARAVAN_PROMPTS,
            caravan_transcript,
            temperature=0.0,
            tries=1,
        ),
    },
    score=judge_score,
)
"""`published`: the published implementation's input. `paper`: the same at the temperature of appendix C.1. `caravan`:
no tables, but notes, rounds and compromises, at that temperature too.
"""
DIMENSIONS = RUBRIC.names
