"""What the rules say of a plan at a turn: four constraints of feasibility, eight of soundness, and the user's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from benchmark.plans.view import Mark
from benchmark.suites.tripbench.frame import Frame
from benchmark.suites.tripbench.itineraries import carry_days, sound_form
from benchmark.suites.tripbench.plans.parameters import Parameters
from benchmark.suites.tripbench.plans.schema import form_faults, read_plan
from benchmark.suites.tripbench.plans.trip import Night, Trip, day_mark
from benchmark.suites.tripbench.rubrics import read_rubric
from benchmark.suites.tripbench.rubrics.base import OfEach
from benchmark.suites.tripbench.scoring.feasibility import content_faults, frame_faults, item_faults
from benchmark.suites.tripbench.scoring.soundness import (
    buffer_faults,
    closing_faults,
    duration_faults,
    place_faults,
    product_faults,
    repetition_faults,
    timeline_faults,
    transfer_faults,
)
from sandbox.toolsets.tripbench.records import TripWorld

STRUCTURE, ITEMS, FRAME, CONTENT = "structural_validity", "poi_validity", "trip_frame", "daily_content"
FEASIBILITY: Final = (STRUCTURE, ITEMS, FRAME, CONTENT)
SOUNDNESS: Final[Mapping[str, Callable[[Trip], Iterator[Mark]]]] = {
    "timeline": timeline_faults,
    "durations": duration_faults,
    "opening_hours": closing_faults,
    "intercity_buffers": buffer_faults,
    "local_transfers": transfer_faults,
    "spatial_logic": place_faults,
    "diversity": repetition_faults,
    "product_consistency": product_faults,
}
MOST_MARKS: Final = 200
"""Findings of a constraint that are kept."""
NO_PLAN: Final = Mark((), "no_plan")
Flags = Mapping[str, bool | None]


class Constraint(NamedTuple):
    """A requirement as it is stored. rubric: its key; arguments: of any kind, the wrong ones are never met."""

    id: str
    rubric: object
    arguments: object


@dataclass(frozen=True)
class Turn:
    """What a plan is judged by at a turn.

    needs_plan: whether a reply without a plan fails. repeatable: attractions and restaurants that may come twice.
    """

    world: TripWorld
    frame: Frame
    parameters: Parameters = field(default_factory=Parameters)
    constraints: Sequence[Constraint] = ()
    repeatable: frozenset[str] = frozenset()
    needs_plan: bool = True


@dataclass(frozen=True)
class Verdict:
    """Which constraints a plan meets; None for those that were not judged.

    carried: whether the days are those of the plan before. marks, user_marks: what is against each constraint.
    """

    feasibility: Flags
    soundness: Flags
    user: Flags
    parameters: Parameters
    carried: bool = False
    marks: Mapping[str, Sequence[Mark]] = field(default_factory=dict)
    user_marks: Mapping[str, Sequence[Mark]] = field(default_factory=dict)

    @property
    def is_judged(self) -> bool:
        """Whether soundness and the user's constraints were judged."""
        return None not in self.soundness.values()

    @property
    def feasibility_violations(self) -> int:
        """Violations of feasibility (F_feas)."""
        return _violations(self.feasibility)

    @property
    def soundness_violations(self) -> int | None:
        """Violations of soundness (F_sound)."""
        return _violations(self.soundness) if self.is_judged else None

    @property
    def user_violations(self) -> int | None:
        """Violations of the user's constraints (F_user)."""
        return _violations(self.user) if self.is_judged else None

    @property
    def strict(self) -> bool:
        """Whether nothing is violated."""
        return is_strict(self.feasibility_violations, self.soundness_violations, self.user_violations)

    @property
    def loose(self) -> bool:
        """Whether little is, and nothing of feasibility."""
        return is_loose(
            self.feasibility_violations, self.soundness_violations, self.user_violations, self.parameters
        )

    def as_json(self) -> dict[str, Any]:
        """As golden files have it."""
        return {
            "feasibility": self.feasibility,
            "soundness": self.soundness,
            "user": self.user,
            "carried": self.carried,
            "F_feas": self.feasibility_violations,
            "F_sound": self.soundness_violations,
            "F_user": self.user_violations,
            "strict": self.strict,
            "loose": self.loose,
        }


