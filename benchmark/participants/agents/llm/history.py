"""What the agent has said, called and thought, put back in order from its view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from benchmark.participants.view import Draft, Message, Note, ToolEntry, View


@dataclass(frozen=True, slots=True)
class ToolStep:
    """Calls made together, all answered. note: text written beside them; thought: what a thinking model wrote first.

    seq: of the first call. turn: seq of the turn's grant.
    """

    seq: int
    turn: int
    entries: tuple[ToolEntry, ...]
    note: str
    thought: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A draft of the turn in progress with the thought before it."""

    seq: int
    draft: Draft
    thought: str


@dataclass(frozen=True, slots=True)
class History:
    """before: chat and tool steps up to this turn; now: what the agent has done in it; both oldest first."""

    before: tuple[Message | ToolStep, ...]
    now: tuple[ToolStep | Withdrawn, ...]


def read_history(view: View) -> History:
    """The history of a view. A call without an answer is left out: no chat may end in one."""
    done = list(_with_words(view))
    before = [step for step in done if isinstance(step, ToolStep) and step.turn != view.turn.seq]
    now = [step for step in done if isinstance(step, Withdrawn) or step.turn == view.turn.seq]
    return History(tuple(sorted((*view.messages, *before), key=lambda item: item.seq)), tuple(now))


def _with_words(view: View) -> Iterator[ToolStep | Withdrawn]:
    """Notes and thoughts belong to the next step of their own turn; those before an utterance to none."""
    beside: dict[str, Note] = {}
    for item in _moments(view):
        if isinstance(item, Note):
            beside[item.kind] = item
            continue
        held, beside = beside, {}
        if isinstance(item, Draft):
            yield Withdrawn(item.seq, item, _words(held, "thought", view.turn.seq))
        elif isinstance(item, tuple):
            turn = item[0].turn
            yield ToolStep(item[0].seq, turn, item, _words(held, "note", turn), _words(held, "thought", turn))


def _words(held: dict[str, Note], kind: str, turn: int) -> str:
    note = held.get(kind)
    return note.content if note is not None and note.turn == turn else ""


_Moment = Note | Draft | Message | tuple[ToolEntry, ...]


def _moments(view: View) -> list[_Moment]:
    moments: list[_Moment] = [*view.notes, *view.turn.drafts, *view.messages, *_together(view)]
    return sorted(moments, key=lambda item: item[0].seq if isinstance(item, tuple) else item.seq)


def _together(view: View) -> Iterator[tuple[ToolEntry, ...]]:
    answered = (entry for entry in view.tool_log if entry.result is not None)
    for _, entries in groupby(answered, key=lambda entry: (entry.turn, entry.step)):
        yield tuple(entries)
