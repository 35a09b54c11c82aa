"""A session's log, read once for everything that a page shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmark.core.events import Event, ToolCalled, ToolReturned
from benchmark.core.state import fold_events
from benchmark.suites import suite_named
from webapp.sessions.log import whole_log
from webapp.sessions.models import Score, Session
from webapp.sessions.selectors import score_of


@dataclass(frozen=True)
class Call:
    """A tool call with its answer, None while it runs."""

    seq: int
    request: ToolCalled
    answer: ToolReturned | None


@dataclass
class Reading:
    """The log of `session` up to an event (`at`, None for its end)."""

    session: Session
    events: list[Event]
    at: int | None = None

    @classmethod
    def of(cls, session: Session, at: int | None = None) -> Reading:
        """Read the log from the database as far as `session` knows it.

        What was stored after its row was read comes by the socket: a page that showed the end of a session beside
        a row that has not ended would wait for that end for ever.
        """
        return cls(session, whole_log(session.pk)[: session.last_seq if at is None else at], at)

    def until(self, at: int) -> Reading:
        """The same log up to event `at`."""
        return Reading(self.session, [event for event in self.events if event.seq <= at], at)

    @cached_property
    def state(self) -> Any:
        """The fold at this moment, which is the benchmark's own."""
        return fold_events(suite_named(self.session.suite).play.rules.state(), self.events)

    @cached_property
    def score(self) -> Score | None:
        """The figures, which belong to the whole session whatever the moment."""
        return score_of(self.session)

    @property
    def whole(self) -> bool:
        """Whether this is all of the session, not an earlier moment."""
        return self.at is None or self.at >= self.session.last_seq

    @cached_property
    def users(self) -> list[str]:
        """The travellers with a table, in polling order."""
        return list(self.state.users)

    @cached_property
    def calls(self) -> list[Call]:
        """The tool calls in order."""
        answers = {e.body.call_id: e.body for e in self.events if isinstance(e.body, ToolReturned)}
        asked = ((e.seq, e.body) for e in self.events if isinstance(e.body, ToolCalled))
        return [Call(seq, body, answers.get(body.call_id)) for seq, body in asked]
