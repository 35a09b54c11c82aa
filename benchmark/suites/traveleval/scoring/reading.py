"""Reading the values of a plan as the published program does: what it can't read makes a metric undefined."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from benchmark.plans.view import Where

N = TypeVar("N", int, float)
DAY_H = 24.0
_LONGEST_CLOCK = 20
"""Letters of a text that is kept with the time that it tells."""


class UndefinedFigure(Exception):
    """A metric needs what the plan lacks or what can't be read. at: the path of it, () for a division by nothing."""

    def __init__(self, at: Where = ()) -> None:
        super().__init__(at)
        self.at = at

    def __str__(self) -> str:
        return ".".join(map(str, self.at))


class Keeper(Protocol):
    """What many rules ask the same. answers: by question."""

    @property
    def answers(self) -> dict[object, Any]: ...


A = TypeVar("A", bound=Keeper)
P = ParamSpec("P")
R = TypeVar("R")


def keep_answers(find: Callable[Concatenate[A, P], R]) -> Callable[Concatenate[A, P], R]:
    """The same function, which is asked once: both profiles and many metrics need its answer, or what it lacks."""

    @wraps(find)
    def find_once(owner: A, /, *args: P.args, **kwargs: P.kwargs) -> R:
        question = (find, *args, *kwargs.values()) if args or kwargs else find
        answer = owner.answers.get(question)
        if answer is None:
            try:
                answer = find(owner, *args, **kwargs)
            except UndefinedFigure as undefined:
                answer = undefined
            owner.answers[question] = answer
        if isinstance(answer, UndefinedFigure):
            raise answer.with_traceback(None)
        return answer

    return find_once


_FIGURES, _NUMBERS, _COLLECTIONS = (int, float), (str, int, float), (list, dict)
"""Made once: a union that is written where it is asked for takes longer than what asks."""
_NO_PARTS: Final[dict[str, Node]] = {}
"""Of all nodes of which nothing was asked: most are numbers and texts."""


class Node:
    """A value of a plan with its path. Its methods raise UndefinedFigure where it is of another kind.

    Nobody changes a plan while it is scored: some twenty rules ask for the same parts, so each is made once.
    """

    __slots__ = ("_items", "_parts", "at", "value")

    def __init__(self, value: Any, at: Where = ()) -> None:
        self.value, self.at = value, at
        self._parts: dict[str, Node] = _NO_PARTS
        self._items: list[Node] | None = None

    def need(self, key: str) -> Node:
        """What an object has under a key."""
        if not isinstance(self.value, dict) or key not in self.value:
            raise UndefinedFigure((*self.at, key))
        return self._parts.get(key) or self._keep_part(key, self.value[key])

    def get(self, key: str, missing: Any = None) -> Node:
        """What an object has under a key, or else `missing`."""
        if (part := self._parts.get(key)) and (missing is None or key in self.value):
            return part
        if not isinstance(self.value, dict):
            raise UndefinedFigure(self.at)
        if missing is None or key in self.value:
            return self._keep_part(key, self.value.get(key))
        return Node(missing, (*self.at, key))

    def _keep_part(self, key: str, value: Any) -> Node:
        part = Node(value, (*self.at, key))
        if self._parts is _NO_PARTS:
            self._parts = {}
        self._parts[key] = part
        return part

    def items(self) -> list[Node]:
        """The items of a list; an empty object or text has none."""
        if self._items is None:
            if not isinstance(self.value, list) and self.value not in ({}, ""):
                raise UndefinedFigure(self.at)
            self._items = [Node(item, (*self.at, nth)) for nth, item in enumerate(self.value)]
        return self._items

    def number(self) -> float:
        """A number, true, false, or a text of a number."""
        return self._convert(float)

    def number_or(self, other: float) -> float:
        """The number, or another one in place of null, "" and 0."""
        return self._convert(float) if self.value else other

    def integer(self) -> int:
        """A number without its fraction, or a text of a whole number."""
        return self._convert(int)

    def figure(self) -> float:
        """A number of JSON; texts are none."""
        if not isinstance(self.value, _FIGURES):
            raise UndefinedFigure(self.at)
        return self.number()

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            raise UndefinedFigure(self.at)
        return self.value

    def name(self) -> Any:
        """What can be looked up: anything but a list or an object."""
        if isinstance(self.value, _COLLECTIONS):
            raise UndefinedFigure(self.at)
        return self.value

    def hour_and_minute(self) -> tuple[int, int]:
        """The two whole numbers of a text that is exactly H:M; 25:00 is read too."""
        time = _time_of(self.value)
        if time is None or not time[2]:
            raise UndefinedFigure(self.at)
        return time[0], time[1]

    def clock(self) -> float:
        """Hours since midnight, by the first two parts of a text: 09:00:00 is fine."""
        time = _time_of(self.value)
        if time is None:
            raise UndefinedFigure(self.at)
        return time[0] + time[1] / 60

    def _convert(self, make: Callable[[Any], N]) -> N:
        if not isinstance(self.value, _NUMBERS):
            raise UndefinedFigure(self.at)
        try:
            return make(self.value)
        except (ValueError, OverflowError) as error:
            raise UndefinedFigure(self.at) from error


def _time_of(value: object) -> tuple[int, int, bool] | None:
    """Hour, minute, and whether there is nothing else; None where it has none."""
    if not isinstance(value, str):
        return None
    return _short_time(value) if len(value) <= _LONGEST_CLOCK else _short_time.__wrapped__(value)


@lru_cache(maxsize=10_000)
def _short_time(text: str) -> tuple[int, int, bool] | None:
    """Plans say the same few times again and again, and each is read by many metrics."""
    parts = text.split(":", 2)
    try:
        return int(parts[0]), int(parts[1]), len(parts) == 2
    except (ValueError, IndexError):
        return None


def duration(start: Node, end: Node) -> float:
    """Hours from one time to another, past midnight if the hour is smaller; 0 for what can't be read."""
    begins, ends = _time_of(start.value), _time_of(end.value)
    if begins is None or ends is None or not begins[2] or not ends[2]:
        return 0.0
    minutes = (ends[0] - begins[0]) * 60 + ends[1] - begins[1]
    return max(0.0, minutes / 60 + (DAY_H if begins[0] > ends[0] else 0.0))


def ratio(part: float, whole: float, at: Where = ()) -> float:
    """A quotient. Raises UndefinedFigure where it divides by 0."""
    if whole == 0:
        raise UndefinedFigure(at)
    return part / whole
