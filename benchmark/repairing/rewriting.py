"""A log with other replies in it: what was said and called beside them stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmark.core.actions import Say
from benchmark.core.events import Event, EventBody, MessagePosted, PlanProposed
from benchmark.core.rules import Rules
from benchmark.core.state import SessionState
from benchmark.core.view import AGENT


class Unsayable(ValueError):
    """The rules do not let an agent say this."""


def is_reply(event: Event) -> bool:
    """Whether it is a message of the agent."""
    return isinstance(event.body, MessagePosted) and event.body.role == AGENT


def rewrite_replies(rules: Rules[Any], events: Sequence[Event], words: Mapping[int, str]) -> list[Event]:
    """The log as it would be with these words in place of the replies of these numbers, from 1.

    The plans of later replies are read anew, since they may rest on an earlier one. Events are numbered anew; those
    of the log stay as they are.

    Raises:
        Unsayable: the rules take no such words for a reply.
    """
    if not words:
        return list(events)
    log = _Rewriting(rules)
    number, is_read = 0, False
    for event in events:
        if is_read and isinstance(event.body, PlanProposed):
            continue
        if not is_reply(event):
            log.add(event)
            continue
        number += 1
        is_read = number >= min(words)
        if not is_read:
            log.add(event)
            continue
        assert isinstance(event.body, MessagePosted)
        for body in log.read_reply(words.get(number, event.body.content)):
            log.add(replace(event, body=body, audience=body.audience()))
    return log.events


class _Rewriting:
    def __init__(self, rules: Rules[Any]) -> None:
        self.events: list[Event] = []
        self._rules = rules
        self._state: SessionState = rules.state()

    def add(self, event: Event) -> None:
        """Number an event and fold it in."""
        numbered = replace(event, seq=len(self.events) + 1)
        self._state.apply(numbered)
        self.events.append(numbered)

    def read_reply(self, words: str) -> Iterator[EventBody]:
        """The message and its plan, as the rules read them now."""
        made = self._rules.utterance_events(self._state, Say(words), None)
        if not any(isinstance(body, MessagePosted) and body.role == AGENT for body in made):
            raise Unsayable(words)
        return (body for body in made if isinstance(body, MessagePosted | PlanProposed))
