"""What the server did: one entry a request, and how many were open at once."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from tests.model_server.wire import Tokens

Outcome = Literal["open", "whole", "cut", "refused", "abandoned"]


@dataclass(slots=True)
class Entry:
    """One request.

    at: seconds since the epoch. key: as the caller gave it. outcome: `whole` (answered to the end), `cut` (broken
    off by this server), `refused` (an HTTP error, or a body that is no answer), `abandoned` (the caller left).
    fault: what was done to it, "" for nothing. tokens: of the answer, also where it was cut.
    """

    number: int
    at: float
    model: str
    personality: str
    key: str
    stream: bool
    outcome: Outcome = "open"
    status: int = 0
    fault: str = ""
    tokens: Tokens = field(default_factory=Tokens)


@dataclass
class Ledger:
    """All entries, in the order in which the requests came. in_flight, highest: requests open at once, by model."""

    entries: list[Entry] = field(default_factory=list)
    in_flight: Counter[str] = field(default_factory=Counter)
    highest: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    def open(self, model: str, personality: str, key: str, stream: bool) -> tuple[Entry, int]:
        """Write a request down as it comes; with it, how many of its model are open now."""
        with self._lock:
            entry = Entry(len(self.entries), time.time(), model, personality, key, stream)
            self.entries.append(entry)
            self.in_flight[model] += 1
            self.highest[model] = max(self.highest[model], self.in_flight[model])
            return entry, self.in_flight[model]

    def close(self, entry: Entry, outcome: Outcome, *, status: int = 200, fault: str = "") -> None:
        """Write down how it ends.

        Called before the last byte goes out: the caller may ask again as soon as it has read it. A second call
        corrects the first.
        """
        with self._lock:
            if entry.outcome == "open":
                self.in_flight[entry.model] -= 1
            entry.outcome, entry.status, entry.fault = outcome, status, fault or entry.fault

    def outcomes(self, model: str | None = None) -> Counter[str]:
        """How many requests ended in which way, of one model or of all."""
        return Counter(entry.outcome for entry in self._of(model))

    def tokens(self, model: str | None = None) -> Tokens:
        """The sums over answers that were sent whole."""
        whole = [entry.tokens for entry in self._of(model) if entry.outcome == "whole"]
        return Tokens(
            sum(each.prompt for each in whole),
            sum(each.completion for each in whole),
            sum(each.cached for each in whole),
            sum(each.reasoning for each in whole),
        )

    def forget(self) -> None:
        """Start again; requests under way are no longer counted."""
        with self._lock:
            self.entries.clear()
            self.in_flight.clear()
            self.highest.clear()

    def report(self) -> dict[str, Any]:
        """As `GET /ledger` gives it: sums by model, and all entries."""
        with self._lock:
            entries = list(self.entries)
        models = sorted({entry.model for entry in entries})
        return {
            "total": self._sums(None),
            "models": {model: self._sums(model) for model in models},
            "entries": [asdict(entry) for entry in entries],
        }

    def _sums(self, model: str | None) -> dict[str, Any]:
        in_flight = self.in_flight.total() if model is None else self.in_flight[model]
        highest = max(self.highest.values(), default=0) if model is None else self.highest[model]
        return {
            "outcomes": dict(self.outcomes(model)),
            "tokens": asdict(self.tokens(model)),
            "in_flight": in_flight,
            "highest": highest,
        }

    def _of(self, model: str | None) -> list[Entry]:
        return [entry for entry in list(self.entries) if model in (None, entry.model)]
