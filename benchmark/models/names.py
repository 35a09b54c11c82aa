"""Names of models."""

from __future__ import annotations


def serves(served: tuple[str, ...], model: str) -> bool:
    """Whether a model is among the names; Gemini lists `models/NAME` for NAME."""
    return any(name == model or name == f"models/{model}" for name in served)
