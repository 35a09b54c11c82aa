"""What every part of a report is made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from benchmark.judging import Pair
from benchmark.labelling.ceiling import Ceiling
from benchmark.labelling.rater_accuracy import Accuracy
from benchmark.reports.agreement import RatedSession, UnmatchedRatings
from benchmark.reports.measures import Measures
from benchmark.reports.paper_results import PublishedResults
from benchmark.reports.run import RunFigures
from benchmark.reports.statistics import Resampler
from benchmark.reports.table import Chart, Note, Table
from benchmark.reports.words import NO_WORDS, PartWords


class PairRater(NamedTuple):
    """A metric, a judge or a model that compares against people's choices between the plans of a study's pairs.

    kind: `metric`, `judge`, `pointwise` or `pairwise`. name: of the model or judge, "" of rules. metric: its key, ""
    of a model that compares. decided: pairs that people decided. ceiling: how near it comes to what people reach;
    None where their own agreement is undefined.
    """

    study: str
    kind: str
    name: str
    metric: str
    accuracy: Accuracy
    decided: int
    ceiling: Ceiling | None = None


@dataclass(frozen=True)
class Report:
    """Some runs of one benchmark under one profile and one pair of judges a rubric.

    pair: whose verdicts the sessions have, None while there are none. further_pairs: whose they have by the other
    rubrics of the benchmark. others: who judged some of them too, and counts for nothing here. labels: human ratings
    next to the judge's, empty while there are none. unmatched_ratings: the sessions whose human ratings have none of
    the judge's beside them. studies: the names of those that the ratings are from; of a file's ratings, those whose
    ratings they stand in place of (from_file). paper_results: the results of the benchmark's paper, where they are to
    stand beside the runs.
    """

    runs: Sequence[RunFigures]
    measures: Measures
    pair: Pair | None = None
    others: Sequence[Pair] = ()
    labels: Sequence[RatedSession] = ()
    resampler: Resampler = field(default_factory=Resampler)
    unmatched_ratings: UnmatchedRatings = field(default_factory=UnmatchedRatings)
    studies: Sequence[str] = ()
    from_file: bool = False
    paper_results: PublishedResults | None = None
    further_pairs: Sequence[Pair] = ()
    pair_raters: Sequence[PairRater] = ()

    @cached_property
    def common(self) -> frozenset[str]:
        """The tasks that every run has figures of; a run without any yet does not count."""
        tasks = [frozenset(run.tasks.ids) for run in self.runs if run.tasks.ids]
        return frozenset.intersection(*tasks) if tasks else frozenset()

    @property
    def uneven(self) -> bool:
        """Whether some run has tasks that another has not."""
        return any(len(run.tasks.ids) > len(self.common) for run in self.runs)

    @cached_property
    def over_common_tasks(self) -> Report:
        """The same report over the common tasks alone."""
        return replace(self, runs=[run.over_tasks(self.common) for run in self.runs])

    def left_out(self) -> list[Note]:
        """What the shared report is over, and how many tasks of each run are not in it."""
        left = [(run.label, len(run.tasks.ids) - len(self.common)) for run in self.runs]
        missing = [Note("left_out", {"run": label, "n": n}) for label, n in left if n]
        return [Note("shared", {"n": len(self.common)}) if self.common else Note("nothing_shared"), *missing]

    @property
    def pairs(self) -> list[Pair]:
        """Every pair that judged any of the sessions, first those that count."""
        return [*self.counting, *self.others]

    @property
    def counting(self) -> list[Pair]:
        """The pairs whose verdicts the sessions have, one a rubric."""
        return [self.pair, *self.further_pairs] if self.pair else []


@dataclass(frozen=True, slots=True)
class Part:
    """One table or figure.

    own_tasks: whether it holds runs with tasks that others have not; any other part sets runs side by side, and so
    over the tasks that they share. counterpart: what the benchmark's paper calls its like, "" for what it does not
    have. words: its own, beside those that all parts of its benchmark have (`Reporting.words`).
    """

    name: str
    build: Callable[[Report], Table]
    chart: Chart | None = None
    own_tasks: bool = False
    counterpart: str = ""
    words: PartWords = NO_WORDS

    def like(self, counterpart: str) -> Part:
        """The same part as the counterpart of a table or figure."""
        return replace(self, counterpart=counterpart)

    def table(self, report: Report) -> Table:
        """The part of a report, with notes of what it leaves out."""
        if self.own_tasks or not report.uneven:
            return self.build(report)
        built_table = self.build(report.over_common_tasks)
        rows = built_table.rows if report.common else []
        notes = built_table.notes if report.common else []
        return Table(built_table.columns, rows, [*report.left_out(), *notes], len(report.common))
