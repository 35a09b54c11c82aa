"""The reports of TravelBench: the tables and figures of its paper that runs tell.

Figures 3 to 7 and 10 are of the data and of tool caches, and stand on the page of a collection's statistics; figure
10 also on that of a cache. Tables 11 to 13 are of people who check the data's labels, and stand on the statistics
page of their study.
"""

from __future__ import annotations

from pathlib import Path

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Part, PartWords, Reporting
from benchmark.reports.parts import (
    completion,
    conditions,
    differences,
    judge_and_people,
    judges,
    main_results,
    meta_judge,
    runs,
    win_matrix,
)
from benchmark.suites.travelbench.report import (
    composition,
    dimensions,
    distributions,
    frameworks,
    hardest,
    offline_online,
    ratings,
    stability,
    subsets,
)

PARTS: tuple[Part, ...] = (
    runs.PART,
    conditions.PART,
    subsets.PART.like("Tables 2 and 10"),
    main_results.PART,
    differences.PART,
    win_matrix.PART,
    stability.TRIALS.like("Table 5"),
    offline_online.PART.like("Table 4"),
    frameworks.PART.like("Table 9"),
    hardest.PART.like("Table 17"),
    composition.PART.like("Table 6"),
    completion.PART,
    distributions.TOOL_CALLS.like("Figure 3"),
    distributions.STEPS.like("Figure 8"),
    distributions.TURNS.like("Figure 9"),
    judges.PART,
    dimensions.PART.like("Figure 2"),
    ratings.MULTI.like("Figure 2"),
    ratings.SINGLE.like("Figure 2"),
    stability.JUDGEMENTS.like("Table 3"),
    meta_judge.PART.like("Table 15"),
    judge_and_people.PART.like("Table 14"),
)
REPORTING = Reporting(
    parts=PARTS,
    endings=("completed", "user_ended", "max_turns_reached"),
    paper_results=Path(__file__).with_name("published.json"),
    words=PartWords(
        columns={
            "judge": _("judge"),
            "multi_final": _("multi-turn: final"),
            "single_final": _("single-turn: final"),
            "multi": _("multi-turn"),
            "single": _("single-turn"),
            "accuracy": _("unsolvable: accuracy %"),
            "overall": _("overall"),
            "subset": _("subset"),
        },
        values={
            "subset": {"multi": _("multi-turn"), "single": _("single-turn"), "unsolved": _("unsolvable")},
            "reason": {
                "completed": _("answered"),
                "user_ended": _("ended by the user"),
                "max_turns_reached": _("turn limit"),
            },
        },
    ),
    counterparts=_(
        "“Table 2” or “Figure 3” beside a heading: the table or figure of the TravelBench paper that "
        "this part corresponds to."
    ),
)
