"""What the agent asked the sandbox."""

from __future__ import annotations

from typing import Any

from benchmark.core.tool_use import tool_use, total
from webapp.sessions.reading import Reading


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The use of each tool, the most called first, the whole, and the calls one by one."""
    uses = sorted(tool_use(reading.events).items(), key=lambda named: -named[1].calls)
    opened = reading.state.opened
    return {
        "uses": uses,
        "total": total(use for _, use in uses),
        "calls": reading.calls,
        "sandbox": opened.sandbox if opened else None,
    }
