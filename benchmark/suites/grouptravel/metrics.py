"""The metrics of GroupTravelBench, in the order in which a session shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmark.metrics import BY_TASK, Metric
from benchmark.metrics import gettext_noop as _


def _issues(figures: Mapping[str, Any]) -> int | None:
    counts = figures.get("pv_issue_counts")
    return None if counts is None else sum(counts.values())


METRICS = (
    Metric(
        key="pc",
        evidence=("completeness",),
        label=_("PC"),
        name=_("completeness, %"),
        of_runs=_("completeness"),
        help=_("the share of the travellers' wishes that the agent learned"),
        meaning=_(
            "preference completeness: the share of the travellers' wishes that the agent learned; in "
            "%, 0 to 100."
        ),
        unit="share",
        digits=1,
    ),
    Metric(
        key="gu",
        evidence=("utility", "splits"),
        label=_("GU"),
        name=_("group utility"),
        help=_("what the plan is worth to the group, as a mean over travellers"),
        meaning=_(
            "group utility: points for wishes that the plan meets, less points for those that it "
            "goes against and for splitting the group, as a mean over travellers; in points, with no "
            "lower or upper limit."
        ),
        headline=True,
    ),
    Metric(
        key="gf",
        evidence=("fairness",),
        label=_("GF"),
        name=_("fairness, 0 to 100"),
        short=_("fairness"),
        help=_("the least satisfied traveller compared with the most satisfied one, in %"),
        meaning=_(
            "group fairness: how near the utility of the least satisfied traveller comes to that of the most "
            "satisfied one; in %, 0 to 100 (all equally satisfied)."
        ),
        digits=1,
    ),
    Metric(
        key="pv",
        evidence=("validity", "not_checkable"),
        label=_("PV"),
        name=_("validity"),
        of_runs=_("share of valid plans"),
        short=_("valid plans %"),
        help=_("whether the plan can be carried out as written"),
        meaning=_(
            "plan validity: the share of plans that can be carried out as written, without any "
            "issue; in %, 0 to 100."
        ),
        unit="flag",
        digits=1,
    ),
    Metric(
        key="issues",
        evidence=("validity",),
        label=_("issues"),
        name=_("issues of the plan"),
        unit="count",
        better="low",
        digits=0,
        read=_issues,
        detail_of="pv",
    ),
    Metric(
        key="judge",
        label=_("S"),
        name=_("the judge's score, 0 to 100"),
        of_runs=_(
            "the judge's score, 0 to 100, calibrated by the meta-judge; over judged sessions",
        ),
        meaning=_(
            "S, the score of the LLM judge: its mean rating of five dimensions, calibrated by the meta-judge; in "
            "points, 0 to 100."
        ),
        digits=1,
        source="rater",
        averaging=BY_TASK,
    ),
)
