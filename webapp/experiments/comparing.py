"""The answers of an experiment beside the original one, and what was changed in the request."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from benchmark.core.events import ModelCalled
from benchmark.models import ChatRequest, Reply
from benchmark.models.calls import object_in
from benchmark.models.chat import Message
from benchmark.models.exchange import Failure
from benchmark.text.word_differences import Piece, are_alike, compare_words
from webapp.cassettes.calls import as_json, text_of
from webapp.experiments.selectors import Answer

ORIGINAL = 0
NEAR = 160
"""Characters that are shown around each change of a long message."""


@dataclass(frozen=True, slots=True)
class ComparedCall:
    """A tool call of an answer. name, arguments: in pieces."""

    name: Sequence[Piece]
    arguments: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Column:
    """An answer on the page.

    number: `ORIGINAL` or that of the experiment's. text, calls: against the one that all are compared with. alike: it
    says the same words. is_base: it is that one.
    """

    number: int
    reply: Reply | None
    failure: Failure | None
    call: ModelCalled | None
    text: Sequence[Piece] = ()
    calls: Sequence[ComparedCall] = ()
    alike: bool = False
    is_base: bool = False

    @property
    def awaited(self) -> bool:
        """Whether nothing has come yet."""
        return self.reply is None and self.failure is None


def columns(original: Answer, answers: Sequence[Answer], against: int) -> list[Column]:
    """The original and all answers. against: the number of the one that the others are compared with."""
    everything = [original, *answers]
    base = next((one.reply for one in everything if one.number == against), None)
    return [_column(one, base, one.number == against) for one in everything]


def _column(answer: Answer, base: Reply | None, is_base: bool) -> Column:
    reply = answer.reply
    if reply is None:
        return Column(answer.number, None, answer.failure, answer.call, is_base=is_base)
    text = _plain(reply.text) if base is None or is_base else compare_words(base.text, reply.text)
    calls = list(_calls(reply, None if is_base else base))
    pieces = [*text, *(piece for call in calls for piece in (*call.name, *call.arguments))]
    alike = base is not None and not is_base and are_alike(pieces)
    return Column(answer.number, reply, None, answer.call, text, calls, alike, is_base)


def _calls(reply: Reply, base: Reply | None) -> Iterator[ComparedCall]:
    """The calls, each against the one in the same place; those that only the base has come last."""
    if base is None:
        for call in reply.calls:
            yield ComparedCall(_plain(call.name), _plain(_arguments(call.arguments)))
        return
    for place in range(max(len(reply.calls), len(base.calls))):
        former, now = ((one.calls[place] if place < len(one.calls) else None) for one in (base, reply))
        yield ComparedCall(
            compare_words(former.name if former else "", now.name if now else ""),
            compare_words(
                _arguments(former.arguments) if former else "", _arguments(now.arguments) if now else ""
            ),
        )


def _arguments(written: str) -> str:
    """Arguments over several lines, keys in order, so that the same ones look the same."""
    value = object_in(written)
    return written if value is None else json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)


def _plain(text: str) -> list[Piece]:
    return [Piece("same", text)] if text else []


def acts(answers: Sequence[Answer]) -> list[tuple[str, int]]:
    """What the answers do, the most frequent first: the tools that they call, "" for words alone."""
    said = (one.reply for one in answers if one.reply is not None)
    return Counter(", ".join(call.name for call in reply.calls) for reply in said).most_common()


@dataclass(frozen=True, slots=True)
class MessageChange:
    """A message that was edited, added or removed.

    number: in the edited request; for a removed one in the original.
    """

    kind: str
    number: int
    role: str
    pieces: Sequence[Piece]


def message_changes(original: Sequence[Message], edited: Sequence[Message]) -> list[MessageChange]:
    """How the messages of an edited request differ from those of the original."""
    one, other = (list(map(as_json, messages)) for messages in (original, edited))
    changes = list[MessageChange]()
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        both = min(i2 - i1, j2 - j1)
        for former, later, number in zip(original[i1:i2], edited[j1:j2], range(j1 + 1, j2 + 1), strict=False):
            changes.append(_edit_of(former, later, number))
        for number in range(i1 + both, i2):
            gone = original[number]
            changes.append(
                MessageChange("gone", number + 1, str(gone.get("role")), [Piece("gone", text_of(gone))])
            )
        for number in range(j1 + both, j2):
            new = edited[number]
            changes.append(
                MessageChange("new", number + 1, str(new.get("role")), [Piece("new", text_of(new))])
            )
    return changes


def _edit_of(former: Message, later: Message, number: int) -> MessageChange:
    roles = [str(message.get("role")) for message in (former, later)]
    role = roles[0] if roles[0] == roles[1] else " → ".join(roles)
    return MessageChange("edited", number, role, shorten(compare_words(text_of(former), text_of(later))))


def shorten(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces with what both have left out, but for some characters around each change."""
    shown = list[Piece]()
    for at, piece in enumerate(pieces):
        if piece.kind != "same" or len(piece.text) <= 3 * NEAR:
            shown.append(piece)
            continue
        begin = piece.text[:NEAR] if at else ""
        end = piece.text[-NEAR:] if at + 1 < len(pieces) else ""
        shown.append(Piece("same", f"{begin} … {end}"))
    return shown


def tool_changes(original: ChatRequest, edited: ChatRequest) -> list[Piece]:
    """How the tools differ; [] where they do not."""
    former, later = (as_json(list(request.tools)) if request.tools else "" for request in (original, edited))
    return [] if former == later else shorten(compare_words(former, later))
