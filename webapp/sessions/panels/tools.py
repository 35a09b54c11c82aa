"""What the agent asked the sandbox."""

from __future__ import annotations

from typing import Any

from benchmark.core.tool_use import tool_use, total
from webapp.sessions.reading import Reading


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The use of each tool, the most called first, the whole, and the calls one by one.

    copied: calls before a fork, which its origin made; no use counts them.
    """
    own = reading.session.own(reading.events)
    uses = sorted(tool_use(own).items(), key=lambda named: -named[1].calls)
    whole = total(use for _, use in uses)
    opened = reading.state.opening
    return {
        "uses": uses,
        "total": whole,
        "calls": reading.calls,
        "failed": [call for call in reading.calls if call.answer is not None and call.answer.error],
        "copied": len(reading.calls) - whole.calls,
        "sandbox": opened.sandbox if opened else None,
    }
