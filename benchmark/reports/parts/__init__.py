"""The parts that the reports of every benchmark can have."""

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

JUDGE_PARTS = tuple(
    module.PART for module in (judges, judge_dimensions, judge_ratings, meta_judge, judge_and_people)
)
SHARED_PARTS = (
    *(
        module.PART
        for module in (
            *(runs, conditions, main_results, differences, win_matrix, stability, completion, tool_calls),
        )
    ),
    *JUDGE_PARTS,
)
"""In the order in which they are read."""
