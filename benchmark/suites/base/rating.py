"""What people and models that rate or compare the sessions of a benchmark are asked and shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from benchmark.core.events import Event
from benchmark.judging import Dimension, Rubric
from benchmark.labelling.answers import AnswerKind
from benchmark.labelling.comparing import CASES, QUESTIONS, Case, CaseReader, Questions
from benchmark.labelling.messages import MessageRubric


class WeightGrid(NamedTuple):
    """Weights that a search tries."""

    file: Path
    """The grid, as `benchmark.labelling.weights.read_grid` reads it."""
    judge_metrics: Mapping[str, str] = MappingProxyType({})
    """What it calls the metrics of judges from 0 to 100, by their keys; they count as shares of 1."""


@dataclass(frozen=True)
class Rating:
    """What raters of the sessions of a benchmark are asked and shown."""

    rubrics: tuple[Rubric, ...] = ()
    """What judges are asked of a session, each rubric in a batch of its own; empty where nobody judges."""
    message_rubrics: tuple[MessageRubric, ...] = ()
    """What people are asked of single messages of a session."""
    answer: AnswerKind = "plan"
    """What a session gives that annotators see, models compare and files hold: a plan that its agent is asked for, or
    words; then no figure says how many made a plan."""
    compared_case: CaseReader | None = None
    """What models that compare are shown of a session; None for what `answer` says."""
    compared_by: Questions | None = None
    """What models that compare are asked; None for what `answer` says."""
    weight_grids: Mapping[str, WeightGrid] = field(default_factory=dict)
    """Grids that searches for weights offer, by name."""

    def __post_init__(self) -> None:
        keys = {
            "names": [*(one.name for one in self.rubrics), *(one.name for one in self.message_rubrics)],
            "metrics": [rubric.metric for rubric in self.rubrics],
            "dimensions": [dimension.key for dimension in self.asked_dimensions],
        }
        for what, own in keys.items():
            if twice := sorted({key for key in own if own.count(key) > 1}):
                raise ValueError(f"these {what} of rubrics are there twice: {', '.join(map(repr, twice))}")
        if "" in keys["names"][1 if self.rubrics else 0 :]:
            raise ValueError("every rubric after the first, and every one of messages, needs a name")

    def rubric(self, name: str = "") -> Rubric:
        """The rubric of this name, the first where it is "". Raises KeyError where there is none."""
        for rubric in self.rubrics:
            if name in ("", rubric.name):
                return rubric
        raise KeyError(name)

    def message_rubric(self, name: str) -> MessageRubric | None:
        """The rubric of messages of this name; None where there is none."""
        return next((rubric for rubric in self.message_rubrics if rubric.name == name), None)

    @property
    def dimensions(self) -> Sequence[Dimension]:
        """Those of all that judges are asked; each key is of one rubric alone, so that it says which."""
        return [dimension for rubric in self.rubrics for dimension in rubric.dimensions]

    @property
    def asked_dimensions(self) -> Sequence[Dimension]:
        """Those of judges and of people, whose keys are told apart alike."""
        return [*self.dimensions, *(one for rubric in self.message_rubrics for one in rubric.dimensions)]

    def case(self, events: Iterable[Event]) -> Case:
        """What models that compare are shown of an ended session. Raises ValueError where its log is none."""
        return (self.compared_case or CASES[self.answer])(events)

    @property
    def questions(self) -> Questions:
        """What models that compare are asked."""
        return self.compared_by or QUESTIONS[self.answer]
