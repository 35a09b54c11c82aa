"""The plan day by day (a first reading; see lanes)."""

from __future__ import annotations

from typing import Any

from webapp.sessions.reading import Reading


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    return {"plan": reading.state.plan}
