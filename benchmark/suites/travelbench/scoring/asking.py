"""Asking a judge until an answer can be read, and a meta-judge after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Protocol

from benchmark.suites.travelbench.scoring.answers import RATINGS, DimensionRating, read_judgement, read_meta

ANSWERS = 10
"""Answers of a judge, and requests to a meta-judge, until one can be read."""
INNER_TRIES = 10
"""Requests for one answer of a judge."""
COOL_ANSWERS = 7
COOL, WARM = 0.0, 0.7
"""Temperature of the first answers, and of the last three."""


class NoConnection(Exception):
    """The server can't be reached: to ask again is of no use."""


class AskedInVain(Exception):
    """A request failed, or its answer holds no text; another one may do better."""


class Ask(Protocol):
    """Makes one request and gives the answer's text, which may be empty.

    Raises:
        NoConnection, AskedInVain.
    """

    def __call__(self, temperature: float) -> str: ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judgement that can be read. answers: by dimension; ratings: 1 to 5, None for a word that is none."""

    answers: Mapping[str, DimensionRating]
    ratings: Mapping[str, int | None]

    @property
    def mean(self) -> float:
        """Over the dimensions that have a rating; there is one at least."""
        return _mean(self.ratings)


def ask_judge(ask: Ask, dimensions: Sequence[str], *, complete: bool = False) -> Judgement | None:
    """The first answer that rates a dimension; None after ten answers, or where there is no connection.

    An answer that fails is asked for up to ten times at the same temperature. dimensions: the keys of those of the
    mode. complete: every dimension has to have its rating, as the paper has it (section 4).
    """
    for number in range(ANSWERS):
        try:
            text = _answer(ask, COOL if number < COOL_ANSWERS else WARM)
        except NoConnection:
            return None
        verdict = _read(text, dimensions) if text else None
        if verdict and (not complete or None not in verdict.ratings.values()):
            return verdict
    return None


def meta_judged(ask: Ask) -> int | None:
    """A meta-judge's rating, 1 to 5; None where none of ten requests brings one, or where there is no connection."""
    for _ in range(ANSWERS):
        try:
            text = ask(COOL)
        except NoConnection:
            return None
        except AskedInVain:
            continue
        rated = read_meta(text) if text else None
        if rated and rated["rating"] in RATINGS:
            return RATINGS[rated["rating"]]
    return None


def _answer(ask: Callable[[float], str], temperature: float) -> str:
    for _ in range(INNER_TRIES):
        try:
            return ask(temperature)
        except AskedInVain:
            continue
    return ""


def _read(text: str, dimensions: Sequence[str]) -> Judgement | None:
    rated = read_judgement(text, dimensions)
    if rated is None:
        return None
    ratings = {name: RATINGS.get(rating["rating"]) for name, rating in rated.items()}
    return Judgement(rated, ratings) if any(ratings.values()) else None


def _mean(ratings: Mapping[str, int | None]) -> float:
    return fmean(rating for rating in ratings.values() if rating is not None)
