"""Why a draw came to no task, and what is told of tasks that were left out for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark, join_remarks
from benchmark.suites.tripbench.frame import Frame

Why = Literal["trip", "second_trip", "choice", "plan", "turn", "wishes", "turns"]
WHY_WORDS: Final[Mapping[Why, str]] = {
    "trip": _("the world has no such trip in this split"),
    "second_trip": _("the world has no second trip from the same city to others in this split"),
    "choice": _("the requirements left too few places or journeys to choose from"),
    "plan": _("no plan was found that meets all requirements"),
    "turn": _("no plan was found for what holds after one of the turns"),
    "wishes": _("too few wishes were proved impossible"),
    "turns": _("the story took more turns than it may"),
}
"""What could not be drawn."""
_LEFT_OUT: Final = _("%(id)s is left out: none of %(draws)s draws came to a task: %(why)s")
_REASON: Final = _("%(why)s (%(draws)s×, such as %(route)s)")
_REASON_ALONE: Final = _("%(why)s (%(draws)s×)")


class NothingDrawn(Exception):
    """A draw came to no task. frame: the trip that it began with, None where it had none."""

    def __init__(self, why: Why, frame: Frame | None = None) -> None:
        super().__init__(why)
        self.why, self.frame = why, frame

    @property
    def route(self) -> str:
        """Its cities in their order; "" without a trip."""
        return "" if self.frame is None else " – ".join((self.frame.origin, *self.frame.destinations))


class Shortfall(NamedTuple):
    """A task that is left out. reasons: of each draw, why it came to nothing, with its route."""

    id: str
    subset: str
    reasons: Sequence[tuple[Why, str]]

    @property
    def remark(self) -> Remark:
        """In a sentence, the most frequent reason first."""
        counts = Counter(why for why, _route in self.reasons)
        routes = {why: route for why, route in self.reasons if route}
        told = [_reason(why, draws, routes.get(why, "")) for why, draws in counts.most_common()]
        return Remark(_LEFT_OUT, {"id": self.id, "draws": len(self.reasons), "why": join_remarks(told)})

    def as_json(self) -> dict[str, Any]:
        """As reports have it. draws: how many came to nothing for each reason; routes: of all of them."""
        return {
            "id": self.id,
            "subset": self.subset,
            "draws": dict(Counter(why for why, _route in self.reasons).most_common()),
            "routes": [*dict.fromkeys(route for _why, route in self.reasons if route)],
            "remark": self.remark.as_json(),
        }


def _reason(why: Why, draws: int, route: str) -> Remark:
    told = {"why": Remark(WHY_WORDS[why]), "draws": draws}
    return Remark(_REASON, {**told, "route": route}) if route else Remark(_REASON_ALONE, told)
