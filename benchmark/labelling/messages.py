"""Messages of a session that raters judge one by one: which, what is asked of each, and what is shown beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmark.core.events import Event
from benchmark.judging import Dimension
from benchmark.labelling.statistic import Definition


class FactLine(NamedTuple):
    """words: in the session's language. id: by which the session knows it. note: an English message id."""

    words: str
    id: str = ""
    note: str = ""


class Fact(NamedTuple):
    """What raters read beside a message, and its speaker knew then. heading: an English message id."""

    heading: str
    lines: Sequence[FactLine]


class RatedMessage(NamedTuple):
    """A message that can be rated. at: the `seq` of its event. facets: what results are split by, fields of the
    benchmark's tasks by their keys, as they were in this session.
    """

    at: int
    facts: Sequence[Fact] = ()
    facets: Mapping[str, str] = {}


@dataclass(frozen=True)
class MessageRubric:
    """What raters are asked of single messages. Its name is none of a judge's rubric, nor are its dimensions' keys.

    title: what it is called; question: what is asked of each message, English message ids. speaker: whose messages.
    reads: the types of the events that `messages` takes, in a log's order; it yields those that can be rated, as far
    as the log goes. value: what the ratings of one message come to, and figure what its mean over messages is.
    guidelines: Markdown for raters, by the language's code. paper_column: the table of the paper's results
    that is its counterpart, its column of the figure, and that of the number of messages.
    """

    name: str
    title: str
    question: str
    dimensions: tuple[Dimension, ...]
    speaker: str
    reads: frozenset[str]
    messages: Callable[[Iterable[Event]], Iterator[RatedMessage]]
    value: Callable[[Mapping[str, int]], float]
    figure: Definition
    guidelines: Mapping[str, Path] = field(default_factory=dict)
    paper_column: tuple[str, str, str] | None = None
