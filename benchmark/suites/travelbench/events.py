"""The events that only TravelBench's logs hold, or in which they hold more than others."""

from __future__ import annotations

from typing import ClassVar, Literal

from benchmark.core import events
from benchmark.core.events import EventBody, Kinds, only
from benchmark.suites.travelbench.modes import Subtask

USER = "User"
"""Who asks, and answers the agent's questions in the multi-turn subtask."""


class SessionOpened(events.SessionOpened):
    """subtask: how the conversation is held. trace_id: of the task within its file. query, time, context: the task's
    own texts, as everybody may know them; time is that which is now, YYYY-MM-DD HH:MM in China.
    """

    old_options: ClassVar[tuple[str, ...]] = ("protocol",)
    suite: Literal["travelbench"] = "travelbench"
    subtask: Subtask
    trace_id: str
    query: str
    time: str
    context: str = ""

    @property
    def protocol(self) -> str:
        """Whose rules hold, `published` or `paper`."""
        return str(self.options.get("protocol", "published"))

    @property
    def users(self) -> tuple[str, ...]:
        """Nobody where the agent has one turn alone."""
        return (USER,) if self.subtask == "multi" else ()


class IntentDealt(EventBody):
    """What the user alone knows: what was meant by the query, and who they are (Markdown)."""

    type: Literal["intent_dealt"] = "intent_dealt"
    intent: str
    profile: str = ""

    def audience(self) -> str:
        return only(USER)


class MessagePosted(events.MessagePosted):
    """absent: the model gave no content at all, which a record tells from an empty one. failed: a stock sentence in
    the place of an answer that could not be had.
    """

    absent: bool = False
    failed: bool = False


KINDS = Kinds(SessionOpened, IntentDealt, MessagePosted)
