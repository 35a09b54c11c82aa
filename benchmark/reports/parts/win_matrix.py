"""Every run against every other, over the tasks that all have."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.conditions import unlike
from benchmark.reports.pairing import RunPair
from benchmark.reports.parts.differences import differences
from benchmark.reports.report import Part, Report
from benchmark.reports.statistics import (
    Estimate,
    PairedDifference,
    WinCounts,
    holm,
    paired_differences,
    win_counts,
)
from benchmark.reports.table import Cell, Chart, Column, Note, Table
from benchmark.reports.verdicts import who_judged
from benchmark.reports.words import PartWords

COLUMNS = (
    *(Column("figure", "name"), Column("run", "name"), Column("against", "name"), Column("tasks", "count")),
    *(Column("wins", "count"), Column("ties", "count"), Column("losses", "count")),
    *(Column("balance", signed=True), Column("difference", signed=True)),
    *(Column("p", places=4), Column("p_holm", places=4)),
)


class _Comparison(NamedTuple):
    """Two runs by one figure. p: None where their conditions differ, or they have fewer than two tasks."""

    pair: RunPair
    counts: WinCounts
    difference: Estimate
    p: float | None


def build(report: Report) -> Table:
    """A row a figure and pair of runs, by figures of which more or less is better.

    wins, ties, losses: tasks on which the run is better than the other, as good, worse. balance: wins less losses as
    a share of the tasks, −1 to 1. difference: the run's mean less the other's, with its interval. p: of
    `paired_differences`; p_holm: corrected by Holm's method for the number of pairs that the figure was tested on.
    """
    if len(report.runs) < 2:
        return Table(COLUMNS, [], [Note("one_run")])
    figures = [key for key in report.measures.scores if report.measures.better(key) != "neither"]
    pairs = list(combinations(report.runs, 2))
    conditions = [unlike([first.conditions, second.conditions]) for first, second in pairs]
    by_pair = _compare(report, pairs, figures, [not keys for keys in conditions])
    rows = [
        row
        for figure, comparisons in zip(figures, zip(*by_pair, strict=True), strict=True)
        for row in _rows(figure, comparisons)
    ]
    if not rows:
        return Table(COLUMNS, rows, [Note("no_pairs")])
    tests = [Note("matrix_tests", {"times": report.resampler.times})] if not all(conditions) else []
    return Table(COLUMNS, rows, [*_unlike_pairs(conditions), *tests, *_of_runs(report), *who_judged(report)])


def _compare(
    report: Report, pairs: Sequence[RunPair], figures: Sequence[str], tested: Sequence[bool]
) -> list[list[_Comparison]]:
    """A row a pair, a comparison each of `figures`."""
    blocks = [differences(second.tasks, first.tasks, figures) for first, second in pairs]
    signs = [report.measures.better(figure) == "low" for figure in figures]
    return [
        [
            _comparison(pair, counts.opposite() if turned else counts, difference, is_tested)
            for counts, difference, turned in zip(map(win_counts, block.T), own, signs, strict=True)
        ]
        for pair, block, own, is_tested in zip(
            pairs, blocks, paired_differences(blocks, report.resampler), tested, strict=True
        )
    ]


def _comparison(pair: RunPair, counts: WinCounts, difference: PairedDifference, tested: bool) -> _Comparison:
    if tested:
        return _Comparison(pair, counts, difference.difference, difference.p)
    return _Comparison(pair, counts, Estimate(difference.difference.value), None)


def _rows(figure: str, comparisons: Sequence[_Comparison]) -> list[list[Cell]]:
    """corrected: by the place of each comparison that was tested."""
    tested = [(place, one.p) for place, one in enumerate(comparisons) if one.p is not None]
    corrected = dict(zip((place for place, _p in tested), holm([p for _place, p in tested]), strict=True))
    return [
        [
            *(figure, one.pair[0].label, one.pair[1].label, one.counts.tasks),
            *(one.counts.wins, one.counts.ties, one.counts.losses, one.counts.balance),
            *(one.difference, one.p, corrected.get(place)),
        ]
        for place, one in enumerate(comparisons)
        if one.counts.tasks
    ]


def _unlike_pairs(conditions: Sequence[Sequence[str]]) -> list[Note]:
    """How many pairs were run under unlike conditions, and in what they differ."""
    several = [keys for keys in conditions if keys]
    differing = dict.fromkeys(key for keys in several for key in keys)
    return [Note("untested_pairs", {"n": len(several)}, list(differing))] if several else []


def _of_runs(report: Report) -> list[Note]:
    return [Note("no_figures_of_runs")] if report.measures.of_whole_runs else []


CHART = Chart("matrix", x="against", y="run", value="balance", facet="figure", mirrored=True)
PART = Part(
    "win_matrix",
    build,
    CHART,
    words=PartWords(
        _("Every run against every other"),
        _(
            "On how many tasks each run is better, as good and worse. In the charts a square compares the run of "
            "its row with that of its column: wins less losses as a share of the tasks, −1 to 1. Blue squares: "
            "more wins. Orange: more losses. The stronger, the fuller the colour."
        ),
        columns={
            "against": _("compared with"),
            "wins": _("wins"),
            "ties": _("ties"),
            "losses": _("losses"),
            "balance": _("wins less losses"),
            "difference": _("difference"),
            "p": _("p"),
            "p_holm": _("p (Holm)"),
        },
        notes={
            "no_pairs": _("These runs have no task in common."),
            "untested_pairs": ngettext_noop(
                "%(n)s pair of runs was run under unlike conditions (%(what)s), so it is shown without interval "
                "and test.",
                "%(n)s pairs of runs were run under unlike conditions (%(what)s), so they are shown without "
                "intervals and tests.",
            ),
            "matrix_tests": _(
                "The mean difference has its 95 %% interval, bootstrapped over tasks (%(times)s resamples); p is "
                "that of a permutation test. p (Holm) is corrected for the number of pairs within each figure: "
                "whoever calls every pair below 0.05 different errs in any of them with a probability of at most "
                "5 %%."
            ),
            "no_figures_of_runs": _("Figures that only a whole run has are not compared task by task."),
        },
    ),
)
