"""A plan as pages show it, whatever the benchmark: days of entries, each at its place in the plan's own JSON.

A view is made from a plan each time that it is shown, is never stored, and changes nothing: scorers read the plan
itself, with all that may be wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from sandbox.worlds.geo import Point

Kind = Literal["visit", "meal", "move", "leg", "stay", "other"]
"""move: a way inside a city; leg: between cities; stay: a night's lodging."""

Where = tuple[str | int, ...]
"""A place in the plan's own JSON: the keys and positions that lead there; () is the plan itself."""

Plan = dict[str, Any]
"""A plan in the JSON of its benchmark, with all that may be wrong with it."""

NO_ONE = "–"
"""Who takes part in an entry that names people of whom none travels along."""


class When(NamedTuple):
    """start, end: minutes since midnight of the day, None where the plan has none that can be read; what ends on the
    next day passes 1,440. period: a part of the day, where the benchmark's plans have no hours. text: as written.
    """

    start: int | None = None
    end: int | None = None
    period: str = ""
    text: str = ""


class Ref(NamedTuple):
    """A place by its name. id: in the world or the reference. point: where it lies, None where that is unknown."""

    name: str
    city: str = ""
    id: str = ""
    point: Point | None = None


class Cost(NamedTuple):
    """amount: in the currency of the plan, None where it is no number, as `text` has it."""

    amount: float | None
    per: Literal["person", "party"] = "person"
    text: str = ""


class Entry(NamedTuple):
    """One thing of a day. label: what it is called, "" for a rest. place: where it is, of a way where it leads.

    origin: where a way begins. mode: of a way. who: those who take part, () for everybody.
    """

    kind: Kind
    at: Where
    label: str
    when: When = When()
    place: Ref | None = None
    origin: Ref | None = None
    mode: str = ""
    who: tuple[str, ...] = ()
    cost: Cost | None = None


class Day(NamedTuple):
    """label: as the plan numbers it. date: as written. cities: in the order in which they are reached."""

    at: Where
    label: str
    date: str = ""
    cities: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()


class CostLine(NamedTuple):
    """What somebody, or a kind of thing, costs in all. label: the name of somebody, or an English message id, which
    pages translate. limit: what it may cost, None where nobody has set one.

    whole: the costs of which this is a part that has no limit of its own, None for no part.
    """

    label: str
    amount: float
    limit: float | None = None
    whole: float | None = None

    @property
    def exceeds_limit(self) -> bool:
        return self.limit is not None and self.amount > self.limit

    @property
    def share(self) -> str:
        """Of the limit, or of the whole, as a percentage for a gauge."""
        most = self.limit or self.whole
        return f"{min(100.0, 100 * self.amount / most) if most else 0.0:.1f}%"


class PlanView(NamedTuple):
    """A plan to be shown."""

    days: tuple[Day, ...] = ()
    costs: tuple[CostLine, ...] = ()


class Mark(NamedTuple):
    """Something that a rule finds in a plan. key: of its message; params: what the message names.

    who: whom it befalls, () for everybody. profile: the rules that alone find it, "" for those that are shown first.
    """

    at: Where
    key: str
    params: Mapping[str, Any] = {}
    who: tuple[str, ...] = ()
    profile: str = ""


class Findings(NamedTuple):
    """What a check finds in a plan. value: what the plan is worth, None where the check does not tell.

    is_enough: whether it is as good as the check asks for.
    """

    marks: tuple[Mark, ...]
    value: float | None = None
    is_enough: bool = False


def lies_in(at: Where, whole: Where) -> bool:
    """Whether a place in a plan is another one or is in it."""
    return at[: len(whole)] == whole


def as_text(value: Any, most: int = 12) -> str:
    """What a plan has written where a text is expected, cut for a table; "?" for nothing."""
    return "?" if value is None else str(value)[:most]
