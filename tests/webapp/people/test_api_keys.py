"""The keys of a table that programs read: a rename in the code would break every program."""

from __future__ import annotations

from dataclasses import fields

import pytest

from benchmark.core.view import Message
from benchmark.suites.grouptravel.view import Card, GroupTurn, GroupView, Traveller

TURN = (
    "kind",
    "attempt",
    "tools_allowed",
    "step",
    "problem",
    "unread",
    "refused",
    "drafts",
    "seq",
    "solicited",
)
VIEW = (
    *("me", "language", "seed", "round", "messages", "turn", "tool_log", "notes", "toolset"),
    *("query", "time", "context", "travellers", "companions", "max_turn", "convergence_interval"),
    *("card", "table", "protocol", "contract"),
)
CARD = ("role", "preference", "effective", "compromisable", "compromises_left")


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        (Message, ("seq", "role", "content")),
        (Traveller, ("name", "role")),
        (GroupTurn, TURN),
        (GroupView, VIEW),
        (Card, CARD),
    ],
)
def test_the_keys_of_what_a_program_is_told_stay(kind: type, keys: tuple[str, ...]) -> None:
    assert tuple(field.name for field in fields(kind)) == keys  # type: ignore[arg-type]
