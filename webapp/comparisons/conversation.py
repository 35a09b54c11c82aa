"""The conversations of sessions, section by section and message by message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from benchmark.alignment.messages import ChatMessage, align_conversations, say_the_same
from benchmark.alignment.rows import Row
from benchmark.core.events import MessagePosted, TurnGranted
from benchmark.text.word_differences import Piece
from webapp.comparisons.stretches import Stretch, stretches_of
from webapp.comparisons.texts import mark_texts
from webapp.pages import pages_of
from webapp.plans.messages import words_around_plan
from webapp.sessions.outline import sections
from webapp.sessions.reading import Reading

MOST_MESSAGES = 200
"""Messages of a session that are compared, the first ones."""
LONGEST_SHOWN = 4_000
"""Characters of a message that are compared word by word and shown."""
_OPENING = "opening"


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message in its column. pieces: its words; more: characters that are not shown.

    other_plan: it holds a plan, and not all sessions have the same one there.
    """

    seq: int
    who: str
    pieces: Sequence[Piece]
    more: int
    other_plan: bool


@dataclass(frozen=True, slots=True)
class MessageLine:
    """Messages that face each other, None for a session that has none there. is_alone: only one session has one."""

    messages: Sequence[ShownMessage | None]
    alike: bool
    is_alone: bool


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A part of the conversations, as the outline of sessions has it."""

    title: str
    stretches: Sequence[Stretch[MessageLine]]

    @property
    def alike(self) -> bool:
        return all(stretch.alike for stretch in self.stretches)


@dataclass(frozen=True, slots=True)
class Conversations:
    """rows: by section; uncompared_counts: of each session, how many messages come after those that are compared."""

    most: ClassVar[int] = MOST_MESSAGES
    titles: Sequence[str]
    rows: Sequence[Sequence[Row[ChatMessage]]]
    uncompared_counts: Sequence[int]

    @property
    def counts(self) -> dict[str, int]:
        """Rows that are `same`, `changed` (several sessions have a message there), `alone` (only one has)."""
        all_rows = [row for section in self.rows for row in section]
        same = sum(map(say_the_same, all_rows))
        alone = sum(sum(said is not None for said in row) == 1 for row in all_rows)
        return {"same": same, "changed": len(all_rows) - same - alone, "alone": alone}

    @property
    def sections(self) -> Iterator[ShownSection]:
        """As pages show them, with marked words."""
        for title, rows in zip(self.titles, self.rows, strict=True):
            lines = map(_line, rows)
            yield ShownSection(title, stretches_of(lines, lambda line: line.alike))


def align_readings(readings: Sequence[Reading]) -> Conversations:
    """The messages of some sessions in rows."""
    found = [_messages_by_section(reading) for reading in readings]
    titles = {section.key: section.title for reading in readings[::-1] for section in sections(reading)}
    aligned = align_conversations([messages for messages, _uncompared in found])
    return Conversations(
        [titles[section.key] for section in aligned],
        [section.rows for section in aligned],
        [uncompared for _messages, uncompared in found],
    )


def _messages_by_section(reading: Reading) -> tuple[dict[str, list[ChatMessage]], int]:
    section_of = pages_of(reading.session.suite).session.section
    messages: dict[str, list[ChatMessage]] = {_OPENING: []}
    now, room, uncompared = _OPENING, MOST_MESSAGES, 0
    for event in reading.events:
        body = event.body
        if isinstance(body, TurnGranted):
            named = section_of(body)
            now = named[0] if named is not None else now
        elif isinstance(body, MessagePosted):
            room -= 1
            if room < 0:
                uncompared += 1
                continue
            text = words_around_plan(body.content) if body.has_plan else body.content
            said = ChatMessage(event.seq, body.role, text, body.content, body.has_plan)
            messages.setdefault(now, []).append(said)
    return messages, uncompared


def _line(row: Row[ChatMessage]) -> MessageLine:
    alike = say_the_same(row)
    marked = mark_texts([None if said is None else said.text[:LONGEST_SHOWN] for said in row])
    present = [said for said in row if said is not None]
    # words alone may be the same where the plans are not
    other_plan = not alike and len({said.whole for said in present}) > 1
    shown = [
        None
        if said is None or pieces is None
        else ShownMessage(
            said.seq,
            said.who,
            pieces,
            max(0, len(said.text) - LONGEST_SHOWN),
            other_plan and said.has_plan,
        )
        for said, pieces in zip(row, marked, strict=True)
    ]
    return MessageLine(shown, alike, len(present) == 1)
