"""The reports of TripScore: the tables and figures of its paper that runs tell.

Table 4 is of tasks, and stands on the page of a collection's statistics.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Part, PartWords, Reporting
from benchmark.reports.parts import (
    JUDGE_PARTS,
    completion,
    conditions,
    differences,
    main_results,
    pair_agreement,
    runs,
    stability,
    win_matrix,
)
from benchmark.suites.tripscore.metrics import REWARD
from benchmark.suites.tripscore.report import errors, results, weighing
from benchmark.suites.tripscore.tasks.listing import TYPES
from benchmark.suites.tripscore.tasks.task import REAL, SYNTHETIC

PAPER_FILE: Final = Path(__file__).with_name("published.json")
RATED: Final = "rated"
PARTS: tuple[Part, ...] = (
    runs.PART,
    conditions.PART,
    results.RESULTS.like("Table 3"),
    main_results.PART,
    differences.PART,
    win_matrix.PART,
    stability.PART,
    errors.TOP_ERRORS.like("Figure 2"),
    errors.ERRORS,
    results.BY_DURATION.like("Figure 3"),
    results.PAIRS.like("Figure 4"),
    weighing.WEIGHTS.like("Table 5"),
    weighing.SENSITIVITY.like("C.3"),
    pair_agreement.PART.like("Table 6"),
    weighing.TRAINING.like("Table 7"),
    completion.PART,
    *JUDGE_PARTS,
)
WORDS = PartWords(
    columns={"type": _("type"), "reward_by": _("reward by"), "days": _("days"), "figure": _("figure")},
    values={
        "type": TYPES,
        "reward_by": {"rules": _("rules")},
        "reason": {"planned": _("plan given"), "no_plan": _("no plan")},
    },
    notes={
        f"by_rules_{SYNTHETIC}": _(
            "The reward by rules leaves out what judges rate; over these synthetic queries it is %(highest)s at most."
        ),
        f"by_rules_{REAL}": _("Over a person's words the reward by rules is %(highest)s at most."),
        f"by_judge_{SYNTHETIC}": _(
            "Over these synthetic queries the reward rated by %(judge)s is %(highest)s at most."
        ),
        f"by_judge_{REAL}": _("Over a person's words the reward rated by %(judge)s is %(highest)s at most."),
    },
)
REPORTING = Reporting(
    parts=PARTS,
    endings=("planned", "no_plan"),
    paper_results=PAPER_FILE,
    compared_metrics=(REWARD, RATED),
    words=WORDS,
    counterparts=_("The table or figure beside a heading is its counterpart in the TripScore paper."),
)
