"""Whether a model is asked again after a failure, and when."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from benchmark.models.failures import ModelFailure

KEY_PATIENCE_S = 120.0
"""How long a request waits for a worker that has the key."""
_KEY_LOOK_S = 3.0
_LONGEST_S = 60.0
_SHORTEST_ASKED_S = 1.0
_LONGEST_ASKED_S = 300.0
_MOST = {"cut": 6, "malformed": 6, "filtered": 3, "oversized": 3}
"""Failures of a kind that waiting seldom mends, and that may cost tokens: so many in a row, whatever the patience."""


@dataclass
class Failing:
    """What has failed since a model's last answer. seconds: since the first failure, of pauses and later requests."""

    kinds: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def attempts(self) -> int:
        """How many requests."""
        return self.kinds.total()

    def take(self, outcome: str, latency_ms: float, retry_in_s: float | None) -> None:
        """Count one request. What we broke off ourselves is no attempt of the server's to fail."""
        if outcome == "answered":
            self.kinds, self.seconds = Counter(), 0.0
        elif outcome != "cancelled":
            self.seconds += self.further_s(latency_ms) + (retry_in_s or 0.0)
            self.kinds[outcome] += 1

    def further_s(self, latency_ms: float) -> float:
        """What a failed request adds: nothing where it is the first, which may have been a long answer."""
        return latency_ms / 1000 if self.attempts else 0.0


def wait_s(failure: ModelFailure, before: Failing, patience_s: float, seed: int | str) -> float | None:
    """Seconds until the next attempt, None when there is none; the same for the same arguments.

    before: what failed before this failure. patience_s: for how many seconds after the first failure the answer is
    asked for; a missing key has its own.
    """
    if not failure.retryable or before.kinds[failure.kind] + 1 >= _MOST.get(failure.kind, 1_000_000):
        return None
    patience_s = KEY_PATIENCE_S if failure.kind == "no_key" else patience_s
    left = patience_s - before.seconds - before.further_s(failure.latency_ms)
    return min(_pause_s(failure, before, seed), left) if left > 0 else None


def _pause_s(failure: ModelFailure, before: Failing, seed: int | str) -> float:
    """As the server asked, but 300 s at most and up to 1 s later, lest all come back together; at once where the
    server had closed a connection, the first time; else between half of and the whole of min(2^attempt, 60), also
    where it asked for less than a second: it would be asked a thousand times."""
    attempt = before.attempts + 1
    chance = random.Random(f"{seed}:{attempt}").random()
    asked = failure.retry_after_s
    if asked is not None and asked >= _SHORTEST_ASKED_S:
        return min(asked + chance, _LONGEST_ASKED_S)
    if failure.kind == "no_key":
        return _KEY_LOOK_S
    if failure.kind == "closed" and not before.kinds["closed"]:
        return 0.0
    return min(2.0 ** min(attempt, 10), _LONGEST_S) * (1 + chance) / 2
