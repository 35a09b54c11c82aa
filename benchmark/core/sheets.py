"""What scoring gives of a session by one profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

UNCOUNTED = "uncounted"
"""Where the stored figures have the keys of those that the figures of runs leave out."""
Reason = Literal["undefined", "unreadable", "not_reached", "refused", "unjudged"]
"""undefined: the formula divides by nothing. unreadable: a field that it needs is missing or is something else.
not_reached: the session ended before. refused: what was to be scored can't be read. unjudged: only a judge gives
it."""


class Missing(NamedTuple):
    """Why a figure has no value. field: what of the plan or record lacks, "" for all of it."""

    reason: Reason
    field: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The figures of a session by one profile."""

    figures: Mapping[str, object]
    """What metrics read, by key, None where there is no value; and what pages show beside them."""
    evidence: Mapping[str, object]
    """What each figure was made of, plain JSON in an order that depends on the log alone."""
    missing: Mapping[str, Missing] = field(default_factory=dict)
    """Why figures have no value, by key, where more can be said than that there is none."""
    turns: Sequence[Mapping[str, float]] = ()
    """The values of the metrics of the scope `turn`, by key, for each turn."""
    uncounted_keys: Sequence[str] = ()
    """The keys of figures that are shown, and that the figures of runs leave out."""

    def as_json(self) -> dict[str, object]:
        """As it is stored, without the turns; a figure that only turns have is that of the last one."""
        last = dict(self.turns[-1]) if self.turns else {}
        missing = {key: why._asdict() for key, why in self.missing.items()}
        return {
            **last,
            **self.figures,
            **({"missing": missing} if missing else {}),
            **({UNCOUNTED: list(self.uncounted_keys)} if self.uncounted_keys else {}),
            "evidence": self.evidence,
        }
