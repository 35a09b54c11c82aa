"""Conversations of several sessions, message by message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Indel

from benchmark.alignment.rows import Row, Similarities, align_sequences
from benchmark.text.word_differences import words_of

SIMILAR = 0.4
"""The share of words that two messages have in common from which they are paired."""
COMPARED_CHARACTERS = 1_200
"""By so much of their beginnings messages are paired."""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message. seq: its event. who: the speaker. text: what is compared of it. whole: all of it."""

    seq: int
    who: str
    text: str
    whole: str
    has_plan: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the conversations. rows: messages of the same speaker that are similar stand in one."""

    key: str
    rows: Sequence[Row[ChatMessage]]


def align_conversations(conversations: Sequence[Mapping[str, Sequence[ChatMessage]]]) -> list[Section]:
    """Section by section, in the order of the longest conversation. conversations: messages by section."""
    by_length = sorted(conversations, key=len, reverse=True)
    keys = dict.fromkeys(key for conversation in by_length for key in conversation)
    sections = []
    for key in keys:
        messages: list[Sequence[ChatMessage]] = [own.get(key, ()) for own in conversations]
        rows: list[Row[ChatMessage]] = align_sequences(messages, similar_messages)
        sections.append(Section(key, rows))
    return [section for section in sections if section.rows]


def similar_messages(former: Sequence[ChatMessage], later: Sequence[ChatMessage]) -> Similarities:
    """How alike messages are by their words; 0 for those of other speakers, and below `SIMILAR`."""
    letters: dict[str, str] = {}  # a letter a word, by which they are compared many times faster
    written = [
        [
            "".join(
                letters.setdefault(word, chr(len(letters)))
                for word in words_of(said.text[:COMPARED_CHARACTERS])
            )
            for said in side
        ]
        for side in (former, later)
    ]
    similarities = process.cdist(
        written[0], written[1], scorer=Indel.normalized_similarity, score_cutoff=SIMILAR, dtype=np.float64
    )
    whos = [np.array([said.who for said in side], dtype=object) for side in (former, later)]
    return np.where(whos[0][:, None] == whos[1][None, :], similarities, 0.0)


def say_the_same(row: Row[ChatMessage]) -> bool:
    """Whether every session has the message, word for word."""
    return None not in row and len({said.whole for said in row if said is not None}) == 1
