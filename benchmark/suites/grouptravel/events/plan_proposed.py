"""The agent's message holds a plan."""

from __future__ import annotations

from typing import Any, Literal

from benchmark.core.events.base import EventBody


class PlanProposed(EventBody):
    """plan: as found in the message just before."""

    type: Literal["plan_proposed"] = "plan_proposed"
    plan: dict[str, Any]
