"""Events of a turn: who gets it, and what was said, withdrawn, thought or noted in it."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import AGENT_ONLY, ALL, RESEARCH, EventBody, only
from benchmark.core.view import AGENT


class TurnGranted(EventBody):
    """Who acts now, and why.

    kind: as the benchmark names its turns. attempt: above 1 when the former answer was refused; problem: why, as the
    benchmark names it, else "". round: rounds finished so far.
    """

    type: Literal["turn_granted"] = "turn_granted"
    speaker: str
    kind: str
    attempt: int = 1
    problem: str = ""
    round: int = 0

    @property
    def again(self) -> bool:
        """The same turn once more."""
        return self.attempt > 1

    @property
    def hidden(self) -> bool:
        """Whether only the agent may see the answer; then nobody else sees the turn."""
        return False

    def audience(self) -> str:
        """Only the speaker sees that it is asked again, since this would show what was refused."""
        if self.hidden or (self.again and self.speaker == AGENT):
            return AGENT_ONLY
        return only(self.speaker) if self.again else ALL


class MessagePosted(EventBody):
    """A visible message, without markers and without passes at its end.

    opening: it was there from the start. has_plan: a plan was found in it; `plan_proposed` follows.
    """

    type: Literal["message_posted"] = "message_posted"
    role: str
    content: str
    opening: bool = False
    has_plan: bool = False


class MessageWithheld(EventBody):
    """why: the benchmark's name for the reason."""

    type: Literal["message_withheld"] = "message_withheld"
    content: str
    why: str

    def audience(self) -> str:
        return AGENT_ONLY


class AgentNoted(EventBody):
    """The text that a model wrote with its tool calls. It is in the record, but not in the chat."""

    type: Literal["agent_noted"] = "agent_noted"
    content: str

    def audience(self) -> str:
        return AGENT_ONLY


class ThoughtKept(EventBody):
    """The thoughts before the words or calls that follow. They are neither in the chat nor in the record."""

    type: Literal["thought_kept"] = "thought_kept"
    speaker: str
    content: str

    def audience(self) -> str:
        return AGENT_ONLY if self.speaker == AGENT else RESEARCH


class DraftWithdrawn(EventBody):
    """The speaker is asked again and sees the draft. why: the reason's short name; note: text kept with it."""

    type: Literal["draft_withdrawn"] = "draft_withdrawn"
    speaker: str
    content: str
    why: str
    note: str = ""

    def audience(self) -> str:
        return AGENT_ONLY if self.speaker == AGENT else only(self.speaker)


class Passed(EventBody):
    """A user had nothing to say."""

    type: Literal["passed"] = "passed"
    user: str

    def audience(self) -> str:
        return only(self.user)
