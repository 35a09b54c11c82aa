"""The four scores."""

from __future__ import annotations

from typing import Any

from webapp.sessions.reading import Reading


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    return {"score": reading.score}
