"""The values of the metrics that the benchmark declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchmark.core.sheets import UNCOUNTED
from benchmark.metrics import Group, Metric, of_turns
from benchmark.suites import suite_named
from benchmark.suites.base import AnySuite
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading
from webapp.wording.metrics import Head, ShownValue, session_head, shown_values, value_digits


def context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The values of each profile and rater, and the figures with the evidence that the rules gave for them."""
    session, score = reading.session, reading.score
    return {
        "ended": session.ended,
        "scores": list(_scores(session)) if session.ended else [],
        "evidence": score.figures if score else None,
    }


@dataclass(frozen=True)
class ShownScore:
    """The values by one profile, or of one rater. groups: with their headings, "" for metrics of no group."""

    label: str
    groups: Sequence[tuple[str, Sequence[ShownValue]]]
    turns: TurnTable | None = None


@dataclass(frozen=True)
class TurnTable:
    """The values after each turn: a row a turn, which begins with its number."""

    heads: Sequence[Head]
    rows: Sequence[tuple[int, Sequence[str]]]


def _scores(session: Session) -> Iterator[ShownScore]:
    suite = suite_named(session.suite)
    figures = {score.profile: score.figures for score in session.scores.order_by("profile")}
    missing = {profile: {**_not_counted(own), **own.get("missing", {})} for profile, own in figures.items()}
    values = {(name, ""): _uncounted_values(suite, figures[name]) for name, why in missing.items() if why}
    for row in session.values.order_by("profile", "rater"):
        values.setdefault((row.profile, row.rater), {})[row.key] = row.value
    order = {name: at for at, name in enumerate(suite.scoring.profiles)}
    for (profile, rater), own in sorted(values.items(), key=lambda item: order.get(item[0][0], len(order))):
        metrics = suite.scoring.metrics
        listed = (
            _rated_metrics(metrics, own) if rater else shown_values(metrics, own, missing.get(profile, {}))
        )
        yield ShownScore(
            " · ".join(filter(None, (profile, rater))),
            _values_by_group(suite.scoring.groups, list(listed)),
            None if rater else _turns(session, suite, profile),
        )


def _uncounted_values(suite: AnySuite, figures: Mapping[str, Any]) -> dict[str, float]:
    """What the figures of runs leave out, which is not stored as values."""
    uncounted = [metric for metric in suite.scoring.metrics if metric.key in figures.get(UNCOUNTED, ())]
    known = {metric.key: metric.value(figures) for metric in uncounted}
    return {key: value for key, value in known.items() if value is not None}


def _not_counted(figures: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    return {key: {"reason": UNCOUNTED, "field": ""} for key in figures.get(UNCOUNTED, ())}


def _values_by_group(
    groups: Sequence[Group], listed: Sequence[ShownValue]
) -> list[tuple[str, list[ShownValue]]]:
    """Values by group, in the order of the groups; groups without values are left out."""
    named = (Group("", ""), *groups)
    parts = [(group.label, [value for value in listed if value.metric.group == group.key]) for group in named]
    return [(_(label) if label else "", own) for label, own in parts if own]


def _turns(session: Session, suite: AnySuite, profile: str) -> TurnTable | None:
    metrics = of_turns(suite.scoring.metrics)
    if not metrics:
        return None
    turns: dict[int, dict[str, float]] = {}
    for row in session.turn_values.filter(profile=profile).order_by("turn"):
        turns.setdefault(row.turn, {})[row.key] = row.value
    if not turns:
        return None
    return TurnTable(
        [session_head(metric) for metric in metrics],
        [(turn, _turn_words(metrics, values)) for turn, values in turns.items()],
    )


def _turn_words(metrics: Sequence[Metric], values: Mapping[str, float]) -> list[str]:
    shown = {value.metric.key: value.value for value in shown_values(metrics, values)}
    return [shown.get(metric.key, "–") for metric in metrics]


def _rated_metrics(metrics: Iterable[Metric], values: dict[str, float]) -> Iterable[ShownValue]:
    return (
        ShownValue(metric, value_digits(metric, values[metric.key]))
        for metric in metrics
        if metric.key in values
    )
