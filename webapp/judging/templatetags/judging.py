"""Filters of the pages of judgements."""

from __future__ import annotations

from typing import Any

from django import template

from benchmark.judging.stability import Spread
from webapp.judging import wording
from webapp.judging.models import JudgeBatch, Judgement

register = template.Library()
register.filter("dimension_words", wording.dimension_words)
register.filter("faults_words", wording.faults_words)
register.filter("call_tokens", wording.call_words)
register.filter("counted_words", wording.counted_words)
register.filter("waiting_words", wording.waiting_words)
register.filter("seat_words", wording.seat_words)
register.filter("source_words", wording.source_words)


@register.filter
def rubric_note(batch: JudgeBatch) -> str:
    """After what a judge is shown: ` · style`, the rubric where its benchmark has several."""
    words = wording.rubric_words(batch.rubric, batch.suite)
    return f" · {words}" if words else ""


@register.filter
def scale_words(batch: JudgeBatch) -> str:
    """What the ratings of a batch are."""
    return wording.scale_words(batch.criteria)


@register.filter
def spread_words(spread: Spread | None, places: int = 2) -> str:
    """A mean with its deviation."""
    return wording.spread_words(spread, places)


@register.filter
def pieces(rating: dict[str, Any]) -> list[wording.Piece]:
    """A stored rating's rationale with its citations."""
    return list(wording.pieces(rating["rationale"], rating["turns"], rating["unknown"]))


@register.simple_tag
def rating_lists(rating: dict[str, Any], dimension: str, suite: str) -> list[wording.ShownList]:
    """What a stored rating lists beside its rationale."""
    return wording.rating_lists(rating, dimension, suite)


@register.filter
def meta_pieces(row: Judgement) -> list[wording.Piece]:
    """The same of a meta-judge's reasoning."""
    return list(wording.pieces(row.meta_reasoning, row.meta_turns, row.meta_unknown))


@register.filter
def score_of(row: Judgement, dimension: str) -> int | None:
    """A dimension's score where it counts."""
    score: int | None = row.scores.get(dimension)
    return score


@register.filter
def spread_of(figures: dict[str, Spread | None], dimension: str) -> Spread | None:
    """A dimension's figure."""
    return figures.get(dimension)
