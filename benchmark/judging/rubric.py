"""What a benchmark brings for judges: what they rate, what they are shown and asked, and how that becomes a score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from benchmark.core.events import (
    CRASHES,
    AgentNoted,
    Event,
    MessagePosted,
    SessionFinished,
    ToolCalled,
)
from benchmark.text.prompts import Prompts
from sandbox.tools.language import Language

PUBLISHED = "published"
"""The input form that counts where none is named; every rubric has it."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session as a judge sees it. text: the task and the turns, and what else the form shows. turns: the numbers in
    it, each the `seq` of its event. language: of the session, and so of the prompts.
    """

    text: str
    turns: frozenset[int]
    language: Language


@dataclass(frozen=True, slots=True)
class Dimension:
    """One thing that judges rate, from 1 to 5. key: as prompts ask for it. label: an English message id. also: what
    prompts call it beside the key, by which it is found in answers.
    """

    key: str
    label: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InputForm:
    """What a judge is shown, and how it is asked. It is part of who judged: ratings of two forms are never averaged.

    label: an English message id. prompts: judges are asked by judge_system and judge_user, meta-judges by meta_system
    and meta_user; `rubric` is part of both system messages, and lines.txt has patterns. tries: how many answers may
    be asked for until one can be read; without one the judgement is dropped.
    """

    name: str
    label: str
    prompts: Prompts
    transcript: Callable[[Iterable[Event]], Transcript]
    temperature: float
    tries: int


@dataclass(frozen=True, slots=True)
class Rubric:
    """metric: the key of the metric that the score is a value of. forms: by name. score: from the ratings of all
    dimensions, or of one alone for reports by dimension, and the meta-judge's, None where none was asked.
    """

    metric: str
    dimensions: tuple[Dimension, ...]
    forms: Mapping[str, InputForm]
    score: Callable[[Mapping[str, int], int | None], float]

    @property
    def names(self) -> tuple[str, ...]:
        """The keys of the dimensions."""
        return tuple(one.key for one in self.dimensions)


def crashed_without_conversation(events: Iterable[Event]) -> bool:
    """Whether a session crashed before anybody said or did anything after the opening messages."""
    crashed = said = False
    for event in events:
        body = event.body
        if isinstance(body, SessionFinished):
            crashed = body.reason in CRASHES
        elif isinstance(body, MessagePosted):
            said = said or not body.opening
        else:
            said = said or isinstance(body, AgentNoted | ToolCalled)
    return crashed and not said
