"""What people and models that rate or compare the sessions of a benchmark are asked and shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchmark.core.events import Event
from benchmark.judging import Rubric
from benchmark.labelling.answers import AnswerKind
from benchmark.labelling.comparing import CASES, Case, CaseReader


@dataclass(frozen=True)
class Rating:
    """What raters of the sessions of a benchmark are asked and shown."""

    rubric: Rubric | None = None
    """What judges are asked of a session; None where nobody judges."""
    answer: AnswerKind = "plan"
    """What a session gives that annotators see, models compare and files hold: a plan that its agent is asked for, or
    words; then no figure says how many made a plan."""
    compared_case: CaseReader | None = None
    """What models that compare are shown of a session; None for what `answer` says."""

    def case(self, events: Iterable[Event]) -> Case:
        """What models that compare are shown of an ended session. Raises ValueError where its log is none."""
        return (self.compared_case or CASES[self.answer])(events)
