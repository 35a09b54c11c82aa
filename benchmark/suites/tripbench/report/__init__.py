"""The reports of TRIP-Bench: the tables and figures of its paper that runs tell."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Part, PartWords, Reporting
from benchmark.reports.parts import (
    completion,
    conditions,
    differences,
    main_results,
    runs,
    stability,
    tool_calls,
    win_matrix,
)
from benchmark.suites.tripbench.conversation.rules import ALL_SAID, TURNS_SPENT, USER_LEFT
from benchmark.suites.tripbench.modes import MODE
from benchmark.suites.tripbench.report import checkpoints, constraints, resources, subsets, trials

PAPER_FILE: Final = Path(__file__).with_name("published.json")
PARTS: tuple[Part, ...] = (
    runs.PART,
    conditions.PART,
    subsets.IN_THE_END.like("Tables 2 and 5"),
    subsets.BY_TURN,
    main_results.PART,
    differences.PART.like("Table 3"),
    win_matrix.PART,
    resources.PART.like("Figure 3"),
    constraints.VIOLATIONS.like("Figure 4"),
    constraints.SETTINGS.like("Figure 4"),
    trials.PART.like("Figure 5"),
    checkpoints.PART.like("Figure 6"),
    stability.PART,
    completion.PART,
    tool_calls.PART,
)
WORDS = PartWords(
    values={
        "mode": MODE.values,
        "reason": {
            ALL_SAID: _("all was said"),
            TURNS_SPENT: _("the turns ran out"),
            USER_LEFT: _("the user said nothing more"),
        },
    },
)
REPORTING = Reporting(
    parts=PARTS,
    endings=(ALL_SAID, TURNS_SPENT, USER_LEFT),
    paper_results=PAPER_FILE,
    words=WORDS,
    counterparts=_("The table or figure beside a heading is its counterpart in the TRIP-Bench paper."),
)
