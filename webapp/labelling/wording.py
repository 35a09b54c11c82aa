"""Statistics in words, for pages and commands."""

from __future__ import annotations

from benchmark.labelling.statistic import Statistic
from webapp.wording.numbers import number_words, share_words


def interval_words(found: Statistic | None) -> str:
    """The 95 % interval, "" where there is none."""
    if found is None or found.low is None or found.high is None:
        return ""
    if found.definition.share:
        return f"{share_words(found.low)} – {share_words(found.high)} %"
    return f"{number_words(found.low, 3)} – {number_words(found.high, 3)}"
