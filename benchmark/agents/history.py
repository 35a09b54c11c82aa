"""What the agent has said, called and thought, put back in order from its view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from benchmark.core.view import Draft, Message, Note, ToolEntry, View


@dataclass(frozen=True, slots=True)
class ToolStep:
    """Calls made together, all answered. note: text written beside them; thought: what a thinking model wrote first.

    turn: seq of the turn's grant.
    """

    turn: int
    entries: tuple[ToolEntry, ...]
    note: str
    thought: str


@dataclass(frozen=True, slots=True)
class WithdrawnDraft:
    """A draft of the turn in progress with the thought before it."""

    draft: Draft
    thought: str


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """A message of the chat with the agent's thought before it, where it is the agent's own."""

    message: Message
    thought: str


@dataclass(frozen=True, slots=True)
class History:
    """before: chat and tool steps up to this turn; now: what the agent has done in it; both oldest first."""

    before: tuple[HeardMessage | ToolStep, ...]
    now: tuple[ToolStep | WithdrawnDraft, ...]


def read_history(view: View) -> History:
    """The history of a view. A call without an answer is left out: no chat may end in one."""
    before: list[HeardMessage | ToolStep] = []
    now: list[ToolStep | WithdrawnDraft] = []
    for item in _with_words(view):
        if isinstance(item, WithdrawnDraft) or (isinstance(item, ToolStep) and item.turn == view.turn.seq):
            now.append(item)
        else:
            before.append(item)
    return History(tuple(before), tuple(now))


def _with_words(view: View) -> Iterator[HeardMessage | ToolStep | WithdrawnDraft]:
    """Notes and thoughts belong to what comes next, a step's and a draft's only when made in the same turn."""
    beside: dict[str, Note] = {}
    for item in _moments(view):
        if isinstance(item, Note):
            beside[item.kind] = item
            continue
        held, beside = beside, {}
        if isinstance(item, Draft):
            yield WithdrawnDraft(item, _words(held, "thought", view.turn.seq))
        elif isinstance(item, Message):
            thought = held.get("thought") if item.role == view.me else None
            yield HeardMessage(item, thought.content if thought else "")
        else:
            yield _step(item, held)


def _step(entries: tuple[ToolEntry, ...], held: dict[str, Note]) -> ToolStep:
    first = entries[0]
    words = (_words(held, kind, first.turn) for kind in ("note", "thought"))
    return ToolStep(first.turn, entries, *words)


def _words(held: dict[str, Note], kind: str, turn: int) -> str:
    note = held.get(kind)
    return note.content if note is not None and note.turn == turn else ""


_Moment = Note | Draft | Message | tuple[ToolEntry, ...]


def _moments(view: View) -> list[_Moment]:
    moments: list[_Moment] = [*view.notes, *view.turn.drafts, *view.messages, *_results_in_groups(view)]
    return sorted(moments, key=lambda item: item[0].seq if isinstance(item, tuple) else item.seq)


def _results_in_groups(view: View) -> Iterator[tuple[ToolEntry, ...]]:
    answered = (entry for entry in view.tool_log if entry.result is not None)
    for _, entries in groupby(answered, key=lambda entry: (entry.turn, entry.step)):
        yield tuple(entries)
