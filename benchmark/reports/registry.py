"""Every part of a report, in the order in which it is read."""

from __future__ import annotations

from benchmark.reports.parts import (
    completion,
    compromises,
    differences,
    group_size,
    interaction,
    judge_and_people,
    judge_dimensions,
    judge_ratings,
    judges,
    main_results,
    meta_judge,
    offline_online,
    runs,
    stability,
    tool_calls,
    tools_and_utility,
    validity_issues,
)

_MODULES = (
    *(runs, main_results, differences, group_size, stability, interaction, completion, validity_issues),
    *(compromises, tool_calls, tools_and_utility, offline_online),
    *(judges, judge_dimensions, judge_ratings, meta_judge, judge_and_people),
)
PARTS = {module.PART.name: module.PART for module in _MODULES}
