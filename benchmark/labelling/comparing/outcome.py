"""From what a model said of either plan, or in either order, to its choice (TripScore, appendix C.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmark.labelling.comparing.answers import PlanChoice

LEFT, RIGHT, NEITHER = "left", "right", "neither"


@dataclass(frozen=True, slots=True)
class Outcome:
    """choice: `left`, `right` or `neither`. basis: what it was made from, as a label keeps it beside the choice."""

    choice: str
    basis: Mapping[str, Any] = field(default_factory=dict)


def by_points(left: float, right: float) -> Outcome:
    """The plan with more points; equal points mean neither."""
    choice = NEITHER if left == right else LEFT if left > right else RIGHT
    return Outcome(choice, {"left": left, "right": right})


def by_order(given: PlanChoice) -> Outcome:
    """The plan that was chosen in the one order that was asked about, as the paper has it."""
    side = LEFT if given.choice == "A" else RIGHT
    sure = {} if given.confidence is None else {"confidence": given.confidence}
    return Outcome(side, {"orders": [side], **sure})


def by_orders(given: PlanChoice, swapped: PlanChoice) -> Outcome:
    """The plan that was chosen in both orders; where they disagree, neither.

    swapped: of the order in which the right plan is called A. `orders` holds both choices by the plans' own sides.
    `confidence` (0.5 to 1) is the mean of both, of a choice that both agree on and are told with one.
    """
    first = LEFT if given.choice == "A" else RIGHT
    second = RIGHT if swapped.choice == "A" else LEFT
    agreed = first == second
    said: dict[str, Any] = {"orders": [first, second]}
    if agreed and given.confidence is not None and swapped.confidence is not None:
        said["confidence"] = round((given.confidence + swapped.confidence) / 2, 6)
    return Outcome(first if agreed else NEITHER, said)
