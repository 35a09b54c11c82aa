"""The reward of a plan: two gates, then what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from benchmark.plans.view import Mark
from benchmark.suites.tripscore.metrics import KEYS_BY_RUBRIC
from benchmark.suites.tripscore.scoring.commonsense import (
    block_faults,
    closing_faults,
    completeness_faults,
    journey_faults,
    order_faults,
    place_faults,
)
from benchmark.suites.tripscore.scoring.form import (
    MOST_MARKS,
    accuracy_faults,
    form_faults,
    id_faults,
    relevance_faults,
)
from benchmark.suites.tripscore.scoring.parameters import SOFT, USER, WISHES, Parameters
from benchmark.suites.tripscore.scoring.trip import Lookup, Trip
from benchmark.suites.tripscore.scoring.worth import SOFT_RULES, Ratings, Worth, is_stated, weigh, wish_rules
from benchmark.suites.tripscore.tasks.task import REAL, Task

FORM: Final = "response_format"
FORMAT_RULES: Final[Mapping[str, Callable[[Trip], Iterable[Mark]]]] = {
    "information_verification": id_faults,
    "information_accuracy": accuracy_faults,
    "information_relevance": relevance_faults,
}
COMMON_SENSE_RULES: Final[Mapping[str, Callable[[Trip], Iterable[Mark]]]] = {
    "information_completeness": completeness_faults,
    "chronological_order": order_faults,
    "location_consistency": place_faults,
    "operating_hours": closing_faults,
    "travel_block_out": block_faults,
    "transport_consistency": journey_faults,
}
Flags = Mapping[str, bool | None]
Figures = Mapping[str, float | None]


@dataclass(frozen=True)
class Score:
    """What the rules say of a plan; what lies behind a gate that is shut is None.

    marks: what is against each constraint. stated_wishes: the preferences that the query has.
    """

    format: Flags
    commonsense: Flags | None = None
    soft: Figures | None = None
    pref: Figures | None = None
    reward: float = 0.0
    marks: Mapping[str, Sequence[Mark]] = field(default_factory=dict)
    stated_wishes: tuple[str, ...] = ()

    @property
    def delivered(self) -> bool:
        """Whether it passes the gate of format."""
        return all(self.format.values())

    @property
    def feasible(self) -> bool:
        """Whether it passes both gates."""
        return self.soft is not None

    def as_json(self) -> dict[str, Any]:
        """As golden files have it."""
        return {
            "format": self.format,
            "commonsense": self.commonsense,
            "soft": self.soft,
            "pref": self.pref,
            "delivered": self.delivered,
            "feasible": self.feasible,
            "reward": self.reward,
        }


def score_plan(
    plan: object, task: Task, parameters: Parameters, ratings: Ratings, lookup: Lookup | None = None
) -> Score:
    """The reward of a plan with what is behind it. plan: of any shape, None where an answer holds none."""
    faults = form_faults(plan)
    if faults or not isinstance(plan, Mapping):
        flags = {FORM: False, **dict.fromkeys(FORMAT_RULES)}
        return Score(flags, reward=parameters.penalty_format, marks={FORM: faults})
    trip = Trip.read(plan, task, parameters, lookup or Lookup(task.reference))
    found = {key: list(islice(rule(trip), MOST_MARKS)) for key, rule in FORMAT_RULES.items()}
    form: Flags = {FORM: True, **{key: not marks for key, marks in found.items()}}
    if not all(form.values()):
        return Score(form, reward=parameters.penalty_format, marks=found)
    found = {key: list(islice(rule(trip), MOST_MARKS)) for key, rule in COMMON_SENSE_RULES.items()}
    sense: Flags = {key: not marks for key, marks in found.items()}
    if not all(sense.values()):
        return Score(form, sense, reward=1 + parameters.penalty_com, marks=found)
    return _score_worth(trip, ratings, form, sense)


def _score_worth(trip: Trip, ratings: Ratings, form: Flags, sense: Flags) -> Score:
    parameters = trip.parameters
    soft: dict[str, Worth] = {key: rule(trip, ratings) for key, rule in SOFT_RULES.items()}
    pref: dict[str, Worth] = {key: rule(trip, ratings) for key, rule in wish_rules(trip).items()}
    stated = tuple(key for key in pref if is_stated(trip, key))
    soft_values = {key: worth.value for key, worth in soft.items()}
    pref_values = {key: worth.value for key, worth in pref.items()}
    wished = {key: pref_values[key] for key in stated}
    reward = reward_of_worth(soft_values, wished, trip.task.query.type, parameters)
    found = {key: worth.marks[:MOST_MARKS] for key, worth in {**soft, **pref}.items() if worth.marks}
    return Score(form, sense, soft_values, pref_values, reward, found, stated)


def reward_of_worth(soft: Figures, wished: Figures, kind: str, parameters: Parameters) -> float:
    """The reward of a feasible plan for a query of a type, from the figures of constraints and stated wishes."""
    return (
        2
        + parameters.w3 * weigh(soft, parameters.w1, parameters)
        + parameters.w4.get(kind, 0.0) * weigh(wished, parameters.w2, parameters)
    )


def highest_reward(task: Task, parameters: Parameters, *, rated: bool) -> float:
    """What no plan of a task exceeds; rated: with what judges say."""
    stated = [wish for wish in WISHES if getattr(task.query.preferences, wish)]
    return highest_of(task.query.type, parameters, wished=stated, rated=rated)


def highest_of(kind: str, parameters: Parameters, *, wished: Iterable[str], rated: bool) -> float:
    """What no plan for a query of a type exceeds. wished: the preferences that the query has."""
    soft = {key: 1.0 if rated or key not in KEYS_BY_RUBRIC.values() else None for key in SOFT.values()}
    full: Figures = dict.fromkeys(wished, 1.0)
    if kind == REAL:
        full = {USER: max(1.0, parameters.user_zero) if rated else None}
    return reward_of_worth(soft, full, kind, parameters)
