"""The reports of GroupTravelBench: the tables and figures of its paper."""

from __future__ import annotations

from pathlib import Path

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Mean, Part, PartWords, Reporting
from benchmark.reports.parts import (
    completion,
    conditions,
    differences,
    judge_and_people,
    judge_dimensions,
    judge_ratings,
    judges,
    main_results,
    meta_judge,
    runs,
    stability,
    tool_calls,
    win_matrix,
)
from benchmark.suites.grouptravel.report import (
    compromises,
    group_size,
    interaction,
    offline_online,
    tools_and_utility,
    validity_issues,
)
from benchmark.suites.grouptravel.tasks.listing import LEVELS

PARTS: tuple[Part, ...] = (
    runs.PART,
    conditions.PART,
    main_results.PART.like("Table 1"),
    differences.PART,
    win_matrix.PART,
    group_size.PART.like("Figure 7"),
    stability.PART.like("Table 3"),
    interaction.PART.like("Table 11"),
    completion.PART.like("Figure 11"),
    validity_issues.PART.like("Figure 10"),
    compromises.PART.like("Figures 8 and 13"),
    tool_calls.PART.like("Figures 9 and 15"),
    tools_and_utility.PART.like("Figure 14"),
    offline_online.PART.like("Table 2"),
    judges.PART,
    judge_dimensions.PART.like("Figures 2 and 12"),
    judge_ratings.PART.like("Figure 3"),
    meta_judge.PART.like("Table 13"),
    judge_and_people.PART.like("Table 12"),
)
OTHER = ("pc", "gf", "pv")
"""The paper's Other is the mean of these and the judge's score, each 0 to 100."""
REPORTING = Reporting(
    parts=PARTS,
    means=(
        Mean(
            "other",
            (*OTHER, "judge"),
            label=_("Other"),
            meaning=_(
                "the mean of PC, GF, PV and judge, over judged tasks; empty where there are none; 0 to 100."
            ),
        ),
        Mean(
            "rules",
            OTHER,
            label=_("mean of PC, GF, PV"),
            meaning=_("Other without the judge, over all tasks; 0 to 100."),
        ),
    ),
    endings=("plan_generated", "max_turn_reached", "mention_exhausted", "event_cap_reached"),
    counted_event="compromise_applied",
    issues="pv_issue_counts",
    paper_results=Path(__file__).with_name("published.json"),
    words=PartWords(
        columns={"judge": _("judge")},
        values={
            "reason": {
                "plan_generated": _("plan proposed"),
                "max_turn_reached": _("round limit"),
                "mention_exhausted": _("mention not answered"),
                "event_cap_reached": _("too many events in a round"),
            },
            "figure": {"judge": _("judge")},
            "difficulty": LEVELS,
        },
        notes={
            "judged_alone": _(
                "Not every session was judged. The judge's figure and Other cover the judged sessions "
                "only, with their PC, GF and PV, so Other may differ from the mean of the columns beside "
                "it."
            )
        },
    ),
    counterparts=_(
        "“Table 1” or “Figure 7” beside a heading: the table or figure of the GroupTravelBench paper "
        "that this part corresponds to."
    ),
)
