"""How far the judge is from human annotators."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.agreement import UnmatchedRatings, agreement
from benchmark.reports.report import Part, Report
from benchmark.reports.table import Cell, Column, Note, Table
from benchmark.reports.words import PartWords

COLUMNS = (
    *(Column("dimension", "name"), Column("sessions", "count"), Column("judge_human"), Column("human_human")),
)
MOST_NAMES = 10


def build(report: Report) -> Table:
    """A row a dimension, then their average: mean absolute errors, each on its dimension's scale."""
    dimensions = [dimension.key for dimension in report.measures.dimensions]
    agreements = [(name, rated) for name in dimensions if (rated := agreement(report.labels, name))]
    left_out = [*_source(report), *_left_out(report.unmatched_ratings)]
    if not agreements:
        return Table(COLUMNS, [], left_out or [Note("no_labels")])
    rows: list[list[Cell]] = [[name, rated.sessions, rated.judge, rated.humans] for name, rated in agreements]
    humans = [rated.humans for _, rated in agreements if rated.humans is not None]
    average = [fmean(rated.judge for _, rated in agreements), fmean(humans) if humans else None]
    return Table(COLUMNS, [*rows, ["all", len(report.labels), *average]], left_out)


def _source(report: Report) -> list[Note]:
    """The studies that the ratings are from, or that a file stands in place of; nothing where there is no study."""
    if not report.studies:
        return []
    key = "labels_of_file" if report.from_file else "labels_of_studies"
    return [Note(key, {"n": len(report.studies), "names": _names(report.studies)})]


def _left_out(unmatched: UnmatchedRatings) -> list[Note]:
    """How many sessions have ratings of people alone, why, and the names of the first."""
    left_out = {"labels_unknown": unmatched.unknown_ids, "labels_unjudged": unmatched.unjudged_ids}
    return [
        Note(key, {"n": len(sessions), "names": _names(sessions)})
        for key, sessions in left_out.items()
        if sessions
    ]


def _names(sessions: Sequence[str]) -> str:
    names = ", ".join(sessions[:MOST_NAMES])
    return f"{names}, …" if len(sessions) > MOST_NAMES else names


PART = Part(
    "judge_and_people",
    build,
    own_tasks=True,
    words=PartWords(
        _("The judge and human annotators"),
        _("Mean absolute errors of ratings of 1 to 5."),
        columns={"judge_human": _("judge from human"), "human_human": _("human from median")},
        notes={
            "labels_unknown": ngettext_noop(
                "People rated %(n)s session (%(names)s) that this report does not count: it is not a "
                "finished or crashed session of its runs with scores.",
                "People rated %(n)s sessions (%(names)s) that this report does not count: they are not "
                "finished or crashed sessions of its runs with scores.",
            ),
            "labels_unjudged": ngettext_noop(
                "People rated %(n)s session (%(names)s) that has no judgement to compare with.",
                "People rated %(n)s sessions (%(names)s) that have no judgement to compare with.",
            ),
            "labels_of_studies": ngettext_noop(
                "People's ratings come from this study: %(names)s.",
                "People's ratings come from these %(n)s studies: %(names)s.",
            ),
            "labels_of_file": ngettext_noop(
                "People's ratings come from the given file; those of this study are left out: %(names)s.",
                "People's ratings come from the given file; those of these %(n)s studies are left out: %(names)s.",
            ),
            "no_labels": _(
                "There are no human ratings. They come from studies under Labelling in which people rate "
                "sessions of these runs by the judge's rubric, or from a file that the command report reads: "
                "--labels FILE, one JSON object per line with session, dimension, score (1 to 5) and "
                "annotator."
            ),
        },
    ),
)
