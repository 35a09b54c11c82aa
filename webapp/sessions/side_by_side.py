"""Two sessions side by side: what differs between them, then both conversations round by round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _

from benchmark.core.events import MessagePosted, TurnGranted
from benchmark.suites import metrics_of
from webapp.pages import ComparedPart, ComparedRow, pages_of
from webapp.sessions.outline import sections
from webapp.sessions.reading import Reading
from webapp.sessions.selectors import values_in
from webapp.wording.metrics import change_words, session_head, shown_values

SHARED_COMPARISONS: list[Callable[[Reading, Reading], Sequence[ComparedPart]]] = []
"""Of two sessions of any one benchmark; apps above add theirs."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message; equal where the same one said the same. seq: its event. has_plan: whether a plan is in it."""

    who: str
    content: str
    seq: int = field(compare=False)
    has_plan: bool = field(compare=False, default=False)


@dataclass(frozen=True, slots=True)
class Round:
    """A section of both conversations. pairs: messages of either side, aligned, None where one has none there."""

    label: str
    pairs: list[tuple[ChatMessage | None, ChatMessage | None]] = field(default_factory=list)

    @property
    def alike(self) -> bool:
        """Whether both say the same."""
        return all(first == second for first, second in self.pairs)


def context(first: Reading, second: Reading) -> dict[str, Any]:
    """What `templates/sessions/beside.html` needs."""
    one, other = first.session, second.session
    same_suite = one.suite == other.suite
    parts = [_figures(first, second), *(_compared_parts(first, second) if same_suite else ())]
    rounds = align_rounds(first, second)
    return {
        "sides": (one, other),
        "other_task": one.task_id != other.task_id,
        "parts": [part for part in parts if part.rows],
        "rounds": rounds,
        "alike": sum(each.alike for each in rounds),
    }


def _compared_parts(first: Reading, second: Reading) -> list[ComparedPart]:
    """The shared parts, then the benchmark's own ones; one with a shared one's name stands in its place."""
    shared = [part for compare in SHARED_COMPARISONS for part in compare(first, second)]
    own = {part.name: part for part in pages_of(first.session.suite).session.compare(first, second)}
    return [own.pop(part.name, part) for part in shared] + list(own.values())


def _figures(first: Reading, second: Reading) -> ComparedPart:
    """The metrics of the rules, with what the second has more."""
    before, after = values_in(first.score), values_in(second.score)
    rows = []
    declared = metrics_of(first.session.suite)
    left, right = (
        {shown.metric.key: shown for shown in shown_values(declared, of)} for of in (before, after)
    )
    # a metric that only some tasks have may be shown for one of the two alone
    for metric in (metric for metric in declared if metric.key in left or metric.key in right):
        key, change = metric.key, ""
        if key in before and key in after and left[key].number and before[key] != after[key]:
            change = change_words(metric, after[key] - before[key])
        one, other = ([side[key].value] if key in side else [] for side in (left, right))
        rows.append(ComparedRow(session_head(metric).label, one, other, note=change))
    return ComparedPart("figures", _("Scores"), rows)


def align_rounds(first: Reading, second: Reading) -> list[Round]:
    """Section by section of the outline, in the order of the longer session; inside one by what was said by whom."""
    left, right = _messages_by_section(first), _messages_by_section(second)
    labels = {key: label for reading in (second, first) for key, label in _labels(reading)}
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    keys = dict.fromkeys([*longer, *shorter])
    rounds = [Round(labels[key], pair_messages(left.get(key, []), right.get(key, []))) for key in keys]
    return [each for each in rounds if each.pairs]


def _labels(reading: Reading) -> list[tuple[str, str]]:
    return [(section.key, section.label) for section in sections(reading)]


def _messages_by_section(reading: Reading) -> dict[str, list[ChatMessage]]:
    """The messages of each section."""
    section_of = pages_of(reading.session.suite).session.section
    messages: dict[str, list[ChatMessage]] = {"opening": []}
    now = "opening"
    for event in reading.events:
        if isinstance(event.body, TurnGranted):
            named = section_of(event.body)
            now = named[0] if named is not None else now
        elif isinstance(event.body, MessagePosted):
            body = event.body
            said = ChatMessage(body.role, body.content, event.seq, body.has_plan)
            messages.setdefault(now, []).append(said)
    return messages


def pair_messages(
    left: Sequence[ChatMessage], right: Sequence[ChatMessage]
) -> list[tuple[ChatMessage | None, ChatMessage | None]]:
    """Equal messages face each other; between them the others stand beside each other in order."""
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    pairs: list[tuple[ChatMessage | None, ChatMessage | None]] = []
    for _tag, i1, i2, j1, j2 in matcher.get_opcodes():
        pairs += zip_longest(left[i1:i2], right[j1:j2])
    return pairs
