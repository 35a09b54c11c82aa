"""What a run record tells beside its plan and tables: who comes along, from where, and what tools returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmark.suites.grouptravel.preferences.tables import part
from benchmark.suites.grouptravel.scoring.paper.answers import Answers, answers_in
from benchmark.suites.grouptravel.scoring.paper.people import heads_in, is_minor


@dataclass(frozen=True)
class Background:
    """Read from a record when a rule asks. users: those of the run."""

    record: Mapping[str, Any]
    users: Sequence[str]

    @cached_property
    def children(self) -> tuple[str, ...]:
        """The young children who come along without a table.

        As `child_members` names them, in the record or in its task's `metadata`; a published record names none, so
        there the head count in `query` beyond the tables counts, and a child's name is "?".
        """
        listed = self.record.get("child_members")
        members = listed if isinstance(listed, list) else part(self.record.get("metadata"), "child_members")
        if isinstance(members, list):
            return tuple([str(part(member, "user") or "?") for member in members])
        return ("?",) * (self.heads - len(self.users))

    @cached_property
    def departure_city(self) -> str:
        """Where the group sets out, by the record or its task's `metadata`; "" where neither says it."""
        for named in (self.record, self.record.get("metadata")):
            city = part(named, "departure_city")
            if city and isinstance(city, str):
                return city
        return ""

    @cached_property
    def heads(self) -> int:
        """Everybody who travels, as `query` counts them; never fewer than there are users."""
        query = self.record.get("query")
        return max(len(self.users), heads_in(query) if isinstance(query, str) else 0)

    @cached_property
    def adults(self) -> frozenset[str]:
        """The users whose role is not that of a minor; everybody, if no user is an adult."""
        tables = self.record.get("effective_preferences")
        roles = {user: part(part(tables, user), "role") for user in self.users}
        grown = [u for u, role in roles.items() if not (isinstance(role, str) and is_minor(role))]
        return frozenset(grown or self.users)

    @cached_property
    def answers(self) -> Answers:
        """What tools returned in this run."""
        return answers_in(self.record)
