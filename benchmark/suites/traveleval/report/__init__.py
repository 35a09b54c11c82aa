"""The reports of TravelEval: the tables and figures of its paper that runs tell.

Tables A1 and A3 are of queries and of the queue model, and stand on the page of a collection's statistics.
"""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.reports import Part, PartWords, Reporting
from benchmark.reports.parts import (
    JUDGE_PARTS,
    completion,
    conditions,
    differences,
    main_results,
    runs,
    stability,
    tool_calls,
    win_matrix,
)
from benchmark.suites.traveleval.report import ablations, correlations, failures, gaps, radars, tables
from benchmark.suites.traveleval.report.means import ALL, COSTS, METRIC
from benchmark.suites.traveleval.scoring.sessions import FAILURES
from benchmark.suites.traveleval.tasks.listing import LEVELS

PARTS: tuple[Part, ...] = (
    runs.PART,
    conditions.PART,
    tables.SIDE_BY_SIDE.like("Tables B1 and B2"),
    gaps.PART,
    main_results.PART,
    differences.PART,
    win_matrix.PART,
    stability.PART,
    tables.APPROACH.like("Table 2"),
    tables.WITHIN_BUDGET.like("Figure 3"),
    radars.DIMENSION_RADARS.like("Figure 4"),
    radars.STRATEGY_RADARS.like("Figure B1"),
    tables.BY_LEVEL.like("Tables 4 and B4"),
    tables.PROGRESS.like("Table 3"),
    tables.COMPOSITION.like("Figure A1"),
    ablations.PART.like("Table B3"),
    correlations.OVER_RUNS.like("Figure 5"),
    correlations.OVER_PLANS,
    failures.PART,
    completion.PART,
    tool_calls.PART,
    *JUDGE_PARTS,
)
WORDS = PartWords(
    columns={"figure": _("metric"), "group": _("queries")},
    values={
        "group": {ALL: _("all queries"), **LEVELS},
        "figure": {key: METRIC[key].name for key in (*COSTS, "profit")},
        "reason": {"planned": _("plan given"), "no_plan": _("no plan")},
    },
    notes={"coverage": _("Sessions without a figure are not part of its mean.")},
)
REPORTING = Reporting(
    parts=PARTS,
    endings=("planned", "no_plan"),
    issues=FAILURES,
    paper_results=gaps.PAPER_FILE,
    compares_profiles=True,
    words=WORDS,
    counterparts=_("The table or figure beside a heading is its counterpart in the TravelEval paper."),
)
