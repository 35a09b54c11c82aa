"""Statistics of a set of tasks as tables and figures, beside the paper's."""

from __future__ import annotations

from benchmark.remarks import gettext_noop as _
from benchmark.reports.dataset import DatasetStatistics
from benchmark.reports.words import PartWords
from benchmark.suites.grouptravel.statistics.as_json import statistics_json
from benchmark.suites.grouptravel.statistics.dataset import Dataset
from benchmark.suites.grouptravel.statistics.parts import (
    cache_contents,
    conflicts,
    groups,
    items,
    places,
    remarks,
)
from benchmark.suites.grouptravel.statistics.parts.cells import ANSWERS
from benchmark.suites.grouptravel.tasks.listing import LEVELS

STATISTICS = DatasetStatistics(
    of=Dataset.of,
    as_json=statistics_json,
    parts=(*groups.PARTS, *items.PARTS, *conflicts.PARTS, *places.PARTS, remarks.PART),
    cache_part=cache_contents.PART,
    words=PartWords(
        columns={
            "figure": _("figure"),
            "ours": _("these tasks"),
            "paper": _("the paper"),
            "expected": _("expected"),
            "ratio": _("ratio"),
            "tolerance": _("tolerance"),
            "within": _("within tolerance"),
            "users": _("users"),
            "share": _("%"),
            "paper_share": _("%, the paper"),
            "city": _("city"),
            "tier": _("tier"),
        },
        values={
            "tolerance": {"exact": _("exact")},
            "within": ANSWERS,
            "set": {"ours": _("these tasks"), "paper": _("the paper")},
            "difficulty": LEVELS,
            "tier": {"other": _("not in the catalogue")},
        },
        notes={"no_tasks": _("There are no tasks.")},
    ),
    counterparts=_("“Table 5” or “Figure 4” beside a heading: what the GroupTravelBench paper calls it."),
)
