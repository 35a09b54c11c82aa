"""The words of a benchmark's figures, in reports and beside runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.functional import Promise

from webapp.pages.kinds import Tally


@dataclass(frozen=True)
class FigureWords:
    """The words of a benchmark's figures."""

    issues: Mapping[str, Promise] = field(default_factory=dict)
    """Kinds of what is wrong with a plan, by the types that its scoring counts."""
    names: Mapping[str, Mapping[str, Promise]] = field(default_factory=dict)
    """Names in the columns of reports and statistics by column, beside those that their parts say."""
    averages: Promise | str = ""
    """A sentence on its averages over tasks, for the page of a run."""
    crashes: Promise | str = ""
    """What a session that crashed counts as, in a sentence."""
    good: Promise | str = ""
    """When a figure is a good one, in a sentence or two for a first reader."""
    tally: Callable[[Tally, Path], tuple[str, Sequence[str]]] = lambda tally, catalogue: ("", ())
    """A line of what a scored file held, and warnings; from the tally of `Scoring.file` and the catalogue's path."""
