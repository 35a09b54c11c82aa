"""What a run record tells beside its plan and tables: who comes along, and what tools returned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from benchmark.suites.grouptravel.scoring.paper.answers import Answers, answers_in
from benchmark.suites.grouptravel.scoring.paper.people import heads_in, is_minor
from benchmark.suites.grouptravel.scoring.run_record import RunRecord


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
