"""How the sessions of a benchmark are scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol

from benchmark.core.events import Event
from benchmark.core.setting import Setting, T, W
from benchmark.core.sheets import Sheet
from benchmark.metrics import RESERVED_KEYS, Averaging, Group, Metric
from benchmark.suites.base.lazy import Lazy
from benchmark.suites.base.misses import Misses
from benchmark.suites.base.options import Option
from benchmark.suites.base.ratings import Ratings
from sandbox.worlds import World

Log = Sequence[Event]
"""The events of a session that has ended."""


class Tally(Protocol):
    """What scoring a file has counted; the benchmark's own class adds the rest."""

    @property
    def records(self) -> int: ...


ScoreFile = Callable[[Path, Path, Path, Callable[[int], None], str], Tally]
"""Scores run records of another program by a profile: (records, places, out, progress, profile).

records: a record a line. places: the file of places that they are checked against. out: a line of figures for
each, in the same order, or nothing at all. progress is called with the number of records so far. It gives a tally
of its own. Raises ValueError, with the lines and fields that are wrong, and OSError.
"""


JoinRatings = Callable[[Mapping[str, object], Ratings], Mapping[str, float]]
"""Gives values by the keys of metrics, from the figures of a session under a profile, as they are stored, and what
one judge says of it. A metric that lacks something is left out.
"""


@dataclass(frozen=True)
class Scoring(Generic[T, W]):
    """How the sessions of a benchmark are scored. T: the class of its tasks. W: what its scores need of a world."""

    code_version: str
    """Raised whenever a figure or its evidence may come out differently for the same log."""
    profiles: Mapping[str, Averaging]
    """How sessions are averaged, by name."""
    score: Callable[[Log, Setting[T, W]], Mapping[str, Sheet]]
    """The figures of a session, by profile."""
    metrics: tuple[Metric, ...] = ()
    """In the order in which a session shows them."""
    groups: tuple[Group, ...] = ()
    """In which metrics are shown together, in order; those of no group come first."""
    options: tuple[Option, ...] = ()
    """What is chosen for a session that its figures depend on, beyond those of its play."""
    join_ratings: JoinRatings | None = None
    """What is made of figures and ratings together: the metrics of raters that are of no rubric; None for nothing."""
    world: Callable[[World], W | None] = lambda pack: None
    """What scores need of a world's pack; it is read-only, and kept for other sessions and threads."""
    file: ScoreFile | None = None
    """For `manage.py score`: scores run files that other programs wrote; None where scores need no places, so that
    records are imported and scored like sessions."""
    misses: Lazy[Misses[T, W]] | None = None
    """What sessions lost and why; None where nothing says so."""

    @property
    def profile(self) -> str:
        """The one that is shown where nobody has chosen another: the first."""
        return next(iter(self.profiles))

    def __post_init__(self) -> None:
        keys = [metric.key for metric in self.metrics]
        if refused := sorted({key for key in keys if key in RESERVED_KEYS or keys.count(key) > 1}):
            raise ValueError(f"these keys of metrics are taken: {', '.join(refused)}")
        names = {"", *(group.key for group in self.groups)}
        if strays := sorted({metric.key for metric in self.metrics if metric.group not in names}):
            raise ValueError(f"these metrics are in groups that are not declared: {', '.join(strays)}")
        of_sessions = {metric.key for metric in self.metrics if metric.scope != "run"}
        if unknown := sorted({key for metric in self.metrics for key in metric.made_of} - of_sessions):
            raise ValueError(f"no session has these metrics: {', '.join(unknown)}")
