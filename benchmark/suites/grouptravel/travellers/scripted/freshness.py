"""Choosing the draft of a message that repeats least of what was said before.

People in a chat neither begin every message with the same words nor say one sentence twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from benchmark.core.view import AGENT, Message
from benchmark.suites.grouptravel.travellers.scripted.language import Language, Opening
from benchmark.suites.grouptravel.travellers.scripted.names import hide

FEW, MANY = 12, 60
"""Drafts to choose among, and to try for one without an open repetition."""
NEARBY_MESSAGES = 8
"""Messages of the others that are still in the ear."""
_OPEN = 1000
"""What an open repetition costs: the opening of one's last message, or a whole sentence of one's own."""

Run = tuple[str, ...]


@dataclass(frozen=True)
class SaidBefore:
    """What a traveller has said (`own`, oldest first), and the other travellers in the last messages (`others`).

    names: what may be said again and again.
    """

    own: tuple[str, ...]
    others: tuple[str, ...]
    language: Language
    names: frozenset[str]

    def repetition(self, draft: str) -> int:
        """How much of `draft` was said before; from _OPEN on it would be noticed."""
        sentences = Counter(self.language.sentences(draft))
        cost = _OPEN * sum(count - 1 for count in sentences.values())
        cost += sum(
            _OPEN * (sentence in self._own) + 20 * (sentence in self._others) for sentence in sentences
        )
        opening = self.language.opening(draft)
        cost += _OPEN * sum(opening.is_like(own) for own in self._own_openings)
        cost += 10 * sum(opening.is_like(other) for other in self._other_openings)
        return cost + self._turns_of_phrase(draft)

    @cached_property
    def _own_openings(self) -> tuple[Opening, ...]:
        """That of the last message."""
        return tuple(self.language.opening(text) for text in self.own[-1:])

    @cached_property
    def _other_openings(self) -> tuple[Opening, ...]:
        return tuple(self.language.opening(text) for text in self.others)

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(sentence for text in self.own for sentence in self.language.sentences(text))

    @cached_property
    def _others(self) -> frozenset[str]:
        return frozenset(sentence for text in self.others for sentence in self.language.sentences(text))

    def _turns_of_phrase(self, draft: str) -> int:
        """Runs of a few words, names apart, that come twice in the draft or were said before."""
        runs = Counter(self._runs(draft))
        return sum(
            5 * (count - 1) + 3 * (run in self._own_runs) + (run in self._other_runs)
            for run, count in runs.items()
        )

    @cached_property
    def _own_runs(self) -> frozenset[Run]:
        return frozenset(run for text in self.own for run in self._runs(text))

    @cached_property
    def _other_runs(self) -> frozenset[Run]:
        return frozenset(run for text in self.others for run in self._runs(text))

    def _runs(self, text: str) -> Iterator[Run]:
        words = self.language.words(hide(text, self.names))
        size = self.language.reading.run
        yield from (tuple(words[start : start + size]) for start in range(len(words) - size + 1))


def freshest(draft: Callable[[int], str], said: SaidBefore) -> str:
    """The draft, by its number, that repeats least; all are equally true."""
    best, least, costs = "", None, dict[str, int]()
    for number in range(MANY):
        text = draft(number)
        if text not in costs:
            costs[text] = said.repetition(text)
        cost = costs[text]
        if least is None or cost < least:
            best, least = text, cost
        if not least or (number >= FEW and least < _OPEN):
            break
    return best


def said_before(messages: Iterable[Message], me: str, language: Language, names: Iterable[str]) -> SaidBefore:
    """What the chat holds of `me` and of the other travellers."""
    spoken = list(messages)
    own = tuple(message.content for message in spoken if message.role == me)
    others = tuple(
        message.content for message in spoken[-NEARBY_MESSAGES:] if message.role not in (me, AGENT)
    )
    return SaidBefore(own, others, language, frozenset(names))
