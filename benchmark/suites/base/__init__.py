"""What the rest of Caravan asks of a benchmark: one record, and in it a record for each part, a module each."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from benchmark.promptsets import PromptLibrary
from benchmark.suites.base.cases import CaseContext, CaseFault, CaseRefused, Cases, no_task
from benchmark.suites.base.fields import Cell, FieldKind, Place, TaskColumn, TaskField
from benchmark.suites.base.lazy import Lazy
from benchmark.suites.base.making import Making, OrderForm
from benchmark.suites.base.misses import Figures, Misses, split_rating
from benchmark.suites.base.options import (
    NO_OPTIONS,
    PROTOCOL,
    Follows,
    Option,
    OptionRefused,
    Options,
    check_between,
    fill_options,
    read_options,
    read_pairs,
)
from benchmark.suites.base.plans import Plans
from benchmark.suites.base.play import Opening, Play, Record
from benchmark.suites.base.policy import PolicySeat, RewardTurn, TurnReward
from benchmark.suites.base.prompts import judge_parts, namer_part, simulator_part
from benchmark.suites.base.rating import Rating, WeightGrid
from benchmark.suites.base.ratings import Ratings, RubricMeans
from benchmark.suites.base.records import (
    ReadSession,
    RecordLine,
    Records,
    RecordSession,
    RecordTask,
)
from benchmark.suites.base.scoring import JoinRatings, Log, ScoreFile, Scoring
from benchmark.suites.base.tasks import Good, Needs, Task, Tasks
from benchmark.suites.base.training import Reward, RewardPlan, Training

if TYPE_CHECKING:
    from benchmark.reports import Reporting

T = TypeVar("T", bound=Task)
W = TypeVar("W")


@dataclass(frozen=True)
class Suite(Generic[T, W]):
    """A benchmark. T: the class of its tasks. W: what its scores need of a world."""

    name: str
    """In logs and in the database; it never changes."""
    title: str
    """As it is called."""
    tasks: Tasks[T]
    """How its tasks are read, listed and begun with."""
    play: Play[T, W]
    """How its sessions are played."""
    scoring: Scoring[T, W]
    """How its sessions are scored."""
    plans: Plans[T, W] | None = None
    """How its plans are read; None where its agents make none, or pages show their words."""
    rating: Rating = field(default_factory=Rating)
    """What people and models that rate its sessions are asked and shown."""
    records: Records[T, W] | None = None
    """How its published run records come in; None where none do."""
    cases: Cases | None = None
    """How cases with known figures are scored; None where there are none."""
    reporting: Lazy[Reporting] | None = None
    """What its reports hold; None for what all have."""
    making: Making = field(default_factory=Making)
    """How its data is made."""
    training: Lazy[Training[T, W]] | None = None
    """How its plans or sessions are rewarded, for programs that train models; None where they are not."""
    policy_seat: Lazy[PolicySeat[T, W]] | None = None
    """How a policy takes its agent's seat, for programs that train models; None where it can't."""

    def __post_init__(self) -> None:
        keys = [option.key for option in self.options]
        if taken := sorted({key for key in keys if keys.count(key) > 1}):
            raise ValueError(f"these keys of options are taken: {', '.join(taken)}")

    @cached_property
    def library(self) -> PromptLibrary:
        """All templates that its sessions and judges speak by: its own, those of its rubrics, the simulator's; and
        those for models that name what its sessions lost.
        """
        simulator = [simulator_part()] if self.play.has_tools else []
        namer = [namer_part()] if self.scoring.misses is not None else []
        return PromptLibrary([*self.play.prompts(), *simulator, *judge_parts(self.rating.rubrics), *namer])

    @property
    def options(self) -> tuple[Option, ...]:
        """What is chosen for a session: how it is played, then how it is scored."""
        return (*self.play.options, *self.scoring.options)


AnySuite = Suite[Any, Any]
"""A benchmark for those that take its tasks as they are."""
