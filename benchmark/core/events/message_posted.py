"""The event that a participant posted a message."""

from __future__ import annotations

from typing import Literal

from benchmark.core.events.base import EventBody


class MessagePosted(EventBody):
    """A visible message, without markers and without passes at its end.

    opening: it was there from the start. has_plan: a plan was found in it; `plan_proposed` follows.
    """

    type: Literal["message_posted"] = "message_posted"
    role: str
    content: str
    opening: bool = False
    has_plan: bool = False
