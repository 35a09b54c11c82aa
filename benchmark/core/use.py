"""What figures of models and of tools have in common: they add up, and are stored as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any, Self


class Use:
    """Numbers, numbers by name and lists of numbers, the fields of a dataclass; texts are not added."""

    latencies: list[float]

    def add(self, other: Self) -> None:
        """Take another's figures in."""
        for name, figure in vars(other).items():
            own = getattr(self, name)
            if isinstance(figure, dict):
                for key, count in figure.items():
                    own[key] = own.get(key, 0) + count
            elif not isinstance(figure, str):
                own += figure
                setattr(self, name, own)

    @property
    def latency_ms(self) -> float | None:
        """The median; None before the first answer."""
        return median(self.latencies) if self.latencies else None

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        return {name: dict(value) if isinstance(value, dict) else value for name, value in vars(self).items()}

    def summary(self) -> dict[str, Any]:
        """As JSON for readers: with the median in place of every answer's time."""
        figures = self.as_json()
        del figures["latencies"]
        return {**figures, "latency_ms": self.latency_ms}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Read what `as_json` gave."""
        blank = vars(cls())
        return cls(**{name: type(blank[name])(value) for name, value in stored.items()})

    @classmethod
    def total(cls, uses: Iterable[Self]) -> Self:
        """All of them together."""
        whole = cls()
        for use in uses:
            whole.add(use)
        return whole
