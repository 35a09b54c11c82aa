"""Cases with known figures, which show that the rules of a benchmark are applied as published."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.cases import ScoreCase


@dataclass(frozen=True)
class Cases:
    """How the cases of a benchmark's golden files are scored (`manage.py score-suite`)."""

    score: ScoreCase
    """The figures of a case."""
