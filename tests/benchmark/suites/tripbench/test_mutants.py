"""Plans with one thing wrong fail by what was aimed at."""

from __future__ import annotations

from pathlib import Path

from benchmark.suites.tripbench.rubrics import RUBRICS
from benchmark.suites.tripbench.scoring.verdict import FEASIBILITY, SOUNDNESS
from tests.scale.tripmutants.changes import draw_stages
from tests.scale.tripmutants.judging import mutant_faults


def test_mutated_plans_fail_by_what_is_aimed_at_and_by_what_is_declared(starter_pack: Path) -> None:
    counts, faults = mutant_faults(draw_stages(starter_pack), 300)
    assert not faults
    assert {*counts} == {*FEASIBILITY, *SOUNDNESS, *RUBRICS}
