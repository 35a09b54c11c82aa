"""What a benchmark brings for judges: what they rate, what they are shown and asked, and how that becomes a score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from benchmark.core.events import (
    CRASHES,
    AgentNoted,
    Event,
    MessagePosted,
    SessionFinished,
    ToolCalled,
)
from benchmark.judging.verdict import HIGHEST, LOWEST, Calibration, Judgement
from benchmark.text.prompts import Prompts
from sandbox.tools.language import Language

PUBLISHED = "published"
"""The input form that counts where none is named; every rubric has it."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session as a judge sees it. text: the task and the turns, and what else the form shows. turns: the numbers in
    it, each the `seq` of its event. language: of the session, and so of the prompts. dimensions: the keys of those
    that this session is rated in, None for all of the rubric's. weight: what its score is multiplied by, whatever
    judges say of it (a penalty for tool errors).
    """

    text: str
    turns: frozenset[int]
    language: Language
    dimensions: tuple[str, ...] | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Dimension:
    """One thing that judges rate by a whole number. key: as prompts ask for it. label: an English message id. also:
    what prompts call it beside the key, by which it is found in answers. lowest, highest: the ends of its scale.
    lists: keys under which an answer lists what it has found, each with an English message id.
    """

    key: str
    label: str
    also: tuple[str, ...] = ()
    lowest: int = LOWEST
    highest: int = HIGHEST
    lists: tuple[tuple[str, str], ...] = ()

    @property
    def scale(self) -> range:
        """The ratings that it can have."""
        return range(self.lowest, self.highest + 1)


class Reading(Protocol):
    """How the answers of judges and meta-judges are read. json_object: whether they are asked for a JSON object.

    turns: the numbers that the transcript has; cut_off: the answer reached its limit.
    """

    @property
    def json_object(self) -> bool: ...

    def judgement(
        self, text: str, dimensions: Sequence[Dimension], turns: Collection[int], *, cut_off: bool = False
    ) -> Judgement: ...

    def calibration(self, text: str, turns: Collection[int], *, cut_off: bool = False) -> Calibration: ...


@dataclass(frozen=True, slots=True)
class InputForm:
    """What a judge is shown, and how it is asked. It is part of who judged: ratings of two forms are never averaged.

    label: an English message id. prompts: judges are asked by judge_system and judge_user, meta-judges by meta_system
    and meta_user; `rubric` is part of both system messages, and lines.txt has patterns. tries: how many answers may
    be asked for until one can be read; without one the judgement is dropped. warm: from which of a judge's tries (0
    is the first) it is asked at another temperature, and at which. top_p: of all its requests, None for the server's
    own. reading: of the answers, None for JSON with scores and citations. calibration_optional: ratings for which the
    meta-judge gave no readable answer count as they are. empty_asked: judges are asked about a session that crashed
    without a conversation too; else it counts 0.
    """

    name: str
    label: str
    prompts: Prompts
    transcript: Callable[[Iterable[Event]], Transcript]
    temperature: float
    tries: int
    warm: tuple[int, float] | None = None
    top_p: float | None = None
    reading: Reading | None = None
    calibration_optional: bool = False
    empty_asked: bool = False

    def temperature_at(self, tries: int) -> float:
        """Of a request to the judge after so many unusable answers."""
        return self.warm[1] if self.warm and tries >= self.warm[0] else self.temperature


@dataclass(frozen=True, slots=True)
class Rubric:
    """metric: the key of the metric that the score is a value of. forms: by name. score: from the ratings of all
    dimensions, or of one alone for reports by dimension, and the meta-judge's, None where none was asked.
    unrated_facets: the value of a facet whose tasks are scored by rules alone, by the facet's key: judges are not
    asked of them. name: tells the rubrics of a benchmark apart, in the database and on the command line, and never
    changes; "" of one that is alone, or was.
    """

    metric: str
    dimensions: tuple[Dimension, ...]
    forms: Mapping[str, InputForm]
    score: Callable[[Mapping[str, int], int | None], float]
    unrated_facets: Mapping[str, str] = field(default_factory=dict)
    name: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The keys of the dimensions."""
        return tuple(dimension.key for dimension in self.dimensions)


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
