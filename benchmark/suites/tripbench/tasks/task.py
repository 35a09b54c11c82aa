"""A task of TRIP-Bench: a trip, and what its user comes to ask for, node by node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationInfo,
    field_validator,
)

from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.rubrics import RUBRICS

USER: Final = "User"
"""Who asks, and hears the answers."""
TIERS: Final = ("easy", "mid", "hard")
SUBSETS: Final = (*TIERS, "lit", "fit", "ais", "pmr")
STYLES: Final = ("terse", "rambling", "anxious", "deferring", "fault-finding")
SPLITS: Final = ("train", "test")
CONTENT, CLARIFY, EXPLORE = "ContentMod", "ClarifyExp", "ExploreQues"
SPECIALS: Final = (CONTENT, CLARIFY, EXPLORE)
"""Ids of what a user says of a plan without asking for anything formal."""
ISSUE: Final = "issue-"
"""Before the name of a constraint in the id of what is wrong with it."""
Tier = Literal["easy", "mid", "hard"]
Subset = Literal["easy", "mid", "hard", "lit", "fit", "ais", "pmr"]
Style = Literal["terse", "rambling", "anxious", "deferring", "fault-finding", ""]
Behaviour = Literal["append", "modify", "delete", "rollback", "redirect", "merge"]
Id = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"\S")]


MOST_DAYS: Final = 60
"""Of a trip; tasks of the paper have 10 at most."""
MOST_INSTRUCTIONS = 200
"""Of a task, and nodes; those of the paper have about 40."""


def _check_keys(given: object) -> object:
    strays = [key for key in given if key not in Frame.model_fields] if isinstance(given, Mapping) else []
    if strays:
        keys = ", ".join(Frame.model_fields)
        raise ValueError(
            f"{', '.join(map(str, strays))} tells nothing of a trip; leave it out: there are {keys}"
        )
    if isinstance(given, Mapping) and isinstance(given.get("people"), bool):
        raise ValueError("people is yes or no; write how many go")
    return given


def _check_frame(frame: Frame) -> Frame:
    """Whether somebody can go on such a trip."""
    stops = [frame.origin, *frame.destinations]
    days = (frame.end_date - frame.start_date).days + 1
    nights = sum(nights for _city, nights in frame.stays)
    if not frame.stays:
        raise ValueError('there is no stay; name a city and its nights, such as [["杭州市", 2]]')
    if not all(city.strip() for city in stops):
        raise ValueError("the name of a city is blank; write it as the world has it")
    if broken := [city for city in stops if "\ufffd" in city]:
        raise ValueError(f"the name {broken[0]!r} holds half a character; write it as the world has it")
    if any(city == after for city, after in pairwise([*stops, frame.origin])):
        raise ValueError("a leg ends in the city where it begins; name another city, or join the two stays")
    if days < 1 or days > MOST_DAYS:
        raise ValueError(f"start_date and end_date make {days} days; make them 1 to {MOST_DAYS}")
    if nights != days - 1:
        raise ValueError(f"the stays have {nights} nights, the dates {days - 1}; make them agree")
    return frame


Trip = Annotated[Frame, BeforeValidator(_check_keys), AfterValidator(_check_frame)]


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
    frame: Trip | None = None
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
    meta: Trip
    nodes: tuple[Node, ...]
    style: Style = ""
    names: dict[str, str] = Field(default_factory=dict)
    repeatable: tuple[Id, ...] = ()
    witness: dict[str, Any] | None = None

    @field_validator("nodes")
    @classmethod
    def _check_nodes(cls, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        if not nodes:
            raise ValueError("the user says nothing; give the task a node")
        count = sum(len(node.instructions) for node in nodes)
        if max(count, len(nodes)) > MOST_INSTRUCTIONS:
            raise ValueError(
                f"{len(nodes):,} nodes with {count:,} instructions; a user can say {MOST_INSTRUCTIONS} at most"
            )
        if empty := [str(number) for number, node in enumerate(nodes) if number and not node.instructions]:
            raise ValueError(f"node {', '.join(empty)} has no instruction; only the first may have none")
        seen, states = dict[str, Instruction](), _ConstraintStates()
        for instruction in (one for node in nodes for one in node.instructions):
            if instruction.fallback is not None and instruction.fallback.fallback is not None:
                raise ValueError(f"the fallback of {instruction.id} has one of its own; leave that out")
            for each in (instruction, instruction.fallback):
                if each is not None:
                    _check_instruction(each, seen)
                    states.issue(each, may_stay_unsaid=each is instruction.fallback)
                    seen[each.id] = each
        return nodes

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


class _ConstraintStates:
    """Whether the constraints of instructions can hold after some of them, by id; fallbacks may stay unsaid."""

    def __init__(self) -> None:
        self._states: dict[str, frozenset[bool]] = {}

    def issue(self, one: Instruction, *, may_stay_unsaid: bool) -> None:
        """Raises ValueError for one that ends what can't hold, or restores what can't have ended."""
        _refuse_twice(one)
        ends = [id_ for id_ in one.drops if True not in self._states[id_]]
        if ends:
            raise ValueError(
                f"{one.id} drops {', '.join(ends)}, which bring no constraint or were dropped before; leave them out"
            )
        if still := [id_ for id_ in one.restores if False not in self._states[id_]]:
            raise ValueError(f"{one.id} restores {', '.join(still)}, which still hold; drop them before")
        after = {
            **dict.fromkeys(one.drops, False),
            **dict.fromkeys(one.restores, True),
            one.id: bool(one.rubric),
        }
        for id_, holds in after.items():
            before = self._states.get(id_, frozenset({False})) if may_stay_unsaid else frozenset()
            self._states[id_] = before | {holds}


def _refuse_twice(one: Instruction) -> None:
    named = [*one.drops, *one.restores]
    if len({*named}) < len(named):
        twice = next(id_ for id_ in named if named.count(id_) > 1)
        raise ValueError(f"{one.id} names {twice} twice; name it once")


def _check_instruction(one: Instruction, seen: Mapping[str, Instruction]) -> None:
    """Whether a user can say it after all that was said before."""
    if one.id in seen:
        raise ValueError(f"the instruction {one.id} stands twice; give each its own id")
    if one.id in SPECIALS or one.id.startswith(ISSUE):
        raise ValueError(
            f"the instruction {one.id} is called as something that the rules say; give it another id"
        )
    if strays := [id_ for id_ in (*one.drops, *one.restores) if id_ not in seen]:
        raise ValueError(f"the instruction {one.id} names {', '.join(strays)}; name those before it")
    if empty := [id_ for id_ in one.restores if not seen[id_].rubric]:
        raise ValueError(
            f"{one.id} restores {', '.join(empty)}, which bring no constraint; name one that does"
        )
    if one.args and not one.rubric:
        raise ValueError(f"the instruction {one.id} has args and no rubric; name it, or leave the args out")
    if not (one.rubric or one.drops or one.restores or one.frame):
        raise ValueError(f"{one.id} asks for nothing; give it a rubric, drops, restores or a frame")