def _violations(flags: Flags) -> int:
    return sum(flag is False for flag in flags.values())


def is_strict(feasibility: int, soundness: int | None, user: int | None) -> bool:
    """Whether counts of violations pass the strict verdict; None where they were not judged."""
    return feasibility == 0 and soundness == 0 and user == 0


def is_loose(feasibility: int, soundness: int | None, user: int | None, parameters: Parameters) -> bool:
    """Whether counts of violations pass the loose verdict."""
    if feasibility or soundness is None or user is None:
        return False
    return soundness <= parameters.loose_sound and user <= parameters.loose_user


def judge_plan(plan: object, before: object, turn: Turn) -> Verdict:
    """What the rules say of a plan.

    plan: of any shape, None where a reply holds none. before: the plan of the turn before, None without any. An empty
    schedule says that nothing changes: the days before are judged, with the dates and the party that are sent now.
    """
    earlier = None if turn.needs_plan or plan is not None else sound_form(before)
    if plan is None and earlier is None:
        return _structural_verdict({STRUCTURE: [NO_PLAN]}, turn)
    judged, carried = (earlier, True) if plan is None else (plan, False)
    faults = _first_marks(form_faults(judged))
    if faults or not isinstance(judged, dict):
        return _structural_verdict({STRUCTURE: faults}, turn)
    if not carried:
        judged, carried = carry_days(judged, before)
    return _judge_form(judged, turn, carried)


def _judge_form(plan: Mapping[str, Any], turn: Turn, carried: bool) -> Verdict:
    """Of a plan of the right form."""
    read = read_plan(plan)
    if strays := _first_marks(item_faults(read, turn.world, turn.frame)):
        return _structural_verdict({STRUCTURE: [], ITEMS: strays}, turn, carried)
    trip = Trip(read, turn.world, turn.frame, turn.parameters, turn.repeatable)
    marks = {
        STRUCTURE: [],
        ITEMS: [],
        FRAME: _first_marks(frame_faults(trip)),
        CONTENT: _first_marks(content_faults(trip)),
    }
    if not read.days:
        return _structural_verdict(marks, turn, carried)
    sound = {key: _first_marks(rule(trip)) for key, rule in SOUNDNESS.items()}
    user = {each.id: _first_marks(_unmet_marks(each, trip)) for each in turn.constraints}
    return Verdict(
        _flags(marks), _flags(sound), _flags(user), turn.parameters, carried, {**marks, **sound}, user
    )


def _structural_verdict(marks: Mapping[str, Sequence[Mark]], turn: Turn, carried: bool = False) -> Verdict:
    """Where soundness and the user's constraints are not judged."""
    flags: Flags = {**dict.fromkeys(FEASIBILITY), **_flags(marks)}
    users: Flags = {each.id: None for each in turn.constraints}
    return Verdict(flags, dict.fromkeys(SOUNDNESS), users, turn.parameters, carried, marks)


def _flags(marks: Mapping[str, Sequence[Mark]]) -> dict[str, bool]:
    return {key: not against for key, against in marks.items()}


def _first_marks(marks: Iterable[Mark]) -> list[Mark]:
    return list(islice(marks, MOST_MARKS))


def _unmet_marks(constraint: Constraint, trip: Trip) -> Iterator[Mark]:
    """Each item that fails, where a constraint is said of items; else one finding."""
    rubric = read_rubric(constraint.rubric, constraint.arguments)
    told = {"rubric": str(constraint.rubric), "expected": constraint.arguments}
    if rubric is None:
        yield Mark((), "unknown_rubric", told)
    elif isinstance(rubric, OfEach) and not all(rubric.holds(item, trip) for item in rubric.items(trip)):
        for item in rubric.items(trip):
            if not rubric.holds(item, trip):
                at = item.stay if isinstance(item, Night) else item.activity
                yield day_mark(item.day, "unmet", at, item=at.id, seen=rubric.read_part(item, trip), **told)
    elif not rubric.is_met(trip):
        yield Mark((), "unmet", {**told, "seen": rubric.read_trip(trip) or None})
