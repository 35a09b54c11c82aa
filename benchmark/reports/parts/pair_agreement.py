"""How well metrics, judges and models that compare agree with people's choices between plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.labelling.statistic import Statistic
from benchmark.remarks import gettext_noop as _
from benchmark.reports.report import PairRater, Part, Report
from benchmark.reports.table import Cell, Column, Figure, Note, Table
from benchmark.reports.words import PartWords

KINDS = {
    "metric": _("metric of the rules"),
    "judge": _("metric with a judge's ratings"),
    "pointwise": _("points for each plan"),
    "pairwise": _("both plans at once"),
}
COLUMNS = (
    *(Column("study", "name"), Column("way", "name"), Column("figure", "name"), Column("rater", "name")),
    *(Column("ties_in", places=2), Column("ties_out", places=2), Column("tau_b", places=4)),
    *(Column("latent", places=2), Column("ceiling_share", places=2)),
)


def _agreement(report: Report) -> Table:
    """A row a study of pairs, and metric, judge or model that compares."""
    rows = [_row(rater) for rater in report.pair_raters]
    told = [Note("whole_studies"), *_reliability(report.pair_raters)]
    return Table(COLUMNS, rows, told if rows else [Note("no_studies")])


def _row(rater: PairRater) -> list[Cell]:
    found = rater.accuracy
    return [
        *(rater.study, rater.kind, rater.metric, rater.name),
        *(_figure(told, rater, 2, 100.0) for told in (found.ties_in, found.ties_out)),
        _figure(found.tau_b, rater, 4),
        *(_of_ceiling(rater, told) for told in ("r_model", "ratio")),
    ]


def _of_ceiling(rater: PairRater, name: str) -> float | None:
    """A figure of the noise model, per cent."""
    value = getattr(rater.ceiling, name).value if rater.ceiling else None
    return None if value is None else 100.0 * value


def _reliability(raters: Sequence[PairRater]) -> Iterator[Note]:
    """How reliable people are in each study."""
    for study, ceiling in {rater.study: rater.ceiling for rater in raters}.items():
        if ceiling is not None and ceiling.r.value is not None and ceiling.all_agree.value is not None:
            r, three = (f"{100 * value:.2f}" for value in (ceiling.r.value, ceiling.all_agree.value))
            yield Note("reliability", {"study": study, "r": r, "three": three})


def _figure(told: Statistic, rater: PairRater, places: int, scale: float = 1.0) -> Figure:
    value = None if told.value is None else scale * told.value
    return Figure(value, places, told.size.items, rater.decided)


PART = Part(
    "pair_agreement",
    _agreement,
    own_tasks=True,
    words=PartWords(
        _("Agreement with people"),
        _(
            "How often each way of comparing two plans says what most people say. Small: of how many of how many "
            "decided pairs."
        ),
        columns={
            "study": _("study"),
            "way": _("way of comparing"),
            "rater": _("judge or model"),
            "ties_in": _("accuracy, ties in, %"),
            "ties_out": _("accuracy, ties out, %"),
            "tau_b": _("Kendall's tau-b"),
            "latent": _("latent agreement, %"),
            "ceiling_share": _("share of the ceiling, %"),
        },
        values={"way": KINDS, "rater": {"": "–"}, "figure": {"": "–"}},
        notes={
            "whole_studies": _("Each study with pairs of these sessions is told as a whole."),
            "reliability": _(
                "%(study)s: by the noise model of TripScore's paper (appendix C.4) one person gives the true answer "
                "to %(r)s %% of the pairs, and three agree on %(three)s %%. Latent agreement: how often a rater "
                "gives the true answer, from its accuracy with ties in; its share of the ceiling: that divided by "
                "the person's. What lies outside 0 to 100 %%, the noise model can't explain."
            ),
            "no_studies": _("No study has pairs of sessions of these runs that people have decided."),
        },
    ),
)
