"""The reports of TravelBench: the tables and figures of its paper that runs tell.

Tables 7 and 8 and figures 4 to 7 are of the data, tables 11 to 13 of people who check the data's labels, figure 10 of
a cache; pages of data sets, studies and caches have them. Table 16 is the rubric.
"""

from __future__ import annotations

from benchmark.reports import Part, Reporting
from benchmark.reports.parts import (
    completion,
    differences,
    judge_and_people,
    judge_ratings,
    judges,
    main_results,
    meta_judge,
    runs,
)
from benchmark.suites.travelbench.report import (
    composition,
    dimensions,
    distributions,
    frameworks,
    hardest,
    offline_online,
    stability,
    subsets,
)

PARTS: tuple[Part, ...] = (
    runs.PART,
    subsets.PART.like("Tables 2 and 10"),
    main_results.PART,
    differences.PART,
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
    judge_ratings.PART,
    stability.JUDGEMENTS.like("Table 3"),
    meta_judge.PART.like("Table 15"),
    judge_and_people.PART.like("Table 14"),
)
REPORTING = Reporting(parts=PARTS, endings=("completed", "user_ended", "max_turns_reached"))
