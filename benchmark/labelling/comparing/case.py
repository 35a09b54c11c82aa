"""What a model that compares answers is shown of a session: what was asked for, and the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from benchmark.core.events import Event, MessagePosted
from benchmark.labelling.answers import AnswerKind, exchange_of, exchange_text
from sandbox.tools.language import Language


@dataclass(frozen=True, slots=True)
class Case:
    """A request and an answer to it, both as text.

    answer: "" where the session has none. surroundings: what else is shown of the session, "" for nothing.
    """

    language: Language
    request: str
    answer: str
    surroundings: str = ""


CaseReader = Callable[[Iterable[Event]], Case]
"""Tells a case from the log of an ended session."""


def told_case(events: Iterable[Event]) -> Case:
    """The opening messages, and the last message that holds a plan: for benchmarks that tell nothing better."""
    said = _messages(events)
    request = _request(said)
    plans = [each.content for each in said if each.has_plan]
    return Case(language_of(request), request, (plans or [""])[-1])


def spoken_case(events: Iterable[Event]) -> Case:
    """The opening messages, and what was said after them: for benchmarks whose agents answer in words."""
    said = _messages(events)
    request = _request(said)
    return Case(language_of(request), request, exchange_text(exchange_of(said)))


CASES: Mapping[AnswerKind, CaseReader] = {"plan": told_case, "words": spoken_case}
"""What is told of suites that bring no way of their own, by what their answer is."""


def _messages(events: Iterable[Event]) -> list[MessagePosted]:
    return [event.body for event in events if isinstance(event.body, MessagePosted)]


def _request(said: Iterable[MessagePosted]) -> str:
    return "\n".join(f"{each.role}: {each.content}" for each in said if each.opening)


def language_of(text: str) -> Language:
    """Chinese where a text has a Chinese character."""
    return "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in text) else "en"
