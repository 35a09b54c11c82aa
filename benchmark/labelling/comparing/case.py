"""What a model that compares plans is shown of a session: what was asked for, and the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from benchmark.core.events import Event, MessagePosted
from sandbox.tools.language import Language


@dataclass(frozen=True, slots=True)
class Case:
    """A request and a plan for it, both as text. plan: "" where the session has none."""

    language: Language
    request: str
    plan: str


Told = Callable[[Iterable[Event]], Case]
"""Tells a case from the log of an ended session."""


def told_case(events: Iterable[Event]) -> Case:
    """The opening messages, and the last message that holds a plan: for benchmarks that tell nothing better."""
    said = [event.body for event in events if isinstance(event.body, MessagePosted)]
    request = "\n".join(f"{each.role}: {each.content}" for each in said if each.opening)
    plans = [each.content for each in said if each.has_plan]
    return Case(
        "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in request) else "en",
        request,
        (plans or [""])[-1],
    )
