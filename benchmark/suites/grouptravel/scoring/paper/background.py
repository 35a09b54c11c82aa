"""What the rules of the paper know of a record, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.scoring.paper.answers import Answers, answers_in
from benchmark.suites.grouptravel.scoring.paper.people import heads_in, is_minor
from benchmark.suites.grouptravel.scoring.run_record import RunRecord
from benchmark.suites.grouptravel.scoring.trip import Trip
from benchmark.suites.grouptravel.scoring.validity.issue import Issue

# What a run record tells beside its plan and tables: who comes along, and what tools returned.


@dataclass(frozen=True)
class Background:
    """Found in a record when a rule asks."""

    record: RunRecord

    @cached_property
    def children(self) -> tuple[str, ...]:
        """The young children who come along without a table.

        A published record names none: there the head count in `query` beyond the tables counts, and a child's name
        is "?".
        """
        if self.record.children is not None:
            return self.record.children
        return ("?",) * (self.heads - len(self.record.users))

    @cached_property
    def heads(self) -> int:
        """Everybody who travels, as `query` counts them; never fewer than there are users."""
        return max(len(self.record.users), heads_in(self.record.query))

    @cached_property
    def adults(self) -> frozenset[str]:
        """The users whose role is not that of a minor; everybody, if no user is an adult."""
        users, roles = self.record.users, self.record.roles
        return frozenset([user for user in users if not is_minor(roles.get(user, ""))] or users)

    @cached_property
    def answers(self) -> Answers:
        """What tools returned in this run."""
        return answers_in(self.record)


# What a rule of the paper says: an issue, or that something can't be checked.


REASONS: dict[str, str] = {
    "no_results": "the record holds no results of tools",
    "unreadable": "the record's tool results are free text in part, and nothing readable names it",
    "no_price": "tools returned it without a price",
    "no_coordinates": "no tool result tells where both ends lie",
    "no_departure_city": "the record does not name the city of departure",
}
"""English words by reason."""


class UncheckedPart(NamedTuple):
    """A part of the plan that a rule could not look at; it is no issue.

    type: of the issue that was looked for. day: the plan's label. segment, activity: places in `city_segments` and
    `activities`, None for a leg. location: its name. reason: a key of REASONS.
    """

    type: str
    day: Any
    segment: int
    activity: int | None
    location: str
    reason: str


Finding = Issue | UncheckedPart
PaperCheck = Callable[[Trip, Background], Iterator[Finding]]
