"""What a process counts of its own work. Its heartbeat tells the database, where the counts of all are added up."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MOST_SERIES = 200
"""Sets of labels of one counter; what comes beyond is counted as `other`."""
SEPARATOR = "\t"
"""What stands between the labels of a set where they are kept as one text."""
Counts = dict[str, dict[str, float]]
"""Numbers by the name of a counter, then by the set of labels, in the order of the counter's."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that only grows. name: as Prometheus has it, without `_total`. help: what it counts."""

    name: str
    help: str
    labels: tuple[str, ...] = ()


EVENTS = Counter("caravan_events", "Events that were stored in logs of sessions")
REQUESTS = Counter("caravan_http_requests", "Answers to requests, by the class of their status", ("status",))
ERRORS = Counter("caravan_errors", "Lines of logs of the level ERROR or above")
MODEL_CALLS = Counter("caravan_model_calls", "Requests to models, by what came of them", ("model", "outcome"))
MODEL_SECONDS = Counter("caravan_model_seconds", "Seconds that models took to answer", ("model",))
MODEL_TOKENS = Counter("caravan_model_tokens", "Tokens that models counted", ("model", "direction"))
MODEL_COST = Counter(
    "caravan_model_cost", "What requests cost by the prices of models", ("model", "currency")
)
HANDSHAKES = Counter("caravan_handshakes_refused", "Sockets that were refused, by the reason", ("reason",))
REFUSALS = Counter(
    "caravan_limited_requests", "Requests that were refused because an account asks too often", ("use",)
)
COUNTERS = (
    *(EVENTS, REQUESTS, ERRORS, MODEL_CALLS, MODEL_SECONDS, MODEL_TOKENS, MODEL_COST, HANDSHAKES, REFUSALS),
)
LAG = Counter("caravan_delivery_lag_seconds", "From the storing of an event until it is sent to a viewer")
LAG_BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LAG_SUM, LAG_ENDLESS = "sum", "+Inf"
SOCKETS = "caravan_sockets"
"""How many sockets are open: the one number here that falls too, and ends with its process."""

_counts: Counts = {}
_lock = threading.Lock()


def add(counter: Counter, *labels: str, by: float = 1.0) -> None:
    """Count something. labels: as many as the counter has."""
    assert len(labels) == len(counter.labels)
    _add(counter.name, SEPARATOR.join(label.replace(SEPARATOR, " ") for label in labels), by)


def add_lag(seconds: float) -> None:
    """Count an event that reached a viewer so late."""
    bound = next((str(bound) for bound in LAG_BOUNDS if seconds <= bound), LAG_ENDLESS)
    _add(LAG.name, bound, 1.0)
    _add(LAG.name, LAG_SUM, seconds)


def add_sockets(number: int) -> None:
    """Count sockets that were opened; a negative number for those that were closed."""
    _add(SOCKETS, "", number)


def _add(name: str, key: str, by: float) -> None:
    with _lock:
        series = _counts.setdefault(name, {})
        if key not in series and len(series) >= MOST_SERIES:
            key = SEPARATOR.join(["other"] * (key.count(SEPARATOR) + 1))
        series[key] = series.get(key, 0.0) + by


def current_counts() -> Counts:
    """All counts of this process until now."""
    with _lock:
        return {name: dict(series) for name, series in _counts.items()}


def sum_of(several: Iterable[Mapping[str, Mapping[str, float]]]) -> Counts:
    """The sums of several counts."""
    sums: Counts = {}
    for counts in several:
        for name, series in counts.items():
            for key, number in series.items():
                into = sums.setdefault(name, {})
                into[key] = into.get(key, 0.0) + number
    return sums


def without_gauges(counts: Counts) -> Counts:
    """What only grows."""
    return {name: series for name, series in counts.items() if name != SOCKETS}


def difference(counts: Counts, before: Counts) -> Counts:
    """What was counted since `before`; what is no counter as it is."""
    return {
        name: series
        if name == SOCKETS
        else {key: number - before.get(name, {}).get(key, 0.0) for key, number in series.items()}
        for name, series in counts.items()
    }


class ErrorCounter(logging.Handler):
    """Counts what is logged as an error, and keeps none of its words."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count it."""
        add(ERRORS)
