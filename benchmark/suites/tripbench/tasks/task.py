"""A task of TRIP-Bench: a trip, and what its user comes to ask for, node by node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.rubrics import RUBRICS

USER: Final = "User"
"""Who asks, and hears the answers."""
TIERS: Final = ("easy", "mid", "hard")
SUBSETS: Final = (*TIERS, "lit", "fit", "ais", "pmr")
STYLES: Final = ("terse", "rambling", "anxious", "deferring", "fault-finding")
SPLITS: Final = ("train", "test")
Tier = Literal["easy", "mid", "hard"]
Subset = Literal["easy", "mid", "hard", "lit", "fit", "ais", "pmr"]
Style = Literal["terse", "rambling", "anxious", "deferring", "fault-finding", ""]
Behaviour = Literal["append", "modify", "delete", "rollback", "redirect", "merge"]
Id = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"\S")]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Instruction(_Part):
    """What a user says at once; its id is that of the constraint which it brings.

    rubric, args: of that constraint, none where there is "" (a deletion, a rollback, a change of the trip). drops:
    ids of instructions whose constraints end. restores: of those whose constraints hold again. frame: the trip from
    now on, None where it stays. is_vague: whether it is first said vaguely (AIS). fallback: what the user says
    instead once it can't be met (FIT); None where it can.
    """

    id: Id
    behaviour: Behaviour = "append"
    rubric: str = ""
    args: dict[str, JsonValue] = Field(default_factory=dict, validate_default=True)
    drops: tuple[Id, ...] = ()
    restores: tuple[Id, ...] = ()
    frame: Frame | None = None
    is_vague: bool = False
    fallback: Instruction | None = None

    @field_validator("rubric")
    @classmethod
    def _check_rubric(cls, key: str) -> str:
        if key and key not in RUBRICS:
            raise ValueError(f"there is no rubric {key}; there are: {', '.join(RUBRICS)}")
        return key

    @field_validator("args")
    @classmethod
    def _check_arguments(cls, args: dict[str, JsonValue], info: ValidationInfo) -> dict[str, JsonValue]:
        if rubric := info.data.get("rubric"):
            RUBRICS[rubric].model_validate(args)
        return args

    @property
    def is_new(self) -> bool:
        """Whether it only adds (`NEW`); others change what holds (`MODIFY`)."""
        return not (self.drops or self.restores or self.frame)


class Node(_Part):
    """What becomes due at once, after all that the nodes before it ask for."""

    instructions: tuple[Instruction, ...] = ()


class Demand(NamedTuple):
    """What holds after some instructions. constraints: the instructions that brought them, by id, oldest first."""

    frame: Frame
    constraints: Mapping[str, Instruction]


class Task(_Part):
    """One of TRIP-Bench.

    tier: how hard it is, `hard` for the hard subsets. style: how its user talks (AIS), "" plainly. names: of the
    places whose ids its instructions name. repeatable: ids of attractions and restaurants that may be visited twice.
    witness: a plan that meets all at the end, which no agent is shown; None where nothing was proved.
    """

    id: Id
    language: Literal["zh", "en"] = "zh"
    tier: Tier
    subset: Subset
    split: Literal["train", "test"] = "test"
    meta: Frame
    nodes: tuple[Node, ...]
    style: Style = ""
    names: dict[str, str] = Field(default_factory=dict)
    repeatable: tuple[Id, ...] = ()
    witness: dict[str, Any] | None = None

    @property
    def task_id(self) -> str:
        """As lists name it."""
        return self.id

    @property
    def users(self) -> tuple[str, ...]:
        """The one who asks."""
        return (USER,)

    @property
    def instructions(self) -> dict[str, Instruction]:
        """All of them by id, fallbacks after those that they stand for."""
        own = [each for node in self.nodes for each in node.instructions]
        return {
            each.id: each
            for instruction in own
            for each in (instruction, instruction.fallback)
            if each is not None
        }

    def demand_after(self, issued: Iterable[str]) -> Demand:
        """What holds once these instructions were issued, by ids in their order."""
        frame, held = self.meta, dict[str, Instruction]()
        known = self.instructions
        for id_ in issued:
            instruction = known[id_]
            for dropped in instruction.drops:
                held.pop(dropped, None)
            for restored in instruction.restores:
                held[restored] = known[restored]
            if instruction.rubric:
                held[id_] = instruction
            frame = instruction.frame or frame
        return Demand(frame, held)

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        if not self.nodes:
            raise ValueError("the user says nothing; give the task a node")
        seen = list[str]()
        for node in self.nodes:
            for instruction in node.instructions:
                for each in (instruction, instruction.fallback):
                    if each is None:
                        continue
                    if each.id in seen:
                        raise ValueError(f"the instruction {each.id} stands twice; give each its own id")
                    if strays := [id_ for id_ in (*each.drops, *each.restores) if id_ not in seen]:
                        raise ValueError(
                            f"the instruction {each.id} names {', '.join(strays)}; name those before it"
                        )
                    seen.append(each.id)
        return self
